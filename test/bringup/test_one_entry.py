"""A new option is one entry: parameter, argument, option, table and check are made of it."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest
import rclpy
import typer
from rclpy.context import Context
from rclpy.parameter import Parameter
from test_launch_description import launch_file, started
from typer.testing import CliRunner

from roboinstruct_ros.bringup import node_set
from roboinstruct_ros.bringup.check_options import check_options
from roboinstruct_ros.bringup.node_set import Options, describe
from roboinstruct_ros.commands.arguments import takes
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.option import option
from roboinstruct_ros.nodes.kiosk.parameters import KioskOptions
from roboinstruct_ros.nodes.parameters import GIVEN, current, declare

TOOL = Path(__file__).resolve().parents[2] / "tools" / "option_tables.py"
OUT_OF_RANGE = "brightness: 12 is out of range; 0 (off) to 9 lx is allowed"


@dataclass(frozen=True, kw_only=True)
class BrightKiosk(KioskOptions):
    """The kiosk's, with a new one: the one entry."""

    brightness: int = option(3, "light of the page", 0, 9, "lx", lowest="off", live=True)


@dataclass(frozen=True, kw_only=True)
class BrightStack(BrightKiosk, Options):
    """The stack's, which has all of the kiosk's."""


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("option_tables", TOOL)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_is_an_argument_of_the_launch_file_and_reaches_its_node(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(node_set, "KioskOptions", BrightKiosk)
    monkeypatch.setattr(node_set, "Options", BrightStack)
    kiosk = describe(BrightStack(brightness=5))[-1]
    assert (kiosk.name, kiosk.parameters["brightness"]) == ("kiosk", 5)
    module = launch_file(monkeypatch)
    assert "brightness" in {one.name for one in module.ARGUMENTS}
    with pytest.raises(ConfigError, match=r"12 is out of range; 0 \(off\) to 9 lx"):
        started(module, {"headless": "true", "brightness": "12"})


def test_it_is_an_option_of_the_command_line() -> None:
    app, seen = typer.Typer(), []

    @app.command()
    @takes("options", BrightStack())
    def up(options: BrightStack) -> None:
        seen.append(options)

    assert CliRunner().invoke(app, ["--brightness", "5", "--no-sim"]).exit_code == 0
    assert seen == [BrightStack(brightness=5, sim=False)]
    told = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "200"}).output
    assert "Light of the page: 0 (off) to 9 lx." in told


def test_it_is_checked_before_anything_starts() -> None:
    with pytest.raises(ConfigError) as refused:
        check_options(BrightStack(headless=True, brightness=12))
    assert str(refused.value) == OUT_OF_RANGE


@pytest.mark.stack
@pytest.mark.parametrize(
    ("given", "refused"),
    [("brightness:=5", ""), ("robot_name:=R2", ""),
     ("brightnes:=5", "brightnes: no such parameter; did you mean 'brightness'?")],
)  # fmt: skip
def test_a_misspelt_parameter_is_refused(ros_domain: int, given: str, refused: str) -> None:
    context = Context()
    rclpy.init(context=context, domain_id=ros_domain)
    arguments = ["--ros-args", "-p", given]
    node = rclpy.create_node("kiosk", context=context, cli_args=arguments, **GIVEN)
    try:
        if refused:
            with pytest.raises(ConfigError, match=re.escape(refused)):
                declare(node, BrightKiosk())
            return
        assert declare(node, BrightKiosk()).brightness == (5 if "brightness" in given else 3)
        assert node.describe_parameter("brightness").description.startswith("light of the page")
    finally:
        node.destroy_node()
        rclpy.shutdown(context=context)


@pytest.mark.stack
def test_it_is_a_parameter_with_description_and_range(ros_domain: int) -> None:
    context = Context()
    rclpy.init(context=context, domain_id=ros_domain)
    node = rclpy.create_node("kiosk", context=context)
    try:
        assert declare(node, BrightKiosk()) == BrightKiosk()
        described = node.describe_parameter("brightness")
        assert described.description == "light of the page: 0 (off) to 9 lx"
        (within,) = described.integer_range
        assert (within.from_value, within.to_value) == (0, 9) and not described.read_only
        assert node.describe_parameter("port").read_only
        (taken,) = node.set_parameters([Parameter("brightness", value=5)])
        assert taken.successful and current(node, BrightKiosk()).brightness == 5
        (refused,) = node.set_parameters([Parameter("brightness", value=12)])
        assert "out of range" in refused.reason
    finally:
        node.destroy_node()
        rclpy.shutdown(context=context)


def test_it_is_in_the_tables() -> None:
    page = tool().page(BrightStack(), {"kiosk": (BrightKiosk(), "kiosk.md")})
    stack, _, kiosk = page.partition("## kiosk")
    row = "| `3` | 0 (off) to 9 lx |"
    assert f"| `brightness` | `--brightness` | `up` {row} light of the page |" in stack
    assert f"| `brightness` {row} any time | light of the page |" in kiosk


def test_the_tables_are_those_of_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    made = tool()
    assert made.PAGE.read_text() == made.page(Options(), made.NODES), "run 'make docs'"
    assert made.ROBOT_FILE.read_text() == made.robot_yaml(made.NODES), "run 'make docs'"


@pytest.mark.stack
def test_the_robots_file_says_what_holds_without_it(ros_domain: int) -> None:
    made = tool()
    for name in made.ROBOT:
        context, file = Context(), str(made.ROBOT_FILE)
        rclpy.init(
            args=["--ros-args", "--params-file", file], context=context, domain_id=ros_domain
        )
        node = rclpy.create_node(name, context=context)
        try:
            assert declare(node, made.NODES[name][0]) == made.NODES[name][0]
        finally:
            node.destroy_node()
            rclpy.shutdown(context=context)
