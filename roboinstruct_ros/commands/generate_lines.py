"""`roboinstruct generate --jsonl`: programs for many instructions, one JSON object per line."""

from __future__ import annotations

import json
import sys
import threading
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any

from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.json_lines import Line, lines_of
from roboinstruct_ros.commands.progress import told
from roboinstruct_ros.domain.arrival import read_object
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.generate.generation import Generation, GenerationEvent
from roboinstruct_ros.generate.generator import Generator
from roboinstruct_ros.generate.writing_options import WritingOptions

_TOLD = ("attempts", "notes", "agreed", "answer", "now", "deferred", "error_code", "error_msg")
_COSTS = ("prompt_tokens", "generated_tokens", "duration")
_SHAPE = '{"id": ..., "instruction": "..."}'


def generate_lines(
    generator: Generator, options: WritingOptions, source: IO[str], out: Path | None
) -> ExitCode:
    """Write a program for every line of `source`, in the same order.

    An unusable line gets an object with `error`, and the exit code is 2.

    Args:
        out: Output file; the objects of an earlier, interrupted run are kept and their lines
            skipped. None for standard output.

    Raises:
        ConfigError: `out` contains something else.
    """
    lines = list(lines_of(source, "instruction", _SHAPE))
    done = _done(out) if out else 0
    if done > len(lines):
        raise ConfigError(
            str(out), done, "", f"there are {done} results for {len(lines)} instructions; "
            "give the same input again, or another --out",
        )  # fmt: skip
    with (
        out.open("a", encoding="utf-8") if out else nullcontext(sys.stdout) as target,
        told("writing") as progress,
    ):
        progress.total(len(lines))
        progress.advance(done)
        for line in lines[done:]:
            print(json.dumps(_answer(line, generator, options)), file=target, flush=True)
            progress.advance()
    return ExitCode.BAD_INPUT if any(line.fault for line in lines) else ExitCode.SUCCESS


def _answer(line: Line, generator: Generator, options: WritingOptions) -> dict[str, Any]:
    if line.fault:
        return {"id": line.id, "error": line.fault}
    generation = generator.write(line.text, options, silent, threading.Event())
    return {"id": line.id, **as_object(generation)}


def as_object(generation: Generation) -> dict[str, Any]:
    told, verdict, confidence = generation.as_json, generation.verdict, generation.confidence
    return {
        "program": generation.source,
        "accepted": generation.accepted,
        "violations": [
            {"code": v.code.value, "line": v.line, "message": v.message}
            for v in (verdict.violations if verdict else ())
        ],
        "confidence": None if confidence is None else round(confidence, 3),
        **{name: told[name] for name in _TOLD},
        "stats": {**{name: told[name] for name in _COSTS}, **told["stats"]},
    }


def _done(out: Path) -> int:
    """Number of complete lines in the file; cuts off a partial line left by a killed run."""
    if not out.exists():
        return 0
    text = out.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    lines = whole.splitlines()
    try:
        for line in lines:
            read_object(line, "")
    except ValueError:
        fault = "holds no results of an earlier run; give another --out"
        raise ConfigError(str(out), 0, "", fault) from None
    if whole != text:
        out.write_text(whole, encoding="utf-8")
    return len(lines)


def silent(event: GenerationEvent) -> None:
    """No progress display: a script reads the result, or a bar shows the progress."""
