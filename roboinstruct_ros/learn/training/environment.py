"""Finds an interpreter with the training libraries, and runs modules in it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from roboinstruct_ros.learn.pipeline.work import LearnError

VARIABLE = "ROBOINSTRUCT_TRAIN_PYTHON"
_FAILED = "cannot "
"""Beginning of the last line that such a module prints when it fails."""

_CHECKOUT = Path(__file__).parents[3]


def training_python() -> str:
    """An interpreter that can train: $ROBOINSTRUCT_TRAIN_PYTHON, this one, or the checkout's.

    Raises:
        LearnError: there is none.
    """
    if named := os.environ.get(VARIABLE):
        return named
    if find_spec("trl"):
        return sys.executable
    ours = _CHECKOUT / ".venv-train/bin/python"
    if ours.exists():
        return str(ours)
    raise LearnError(
        f"training needs PyTorch, trl and peft: 'make train-environment' in {_CHECKOUT} installs "
        f"them, or name a Python that has them in {VARIABLE}"
    )


def run_module(module: str, arguments: list[str], hear: Callable[[str], None]) -> None:
    """Run a module of `learn.training` there, and pass each output line except the error to `hear`.

    Raises:
        LearnError: it failed; with its last line.
    """
    path = os.pathsep.join(filter(None, [str(_CHECKOUT), os.environ.get("PYTHONPATH")]))
    command = [training_python(), "-P", "-m", f"roboinstruct_ros.learn.{module}", *arguments]
    last = ""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        env={**os.environ, "PYTHONPATH": path},
    ) as child:  # fmt: skip
        try:
            for line in filter(str.strip, child.stdout or ()):
                last = line.strip()
                if not last.startswith(_FAILED):
                    hear(last)
        except BaseException:  # above all Ctrl-C: the process is no longer needed
            child.terminate()
            raise
    if child.returncode < 0:  # its last line is of its progress
        raise LearnError(
            f"{module}: its process was killed (signal {-child.returncode}), perhaps by the "
            "system where memory ran out; the same command goes on with it"
        )
    if child.returncode:
        raise LearnError(last or f"{module}: its process ended with {child.returncode}")
