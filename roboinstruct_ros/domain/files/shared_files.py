"""Locates the files that ship with the stack: configuration, worlds, models, launch files."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

PACKAGE = "roboinstruct"


def shared_file(relative: str) -> Path:
    """The path of a shipped file or folder, e.g. `config/worlds/home.yaml`.

    Searches a source checkout first, then a pip install, then the ament index of a colcon workspace
    (through its environment variable, so that rclpy is not needed to read a YAML file).

    Raises:
        FileNotFoundError: no place has it; the message names the places.
    """
    places = list(dict.fromkeys(_roots()))
    for root in places:
        if (root / relative).exists():
            return root / relative
    looked = ", ".join(str(root) for root in places)
    raise FileNotFoundError(f"no shipped file '{relative}'; looked in {looked}")


def _roots() -> Iterator[Path]:
    checkout = Path(__file__).resolve().parents[3]
    # site-packages has a parent folder too, but only a checkout contains the manifest.
    if (checkout / "package.xml").exists() or (checkout / "roboinstruct_msgs").is_dir():
        yield checkout
    prefixes = [sysconfig.get_path("data"), sys.prefix, site.getuserbase()]
    prefixes += os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
    for prefix in filter(None, prefixes):
        yield Path(prefix) / "share" / PACKAGE
