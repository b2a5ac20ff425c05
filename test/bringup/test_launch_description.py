"""The launch file starts what `describe` says, and offers what `up` does.

The real `launch` and `launch_ros` read it where they are installed; elsewhere stand-ins that take
the same calls. The id of the test says which of the two it was.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from roboinstruct_ros import cli
from roboinstruct_ros.bringup.node_set import Options, describe
from roboinstruct_ros.commands.stack_arguments import STACK
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.option import options_of, with_values

LAUNCH = Path(__file__).resolve().parents[2] / "launch" / "bringup.launch.py"
HAS_LAUNCH = importlib.util.find_spec("launch_ros") is not None


class Action(SimpleNamespace):
    """What an action of `launch` was made of."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(given=given, **named)


class Node(Action):
    """That of `launch_ros`."""


class Configuration(Action):
    """A `LaunchConfiguration`; the context is a dictionary here."""

    def perform(self, context: dict[str, str]) -> str:
        return context[self.given[0]]


def launch_file(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The launch file as a module."""
    if not HAS_LAUNCH:
        stand_in: Any = ModuleType("launch")
        stand_in.__getattr__ = lambda name: Action
        stand_in.LaunchConfiguration, stand_in.Node = Configuration, Node
        parts = ("", ".actions", ".event_handlers", ".events.process", ".substitutions")
        for name in (*(f"launch{part}" for part in parts), "launch_ros.actions"):
            monkeypatch.setitem(sys.modules, name, stand_in)
    spec = importlib.util.spec_from_file_location("bringup_launch", LAUNCH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def started(module: ModuleType, given: dict[str, str]) -> list[tuple[str, str]]:
    """Executable and name of each node that it would start."""
    if HAS_LAUNCH:
        from launch import LaunchContext
        from launch_ros.actions import Node as RealNode

        context = LaunchContext(argv=[])
        context.launch_configurations.update(given)
        for argument in module.generate_launch_description().get_launch_arguments():
            argument.execute(context)
        nodes = [one for one in module._nodes(context) if isinstance(one, RealNode)]
        return [(one.node_executable, one._Node__node_name) for one in nodes]
    (description,) = module.generate_launch_description().given
    context = {
        one.given[0]: one.default_value for one in description if hasattr(one, "default_value")
    }
    nodes = [one for one in module._nodes({**context, **given}) if isinstance(one, Node)]
    return [(one.executable, one.name) for one in nodes]


@pytest.mark.parametrize("reader", ["the real launch" if HAS_LAUNCH else "stand-ins of launch"])
@pytest.mark.parametrize(
    "given",
    [
        {"headless": "true"},
        {"sim": "false", "nav2": "false", "speech": "true", "record": "false", "headless": "true"},
    ],
)
def test_the_launch_file_starts_the_described_nodes(
    reader: str, given: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = {one.name: one for one in options_of(Options())}
    options = with_values(Options(), {name: chosen[name].of_text(t) for name, t in given.items()})
    wanted = [(spec.executable, spec.name) for spec in describe(options)]
    assert started(launch_file(monkeypatch), given) == wanted


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("port", "eighty", "port: 'eighty' is no number, e.g. 8080"),
        ("port", "0", "port: 0 is out of range; 1 to 65535 is allowed"),
        ("speed_factor", "-1", "speed_factor: -1 is out of range; 0 (as fast as possible) to 1000"),
    ],
)
def test_a_bad_argument_of_the_launch_file_is_one_line(
    name: str, text: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a text that is none of the choices is refused by launch itself
    with pytest.raises(ConfigError) as refused:
        started(launch_file(monkeypatch), {"headless": "true", name: text})
    assert str(refused.value).startswith(line)


def test_true_and_false_may_be_written_as_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """`use_sim_time:=True`, as Nav2's pages have it."""
    module = launch_file(monkeypatch)
    (record,) = [module._argument(one) for one in module.ARGUMENTS if one.name == "record"]
    assert {"true", "false", "True", "False"} == set(record.choices)
    for yes, no in (("true", "false"), ("True", "False")):
        nodes = {name for _, name in started(module, {"headless": yes, "record": no})}
        assert nodes == {"sim_robot", "executor", "generator"}


def test_the_launch_file_and_up_offer_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each choice of the description, with the same default."""
    command = cli.command("up")
    offered = {one.name for one in command.params} - {"once", "yes", "as_json", "help"}
    launched = {one.name for one in launch_file(monkeypatch).ARGUMENTS}
    assert offered == launched == {one.name for one in options_of(Options())}
    # a person at a terminal is shown less than a log
    assert Options(log_level="warn") == STACK
