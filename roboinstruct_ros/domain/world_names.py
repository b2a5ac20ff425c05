"""Finds the YAML file of a world by name; its `rooms` part is the semantic map."""

from __future__ import annotations

from pathlib import Path

from roboinstruct_ros.domain.configuration import ConfigError, nearest_name
from roboinstruct_ros.domain.shared_files import shared_file

WORLDS_FOLDER = "config/worlds"


def find_world(name: str) -> Path:
    """Gives the file of a world: a path to a YAML file, or the name of a shipped world.

    Raises:
        ConfigError: there is none; names the shipped worlds.
    """
    if name.endswith((".yaml", ".yml")) or "/" in name:
        return Path(name).expanduser()
    known = shipped_worlds()
    if name not in known:
        shipped = f"no world of that name; shipped are {', '.join(known)}, or give a YAML file"
        raise ConfigError(name, 0, "", shipped, nearest_name(name, known))
    return shared_file(f"{WORLDS_FOLDER}/{name}.yaml")


def shipped_worlds() -> tuple[str, ...]:
    """Gives the names of the worlds that come with the stack."""
    try:
        folder = shared_file(WORLDS_FOLDER)
    except FileNotFoundError:
        return ()
    return tuple(sorted(path.stem for path in folder.glob("*.yaml")))
