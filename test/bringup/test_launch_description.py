"""The launch file starts what `describe` says.

Where `launch` and `launch_ros` are installed, they read the file and the Node actions are compared;
elsewhere its syntax tree is looked at. The id of the test says which of the two was done.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
from collections.abc import Callable
from pathlib import Path

import pytest

from roboinstruct_ros import cli
from roboinstruct_ros.bringup.node_set import Options, describe
from roboinstruct_ros.generate.models.model_options import MODEL_OPTIONS

LAUNCH = Path(__file__).resolve().parents[2] / "launch" / "bringup.launch.py"


def run_by_launch(given: dict[str, str]) -> list[str]:
    """Names of the nodes that the real `launch` would start."""
    from launch import LaunchContext
    from launch.actions import DeclareLaunchArgument, OpaqueFunction
    from launch_ros.actions import Node

    spec = importlib.util.spec_from_file_location("bringup_launch", LAUNCH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    context = LaunchContext(argv=[])
    context.launch_configurations.update(given)
    started = []
    for entity in module.generate_launch_description().entities:
        if isinstance(entity, DeclareLaunchArgument | OpaqueFunction):
            started += entity.execute(context) or []
    nodes = [action for action in started if isinstance(action, Node)]
    assert all(n.node_executable == f"roboinstruct_{n._Node__node_name}" for n in nodes)
    return [action._Node__node_name for action in nodes]


def read_as_text(given: dict[str, str]) -> list[str]:
    """The same, as far as the syntax tree shows it."""
    tree = ast.parse(LAUNCH.read_text())
    assert arguments() == set(Options.__dataclass_fields__)
    calls = {ast.unparse(c.func): c for c in ast.walk(tree) if isinstance(c, ast.Call)}
    assert {"describe", "check_options", "notice"} <= calls.keys()
    node = {one.arg: ast.unparse(one.value) for one in calls["Node"].keywords}
    assert (node["executable"], node["name"]) == ("spec.executable", "spec.name")
    return [spec.name for spec in describe(options_of(given))]


def arguments() -> set[str]:
    """The table of arguments, as it is written in the file: names, and the options of a model."""
    (table,) = [
        node.value
        for node in ast.parse(LAUNCH.read_text()).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "TOLD"
    ]
    assert isinstance(table, ast.Dict)
    (of_a_model,) = [
        ast.unparse(one) for key, one in zip(table.keys, table.values, strict=True) if not key
    ]
    assert of_a_model == "{one.name: one.metadata['told'] for one in MODEL_OPTIONS}"
    written = {ast.literal_eval(key) for key in table.keys if key}
    return written | {one.name for one in MODEL_OPTIONS}


def options_of(given: dict[str, str]) -> Options:
    value = {"true": True, "false": False}
    return Options(**{key: value.get(text, text) for key, text in given.items()})  # type: ignore[arg-type]


HAS_LAUNCH = importlib.util.find_spec("launch_ros") is not None
READER = (
    pytest.param(run_by_launch, id="by the real launch")
    if HAS_LAUNCH
    else pytest.param(read_as_text, id="syntax tree; launch is not installed")
)


@pytest.mark.parametrize("reader", [READER])
@pytest.mark.parametrize(
    "given",
    [
        {"headless": "true"},
        {"sim": "false", "nav2": "false", "speech": "true", "record": "false", "headless": "true"},
    ],
)
def test_the_launch_file_starts_the_described_nodes(
    reader: Callable[[dict[str, str]], list[str]], given: dict[str, str]
) -> None:
    assert reader(given) == [spec.name for spec in describe(options_of(given))]


def test_the_launch_file_and_up_offer_the_same() -> None:
    """Each choice of the description, under its own name but for two, with the same default."""
    offered = {name: one.default for name, one in inspect.signature(cli.up).parameters.items()}
    offered["speed_factor"] = offered.pop("speed")
    offered["approve_each_round"] = not offered.pop("approve_once")
    for name in ("once", "yes", "as_json"):  # of the one task that `up` may do itself
        offered.pop(name)
    wanted = {name: one.default for name, one in Options.__dataclass_fields__.items()}
    assert arguments() == set(offered) == set(wanted)
    # a person at a terminal is shown less than a log
    assert {**offered, "log_level": wanted["log_level"]} == wanted
