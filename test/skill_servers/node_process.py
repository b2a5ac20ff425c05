"""Nodes in processes of their own."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager


def command(module: str) -> list[str]:
    """How a node is started, up to its parameters."""
    return [sys.executable, "-m", f"roboinstruct_ros.skill_servers.{module}", "--ros-args"]


@contextmanager
def node_process(
    started_by: Sequence[str],
    parameters: Mapping[str, object],
    ends: Collection[int] = (0,),
    unsaid: Sequence[str] = ("Traceback",),
    environment: Mapping[str, str] | None = None,
) -> Iterator[subprocess.Popen[str]]:
    """A node, which must end well.

    Args:
        ends: the exit codes that are well; without 0 among them the test itself ends it.
        unsaid: words that must not be on its standard error.
    """
    given = [word for name, value in parameters.items() for word in ("-p", f"{name}:={value}")]
    process = subprocess.Popen(
        [*started_by, *given], stderr=subprocess.PIPE, text=True, env=environment
    )
    try:
        yield process
        if process.poll() is None and 0 in ends:
            process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
        assert process.returncode in ends, f"ended with {process.returncode}: {said}"
        assert not [word for word in unsaid if word in said], said
    except BaseException:
        process.kill()
        print(process.communicate()[1])
        raise


@contextmanager
def motion_stop(**parameters: str) -> Iterator[subprocess.Popen[str]]:
    """It must end well, unless the test has killed it."""
    with node_process(command("motion_stop"), parameters, (0, -9)) as process:
        yield process
