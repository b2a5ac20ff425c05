"""What the doctor says of the shipped servers for eyes and arm, with and without their packages."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import pytest
import rclpy
from command_line import cli, one_line
from rclpy.context import Context

from roboinstruct_ros.commands.doctor import parts
from roboinstruct_ros.commands.doctor.doctor import check_gpu, heard_nodes
from roboinstruct_ros.commands.doctor.parts import absent_names, how_to_start
from roboinstruct_ros.commands.finding import examined
from roboinstruct_ros.nodes.stop_link import StopLink
from roboinstruct_ros.skill_servers.moveit.moveit_arm import USED


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages that stand for a robot's, found before all others."""
    for name in ("vision_msgs", "tf2_ros", "control_msgs", "moveit_configs_utils"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    for name in [name for name in sys.modules if name.partition(".")[0] == "moveit"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_what_is_missing_is_named_with_how_to_install_it(packages: Path) -> None:
    assert how_to_start("moveit").startswith("sudo apt install ros-jazzy-moveit-py; then moveit:=")
    assert how_to_start("perception").startswith("perception:=true")
    assert how_to_start("speech").startswith("speech:=true")


def test_a_file_that_cannot_be_read_is_named_with_its_line(
    packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = packages / "object_names.yaml"
    file.write_text("objects: [")
    monkeypatch.setattr(parts, "shared_file", lambda name: file)
    assert how_to_start("perception").startswith(f"mend {file}:1")


def test_bindings_of_another_release_are_told_by_the_first_name_they_lack(
    packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, kinds in USED.items():
        file = packages / Path(*module.split(".")).with_suffix(".py")
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = [
            f"class {kind}:\n    {' = '.join(names.split())} = None\n"
            for kind, names in kinds.items()
        ]
        file.write_text("\n".join(lines))
    for folder in (packages / "moveit", packages / "moveit" / "core"):
        (folder / "__init__.py").touch()
    assert absent_names(USED) == []
    assert how_to_start("moveit").startswith("moveit:=true")
    import moveit.planning as planning

    monkeypatch.delattr(planning.MoveItPy, "get_trajectory_execution_manager")
    assert absent_names(USED) == ["MoveItPy.get_trajectory_execution_manager"]
    assert how_to_start("moveit").startswith("use MoveIt 2 of Jazzy or newer (2.12); then moveit:=")


@pytest.mark.parametrize(
    ("card", "offload", "model", "found", "mend"),
    [
        (None, False, "", "none; the shipped model needs none", ""),
        ("10240, 9216", False, "", "9.7 GB free of 10.7 GB, but llama.cpp is CPU only", "CUDA=on"),
        ("10240, 9216", True, "", "9.7 GB free of 10.7 GB", "models get roboinstruct-qwen"),
        ("10240, 9216", True, "mine.gguf", "9.7 GB free of 10.7 GB", ""),
        ("10240, 1024", True, "", "1.1 GB free of 10.7 GB", ""),
    ],
)
def test_a_gpu_is_found_and_what_would_use_it_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    card: str | None,
    offload: bool,
    model: str,
    found: str,
    mend: str,
) -> None:
    import llama_cpp

    if card:
        (tmp_path / "nvidia-smi").write_text(f"#!/bin/sh\necho '{card}'\n")
        (tmp_path / "nvidia-smi").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.delenv("ROBOINSTRUCT_MODEL")
    monkeypatch.setattr(llama_cpp, "llama_supports_gpu_offload", lambda: offload)
    row = check_gpu(model)
    assert row.good and row.found == found
    assert mend in row.mend if mend else row.mend == ""
    monkeypatch.setenv("ROBOINSTRUCT_MODEL", "mine")  # somebody has chosen already
    assert "roboinstruct-qwen" not in check_gpu(model).mend


def test_a_row_that_fails_has_the_name_of_what_was_looked_at() -> None:
    def model(name: str) -> None:
        raise OSError(name)

    (row,) = examined([partial(model, "gone")])  # type: ignore[list-item]
    assert (row.what, row.found, row.good) == ("model", "OSError: gone", False)


def test_a_port_or_namespace_that_nothing_can_have_is_refused() -> None:
    assert "70000" in one_line(cli("doctor", "--port", "70000"))
    assert "'9x' is no ROS namespace" in one_line(cli("doctor", "--namespace", "9x"))


@pytest.mark.stack
def test_nodes_are_heard_in_their_namespace(ros_domain: int) -> None:
    context = Context()
    rclpy.init(context=context, domain_id=ros_domain)
    node = rclpy.create_node("executor", context=context, namespace="robot1")
    link = StopLink(node)
    assert heard_nodes("robot1").found == "executor"
    assert heard_nodes("").found.startswith("none")
    link.close()
    node.destroy_node()
    rclpy.shutdown(context=context)
