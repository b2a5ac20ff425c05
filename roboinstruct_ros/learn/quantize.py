"""Quantizes an exported GGUF with llama.cpp: `python -m roboinstruct_ros.learn.quantize F16 TO`."""

from __future__ import annotations

import argparse
import ctypes
from pathlib import Path


def quantize(source: Path, target: Path) -> None:
    """Write `source` as Q8_0.

    Raises:
        RuntimeError: llama.cpp refused the file.
    """
    import llama_cpp

    wanted = llama_cpp.llama_model_quantize_default_params()
    wanted.ftype = llama_cpp.LLAMA_FTYPE_MOSTLY_Q8_0
    names = str(source).encode(), str(target).encode()
    if llama_cpp.llama_model_quantize(*names, ctypes.byref(wanted)) != 0:
        raise RuntimeError(f"{source}: llama.cpp could not quantize it")


def main() -> None:
    """Command line of the quantization."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    arguments = parser.parse_args()
    quantize(arguments.source, arguments.target)
    print(f"{arguments.target}: {arguments.target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
