"""Writes docs/options.md from the options as they are declared: `make docs`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import typer

from roboinstruct_ros import cli, names
from roboinstruct_ros.bringup.node_set import Options
from roboinstruct_ros.domain.option import Option, options_of, plain
from roboinstruct_ros.nodes.executor.parameters import ExecutorParameters
from roboinstruct_ros.nodes.generator.parameters import GeneratorParameters
from roboinstruct_ros.nodes.kiosk.parameters import KioskParameters
from roboinstruct_ros.nodes.recorder_options import RecorderOptions
from roboinstruct_ros.skill_servers.moveit.parameters import MoveItParameters
from roboinstruct_ros.skill_servers.nav2.parameters import Nav2Parameters
from roboinstruct_ros.skill_servers.perception.parameters import PerceptionParameters
from roboinstruct_ros.skill_servers.sim.parameters import SimParameters
from roboinstruct_ros.skill_servers.speech.parameters import SpeechParameters

PAGE = Path(__file__).resolve().parents[1] / "docs" / "options.md"
HEAD = """# Options

Made by `make docs` from the declarations in the code; parameters, arguments, options and their
checks are made of the same. A bad value is refused in one line that says what is wrong and what
would be right.

"""
NODES: dict[str, tuple[Any, str]] = {
    names.GENERATOR_NODE: (GeneratorParameters(), "generation.md"),
    names.EXECUTOR_NODE: (ExecutorParameters(), "execution.md"),
    names.KIOSK_NODE: (KioskParameters(), "kiosk.md"),
    names.RECORDER_NODE: (RecorderOptions(), "traces.md"),
    names.SIM_ROBOT_NODE: (SimParameters(), "simulation.md"),
    names.NAV2_SKILLS_NODE: (Nav2Parameters(), "robot_bringup.md"),
    names.PERCEPTION_NODE: (PerceptionParameters(), "perception.md"),
    names.MOVEIT_SKILLS_NODE: (MoveItParameters(), "manipulation.md"),
    names.SPEECH_NODE: (SpeechParameters(), "speech.md"),
}
"""What can be chosen of each node, and the page about it."""


def page(stack: Any, nodes: dict[str, tuple[Any, str]]) -> str:
    """The whole page.

    Args:
        stack: what can be chosen when the stack is brought up.
        nodes: by name, what can be chosen of it and the page that explains it.
    """
    parts = [HEAD, "## The stack\n\n", STACK, *_stack(stack), "\n## Other options\n\n"]
    parts += [OTHERS, *_others(stack)]
    for name, (parameters, about) in nodes.items():
        parts += [
            f"\n## {name}\n\nParameters of [the node]({about}).\n\n",
            *_parameters(parameters),
        ]
    return "".join(parts)


STACK = """Of `roboinstruct up`, and arguments (`name:=value`) of `bringup.launch.py`. What a node
has a parameter for goes there. For `up` the default of `--log-level` is `warn`.

"""
OTHERS = """Of `roboinstruct` and the commands named; `--help` after any of them lists its own.

"""


def _table(*columns: str) -> str:
    return _row(columns) + _row(["---"] * len(columns))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n".replace("|  |", "| |").replace("|  |", "| |")


def _stack(stack: Any) -> Iterator[str]:
    yield _table("argument", "`up`", "default", "allowed", "meaning")
    for one in options_of(stack):
        yield _row((f"`{one.name}`", f"`{_flag(one)}`", _default(one), one.allowed, _meaning(one)))


def _parameters(parameters: Any) -> Iterator[str]:
    yield _table("parameter", "default", "allowed", "read", "meaning")
    for one in options_of(parameters):
        if one.parameter:
            when = "any time" if one.live else "configure" if one.on_configure else "start"
            cells = (f"`{one.name}`", _default(one), one.allowed, when, _meaning(one))
            yield _row(cells)


def _flag(one: Option) -> str:
    if one.flag:
        return one.flag
    word = one.name.replace("_", "-")
    return f"--no-{word}" if one.default is True else f"--{word}"


def _default(one: Option) -> str:
    value = plain(one.default)
    if isinstance(value, bool):
        return str(value).lower()
    text = ", ".join(value) if isinstance(value, list) else str(value)
    return f"`{text.replace(str(Path.home()), '~')}`" if text else ""


def _meaning(one: Option) -> str:
    return one.told.replace("|", "\\|")


def _others(stack: Any) -> Iterator[str]:
    """Each option once, with all the commands that have it."""
    yield _table("option", "of", "default", "meaning")
    known = {one.name for one in options_of(stack)}
    of: dict[tuple[str, str, str], list[str]] = {}
    for command, option in _of_commands(typer.main.get_command(cli.app)):
        if option.name in known and command == "up":
            continue
        default = option.default if isinstance(option.default, str | int | float) else ""
        shown = "" if isinstance(default, bool) else str(plain(default))
        flags = ", ".join(f"`{flag}`" for flag in (*option.opts, *option.secondary_opts))
        of.setdefault((flags, shown, option.help or ""), []).append(command)
    for (flags, shown, told), commands in of.items():
        default = f"`{shown}`" if shown else ""
        yield _row(
            (flags, f"`{'`, `'.join(commands)}`", default, told.rstrip(".").replace("|", "\\|"))
        )


def _of_commands(command: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    for name, inner in getattr(command, "commands", {}).items():
        yield from _of_commands(inner, f"{path} {name}".strip())
    for option in command.params:
        if option.param_type_name == "option" and path:
            yield path, option


if __name__ == "__main__":
    PAGE.write_text(page(Options(), NODES))
