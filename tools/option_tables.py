"""Writes docs/options.md and config/robot.yaml from the options as declared: `make docs`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from roboinstruct_ros import cli, names
from roboinstruct_ros.bringup.node_set import Options
from roboinstruct_ros.bringup.robot_parameters import robot_servers
from roboinstruct_ros.commands.arguments import like
from roboinstruct_ros.domain.option import Option, options_of, plain
from roboinstruct_ros.nodes.executor.parameters import ExecutorParameters
from roboinstruct_ros.nodes.generator.parameters import GeneratorParameters
from roboinstruct_ros.nodes.kiosk.parameters import KioskParameters
from roboinstruct_ros.nodes.recorder_options import RecorderOptions
from roboinstruct_ros.skill_servers.declared.parameters import DeclaredParameters
from roboinstruct_ros.skill_servers.sim.parameters import SimParameters

ROOT = Path(__file__).resolve().parents[1]
PAGE, ROBOT_FILE = ROOT / "docs" / "options.md", ROOT / "config" / "robot.yaml"
ROBOT = robot_servers()
NODES: dict[str, tuple[Any, str]] = {
    names.GENERATOR_NODE: (GeneratorParameters(), "generation.md"),
    names.EXECUTOR_NODE: (ExecutorParameters(), "execution.md"),
    names.KIOSK_NODE: (KioskParameters(), "kiosk.md"),
    names.RECORDER_NODE: (RecorderOptions(), "traces.md"),
    names.SIM_ROBOT_NODE: (SimParameters(), "simulation.md"),
    "declared_robot": (DeclaredParameters(), "other_robots.md"),
    names.NAV2_SKILLS_NODE: (ROBOT[names.NAV2_SKILLS_NODE], "robot_bringup.md"),
    names.MOTION_STOP_NODE: (ROBOT[names.MOTION_STOP_NODE], "robot_bringup.md"),
    names.PERCEPTION_NODE: (ROBOT[names.PERCEPTION_NODE], "perception.md"),
    names.MOVEIT_SKILLS_NODE: (ROBOT[names.MOVEIT_SKILLS_NODE], "manipulation.md"),
    names.SPEECH_NODE: (ROBOT[names.SPEECH_NODE], "speech.md"),
}
"""What can be chosen of each node, and the page about it."""


HEAD = """# Options

`make docs` writes this page from the declarations in the code. Parameters, arguments, options and
their checks come from the same declarations. A bad value is refused with one line that states the
fault and the allowed values.

## The stack

Arguments (`name:=value`) of `bringup.launch.py`, and the matching options of `roboinstruct`. Each
value is passed to the nodes that have a parameter of that name. For `up` the default of
`--log-level` is `warn`.

"""


ROBOT_HEAD = """\
# Defaults of the skill servers of a real robot; `make docs` writes this file.
# Copy it, keep the lines that you change, and pass it as robot_params:=FILE or --robot-params FILE.
"""


def page(stack: Any, nodes: dict[str, tuple[Any, str]]) -> str:
    """The whole page.

    Args:
        stack: what can be chosen when the stack is brought up.
        nodes: by name, what can be chosen of it and the page that explains it.
    """
    others = _of_commands()
    parts = [HEAD, _table("argument", "option", "command", "default", "allowed", "meaning")]
    for one in options_of(stack):
        flags = _code(_flags(one))
        of, _ = others.pop((flags, like(stack, one.name).help), (["up"], ""))
        cells = (f"`{one.name}`", flags, _code(of), _default(one), one.allowed, _told(one.told))
        parts.append(_row(cells))
    parts += ["\n## Other options\n\n", _table("option", "command", "default", "meaning")]
    for (flags, told), (of, default) in others.items():
        parts.append(_row((flags, _code(of), default, _told(told))))
    for name, (parameters, about) in nodes.items():
        parts.append(f"\n## {name}\n\nParameters of [the node]({about}).\n\n")
        parts.append(_table("parameter", "default", "allowed", "read", "meaning"))
        for one in (one for one in options_of(parameters) if one.parameter):
            when = "any time" if one.live else "configure" if one.on_configure else "start"
            parts.append(_row((f"`{one.name}`", _default(one), one.allowed, when, _told(one.told))))
    return "".join(parts)


def robot_yaml(nodes: dict[str, tuple[Any, str]]) -> str:
    """The parameters of the robot's servers with their defaults, less `map`, set by the stack."""
    lines = [ROBOT_HEAD]
    for name in ROBOT:
        lines.append(f"\n{name}:\n  ros__parameters:\n")
        options = (one for one in options_of(nodes[name][0]) if one.name != "map")
        lines += [
            f"    {one.name}: {json.dumps(plain(one.default))}  # {one.line}\n" for one in options
        ]
    return "".join(lines)


def _table(*columns: str) -> str:
    return _row(columns) + _row(["---"] * len(columns))


def _row(cells: Iterable[str]) -> str:
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells) + "\n"


def _code(texts: Iterable[str]) -> str:
    return ", ".join(f"`{text}`" for text in texts)


def _told(text: str) -> str:
    return text.rstrip(".").replace("|", "\\|")


def _flags(one: Option) -> list[str]:
    word = one.name.replace("_", "-")
    pair = [f"--{word}", f"--no-{word}"] if isinstance(one.default, bool) else [f"--{word}"]
    return [one.flag] if one.flag else pair


def _default(one: Option) -> str:
    value = plain(one.default)
    if isinstance(value, bool):
        return str(value).lower()
    text = ", ".join(value) if isinstance(value, list) else str(value)
    return f"`{text.replace(str(Path.home()), '~')}`" if text else ""


def _of_commands() -> dict[tuple[str, str], tuple[list[str], str]]:
    """The commands that have an option and its default, by its flags and what is told of it."""
    found: dict[tuple[str, str], tuple[list[str], str]] = {}
    for path, command in _commands({name: cli.command(name) for name in cli.COMMANDS}):
        for option in command.params:
            if option.param_type_name == "option":
                flags = _code([*option.opts, *option.secondary_opts])
                default = plain(option.default)
                shown = isinstance(default, str | int | float) and str(default) not in ("", "False")
                told = (flags, option.help or "")
                found.setdefault(told, ([], f"`{default}`" if shown else ""))[0].append(path)
    return found


def _commands(given: dict[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, one in given.items():
        here = f"{path} {name}".strip()
        subcommands = getattr(one, "commands", {})
        if not subcommands or one.invoke_without_command:
            yield here, one
        yield from _commands(subcommands, here)


if __name__ == "__main__":
    PAGE.write_text(page(Options(), NODES))
    ROBOT_FILE.write_text(robot_yaml(NODES))
