"""Quantizes a GGUF with llama.cpp: `python -m roboinstruct_ros.learn.quantize FROM TO [--type T]`.

`roboinstruct models quantize` runs this as a separate process, because llama.cpp blocks the
interpreter for minutes and cannot be interrupted otherwise; its log goes to standard error.
"""

from __future__ import annotations

import argparse
import ctypes
from pathlib import Path

from roboinstruct_ros.generate.models.quantization import QUANTIZATIONS, Quantization, quantization

Q8_0 = quantization("Q8_0")


def quantize(source: Path, target: Path, wanted: Quantization = Q8_0) -> None:
    """Write `source` in the number format `wanted`; `source` may be quantized already.

    Raises:
        RuntimeError: llama.cpp refused the file.
    """
    import llama_cpp

    parameters = llama_cpp.llama_model_quantize_default_params()
    parameters.ftype = wanted.file_type
    parameters.allow_requantize = True
    names = str(source).encode(), str(target).encode()
    if llama_cpp.llama_model_quantize(*names, ctypes.byref(parameters)) != 0:
        raise RuntimeError(f"{source}: llama.cpp could not quantize it")


def main() -> None:
    """Command line of the quantization."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--type", default=Q8_0.name, choices=[q.name for q in QUANTIZATIONS])
    arguments = parser.parse_args()
    quantize(arguments.source, arguments.target, quantization(arguments.type))
    print(f"{arguments.target}: {arguments.target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
