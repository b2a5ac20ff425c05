"""Puts the interfaces of a robot's own packages within reach of this process and its children.

`make setup` builds them into `build/robot_interfaces` from `tools/robot_interfaces`. Where a ROS
installation has the packages, they are found first.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from pathlib import Path

BUILT = Path(__file__).resolve().parents[2] / "build" / "robot_interfaces"


def reach() -> None:
    """Changes the environment of this process, once."""
    if importlib.util.find_spec("vision_msgs"):
        return
    major, minor = sys.version_info[:2]
    site = BUILT / "lib" / f"python{major}.{minor}" / "site-packages"
    assert site.is_dir(), f"{site} is missing: run 'make test'"
    sys.path.append(str(site))
    for name, folder in (
        ("PYTHONPATH", site),
        ("LD_LIBRARY_PATH", BUILT / "lib"),
        ("AMENT_PREFIX_PATH", BUILT),
    ):
        before = os.environ.get(name, "")
        os.environ[name] = f"{before}{os.pathsep}{folder}" if before else str(folder)
    # The loader read LD_LIBRARY_PATH when this process began; what is loaded already, it finds.
    for library in sorted((BUILT / "lib").glob("lib*_msgs__rosidl_typesupport_*_c*.so")):
        ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)


reach()
