"""Builds the real Nav2 Python parts into a folder, for a machine without a ROS installation.

Run with the Python of `.venv`, from checkouts of their sources:

    git clone -b jazzy https://github.com/ros-navigation/navigation2
    git clone -b ros2 https://github.com/ros-geographic-info/geographic_info
    .venv/bin/python test/robot/build_nav2.py navigation2 geographic_info build/nav2

Only the interfaces that `nav2_simple_commander` imports are generated, from the unchanged files.
On Ubuntu with ROS 2 nothing has to be built: `apt install ros-jazzy-nav2-simple-commander`.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ENVIRONMENT = Path(sys.prefix)
KINDS = ("msg", "srv", "action")
FIELD = re.compile(r"^(?:(?P<package>\w+)/)?(?P<name>[A-Z]\w*)(?:\[[^\]]*\])?\s+\w+")

CMAKE = """cmake_minimum_required(VERSION 3.14)
project({package})
find_package(ament_cmake REQUIRED)
find_package(rosidl_default_generators REQUIRED)
{find}
rosidl_generate_interfaces(${{PROJECT_NAME}} {files} DEPENDENCIES {packages})
ament_export_dependencies(rosidl_default_runtime)
ament_package()
"""


def main() -> int:
    navigation, geography, target = (Path(argument).resolve() for argument in sys.argv[1:4])
    commander = navigation / "nav2_simple_commander" / "nav2_simple_commander"
    wanted = imported(commander / "robot_navigator.py")
    build(geography / "geographic_msgs", ["GeoPose"], target)
    build(navigation / "nav2_msgs", wanted, target)
    shutil.copytree(commander, site(target) / commander.name, dirs_exist_ok=True)
    print(f"to use it:\n  export PYTHONPATH={site(target)}:$PYTHONPATH")
    print(f"  export LD_LIBRARY_PATH={target / 'lib'}:$LD_LIBRARY_PATH")
    print(f"  export AMENT_PREFIX_PATH={target}:{ENVIRONMENT}")
    return 0


def site(target: Path) -> Path:
    """Where Python packages lie below a prefix."""
    major, minor = sys.version_info[:2]
    return target / "lib" / f"python{major}.{minor}" / "site-packages"


def imported(module: Path) -> list[str]:
    """The interfaces of nav2_msgs that a module imports."""
    imports = [n for n in ast.walk(ast.parse(module.read_text())) if isinstance(n, ast.ImportFrom)]
    nav2 = [n for n in imports if (n.module or "").startswith("nav2_msgs")]
    return [alias.name for node in nav2 for alias in node.names]


def build(package: Path, wanted: Iterable[str], target: Path) -> None:
    """Generates the wanted interfaces of a package, and those that they are made of."""
    files, others = closure(package, wanted)
    find = "\n".join(f"find_package({name} REQUIRED)" for name in others)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        source.mkdir()
        shutil.copy(package / "package.xml", source)
        for kind in KINDS:
            if (package / kind).is_dir():
                shutil.copytree(package / kind, source / kind)
        text = CMAKE.format(
            package=package.name, find=find, files=" ".join(files), packages=" ".join(others)
        )
        (source / "CMakeLists.txt").write_text(text)
        compile_into(source, Path(folder) / "build", target)


def closure(package: Path, wanted: Iterable[str]) -> tuple[list[str], list[str]]:
    """The files of the wanted interfaces and their parts, and the other packages they need."""
    files: dict[str, None] = {}
    others = {"action_msgs", "builtin_interfaces"}
    waiting = list(wanted)
    while waiting:
        name = waiting.pop()
        found = next(p for k in KINDS if (p := package / k / f"{name}.{k}").exists())
        relative = str(found.relative_to(package))
        if relative in files:
            continue
        files[relative] = None
        for line in found.read_text().splitlines():
            field = FIELD.match(line.strip())
            if field and field["package"] in (None, package.name):
                waiting.append(field["name"])
            elif field and field["package"]:
                others.add(field["package"])
    return sorted(files), sorted(others)


def compile_into(source: Path, folder: Path, target: Path) -> None:
    """Configures, builds and installs one package."""
    cmake = str(ENVIRONMENT / "bin" / "cmake")
    environment = {
        **os.environ,
        "PATH": f"{ENVIRONMENT / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}",
        "AMENT_PREFIX_PATH": f"{target}{os.pathsep}{ENVIRONMENT}",
    }
    configure = [
        cmake, "-S", str(source), "-B", str(folder), "-G", "Ninja",
        f"-DCMAKE_PREFIX_PATH={target};{ENVIRONMENT}", f"-DCMAKE_INSTALL_PREFIX={target}",
        f"-DPython3_EXECUTABLE={sys.executable}", "-DBUILD_TESTING=OFF",
    ]  # fmt: skip
    for command in (configure, [cmake, "--build", str(folder), "--target", "install"]):
        subprocess.run(command, check=True, env=environment)


if __name__ == "__main__":
    sys.exit(main())
