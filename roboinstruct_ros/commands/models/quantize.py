"""`roboinstruct models quantize`: makes a smaller file of a model with llama.cpp's quantizer."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from roboinstruct_ros.generate.models.gguf_file import size_in_words
from roboinstruct_ros.generate.models.memory_fit import weight_bytes
from roboinstruct_ros.generate.models.model_file import ModelFile, read_model_file
from roboinstruct_ros.generate.models.model_notes import ModelNotes, write_notes
from roboinstruct_ros.generate.models.model_store import ModelFault, sha256_of
from roboinstruct_ros.generate.models.quantization import (
    FILE_TYPES,
    UNQUANTIZED,
    Quantization,
    quantization,
)


def quantize_model(
    file: Annotated[str, typer.Argument(help="A GGUF file, preferably in F16.")],
    type_: Annotated[str, typer.Option("--type", help="Quantization, e.g. Q4_K_M, Q5_K_M, Q8_0.")],
    out: Annotated[str, typer.Option(help="File to write; default: beside the old one.")] = "",
) -> None:
    """Write a smaller file of the same model."""
    wanted = quantization(type_)
    source = Path(file).expanduser()
    model = read_model_file(source)
    target = (
        Path(out).expanduser() if out else source.with_name(f"{source.stem}-{wanted.name}.gguf")
    )
    _check_target(target, model, wanted)
    if model.quantization in FILE_TYPES.values() and model.quantization not in UNQUANTIZED:
        note = f"note: {source} is {model.quantization} already; from F16 it would be more exact"
        print(note, file=sys.stderr)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        _run_llama_cpp(source, part, wanted)
        read_model_file(part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    if model.notes.prompt_format:  # the notes of a file are not copied with it
        notes = ModelNotes(prompt_format=model.notes.prompt_format, sha256=sha256_of(target))
        write_notes(target, notes)
    size = target.stat().st_size
    print(f"{target}: {wanted.name}, {size_in_words(size)} of {size_in_words(model.file_bytes)}")


def _check_target(target: Path, model: ModelFile, wanted: Quantization) -> None:
    if target.exists():
        raise ModelFault(f"{target}: is there already; remove it or give another with --out")
    if not target.parent.is_dir():
        raise ModelFault(f"{target}: there is no folder {target.parent}; make it first")
    if not os.access(target.parent, os.W_OK):
        raise ModelFault(f"{target}: the folder {target.parent} cannot be written")
    needed = weight_bytes(model.shape.parameters, wanted.bits)
    free = shutil.disk_usage(target.parent).free
    if free < needed:
        raise ModelFault(
            f"{target}: no space: about {size_in_words(needed)} are needed and "
            f"{size_in_words(free)} are free"
        )


def _run_llama_cpp(source: Path, target: Path, wanted: Quantization) -> None:
    """Run the quantizer and forward its line per tensor; on failure, report its first error."""
    module = "roboinstruct_ros.learn.quantize"
    files = ["--", str(source), str(target)]
    command = [sys.executable, "-P", "-m", module, "--type", wanted.name, *files]
    last = ""
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace"
    ) as child:
        try:
            for line in child.stderr or ():
                if line.startswith("["):
                    print(line.rstrip(), file=sys.stderr, flush=True)
                elif "failed" in line or "Error" in line:
                    last = last or line.strip()
        except BaseException:  # above all Ctrl-C: nobody waits for the result
            child.kill()
            raise
    if child.returncode != 0:
        reason = last or f"its process ended with {child.returncode}"
        raise ModelFault(f"{source}: llama.cpp could not quantize it: {reason}")
