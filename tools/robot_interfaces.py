"""Builds the interfaces that a robot's own packages bring and PyPI has not.

`robot_interfaces/<package>/` holds the fields of the messages that the skill servers exchange
with detectors, controllers and Nav2, as their packages define them. Those that only the tests need
are generated into a folder beside the environment: on a robot, the packages themselves are there.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "tools" / "robot_interfaces"
TARGET = ROOT / "build" / "robot_interfaces"
ORDER = (
    "trajectory_msgs",
    "shape_msgs",
    "object_recognition_msgs",
    "vision_msgs",
    "control_msgs",
    "nav2_msgs",
    "moveit_msgs",
)
FIELD = re.compile(r"^(\w+)/\w+")

MANIFEST = """<package format="3"><name>{name}</name><version>0.0.0</version>
<description>Fields for tests</description><maintainer email="a@b.example">a</maintainer>
<license>Apache-2.0</license><buildtool_depend>ament_cmake</buildtool_depend>
<buildtool_depend>rosidl_default_generators</buildtool_depend>
<member_of_group>rosidl_interface_packages</member_of_group></package>
"""
CMAKE = """cmake_minimum_required(VERSION 3.14)
project({name})
set(CMAKE_BUILD_TYPE Debug)
set(CMAKE_INSTALL_RPATH "{rpath}")
find_package(ament_cmake REQUIRED)
find_package(rosidl_default_generators REQUIRED)
{find}
rosidl_generate_interfaces(${{PROJECT_NAME}} {files} DEPENDENCIES {needed})
ament_export_dependencies(rosidl_default_runtime)
ament_package()
"""


def main() -> int:
    """Builds the packages that are named into the environment whose Python runs this.

    Without a name, those that only the tests need, into `build/robot_interfaces`.
    """
    environment, wanted = Path(sys.prefix), sys.argv[1:]
    if not wanted:
        shutil.rmtree(TARGET, ignore_errors=True)
    for name in wanted or ORDER:
        with tempfile.TemporaryDirectory() as folder:
            build(name, Path(folder), environment, environment if wanted else TARGET)
    return 0


def build(name: str, folder: Path, environment: Path, target: Path) -> None:
    """Generates one package from its files and installs it."""
    source = folder / name
    shutil.copytree(SOURCES / name, source)
    files = sorted(str(path.relative_to(source)) for path in source.rglob("*.*"))
    needed = sorted(packages_in(source) - {name})
    (source / "package.xml").write_text(MANIFEST.format(name=name))
    text = CMAKE.format(
        name=name,
        rpath=f"{target / 'lib'}:{environment / 'lib'}",
        find="\n".join(f"find_package({package} REQUIRED)" for package in needed),
        files=" ".join(files),
        needed=" ".join(needed),
    )
    (source / "CMakeLists.txt").write_text(text)
    path = f"{environment / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    found = f"{target}{os.pathsep}{environment}"
    variables = {**os.environ, "PATH": path, "AMENT_PREFIX_PATH": found}
    cmake = str(environment / "bin" / "cmake")
    configure = [
        cmake, "-S", str(source), "-B", str(folder / "build"), "-G", "Ninja",
        f"-DCMAKE_PREFIX_PATH={target};{environment}", f"-DCMAKE_INSTALL_PREFIX={target}",
        f"-DPython3_EXECUTABLE={sys.executable}", "-DBUILD_TESTING=OFF",
    ]  # fmt: skip
    for command in (configure, [cmake, "--build", str(folder / "build"), "--target", "install"]):
        subprocess.run(command, check=True, env=variables)


def packages_in(source: Path) -> set[str]:
    """The packages whose types a package's fields have, and those of every action."""
    lines = [line for path in source.rglob("*.*") for line in path.read_text().splitlines()]
    named = {match[1] for line in lines if (match := FIELD.match(line))}
    return named | {"action_msgs", "builtin_interfaces"}


if __name__ == "__main__":
    sys.exit(main())
