"""A prompt for approval ends on Ctrl-C; what is typed after it approves nothing."""

from __future__ import annotations

import io
import os
import signal
import sys

import pytest
import typer

from roboinstruct_ros.commands import task
from roboinstruct_ros.commands.ending import ExitCode, end
from roboinstruct_ros.commands.joining import on_signals
from roboinstruct_ros.domain.end_signals import end_signals
from roboinstruct_ros.nodes.task_client import Interrupted


@pytest.mark.usefixtures("hangup_ends")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_prompt(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def confirm(*_: object, **__: object) -> bool:
        os.kill(os.getpid(), number)
        return True  # typed after it

    monkeypatch.setattr(typer, "confirm", confirm)
    before = {one: signal.getsignal(one) for one in end_signals()}
    try:
        interrupt = on_signals()
        with pytest.raises(Interrupted):
            task._ask_approval("Run this")
        os.kill(os.getpid(), number)
        assert interrupt.wait(1.0)
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


@pytest.mark.parametrize("typed", [KeyboardInterrupt, EOFError])
def test_a_prompt_of_a_command_without_a_task_ends_as_one_at_ctrl_c(
    monkeypatch: pytest.MonkeyPatch, typed: type[BaseException]
) -> None:
    class Keyboard(io.StringIO):
        def readline(self, *_: object) -> str:
            raise typed

    monkeypatch.setattr(sys, "stdin", Keyboard())
    with pytest.raises(typer.Exit) as ended:
        end(lambda: typer.prompt("Which number?"))
    assert ended.value.exit_code == ExitCode.INTERRUPTED
    with pytest.raises(task.Declined):
        task._ask_approval("Run this")
