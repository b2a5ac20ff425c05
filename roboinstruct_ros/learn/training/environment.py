"""The interpreter that has the libraries of training, and a process of it."""

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
"""What the line begins with that such a module ends with when it fails."""

_CHECKOUT = Path(__file__).parents[3]


def training_python() -> str:
    """An interpreter that can train: the one that $ROBOINSTRUCT_TRAIN_PYTHON names, this one, or
    the checkout's.

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
    """Run a module of `learn.training` there, and hear each line it says but that of its failure.

    Raises:
        LearnError: it could not do it; with its last line.
    """
    path = os.pathsep.join(filter(None, [str(_CHECKOUT), os.environ.get("PYTHONPATH")]))
    command = [training_python(), "-m", f"roboinstruct_ros.learn.{module}", *arguments]
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
        except BaseException:  # Ctrl-C above all: nobody waits for the rest
            child.terminate()
            raise
    if child.returncode:
        raise LearnError(last or f"{module}: its process ended with {child.returncode}")
