"""The command line, called in this process; `as_process` starts it as a person does."""

from __future__ import annotations

import os
import subprocess
import sys
from unittest import mock

from typer.testing import CliRunner

from roboinstruct_ros.cli import app

Ended = subprocess.CompletedProcess[str]


def cli(*arguments: str, text: str = "") -> Ended:
    """What is raised but not caught is a traceback to a person, and the end of the test."""
    with mock.patch.dict(os.environ):
        told = CliRunner().invoke(app, arguments, input=text)
    if told.exc_info and not isinstance(told.exception, SystemExit | None):
        raise told.exception
    return Ended(arguments, told.exit_code, told.stdout, told.stderr)


def as_process(*arguments: str, text: str = "", limit: float = 60) -> Ended:
    command = [sys.executable, "-m", "roboinstruct_ros.cli", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=limit)


def one_line(ended: Ended) -> str:
    """The only line of a refusal."""
    assert ended.returncode == 2, ended
    lines = ended.stderr.strip().splitlines()
    assert len(lines) == 1, ended.stderr
    return lines[0]
