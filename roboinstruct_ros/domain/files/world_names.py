"""Finds the YAML files of worlds and domains by name."""

from __future__ import annotations

from pathlib import Path

from roboinstruct_ros.domain.configuration import ConfigError, nearest_name
from roboinstruct_ros.domain.files.shared_files import shared_file

WORLDS_FOLDER = "config/worlds"
DOMAINS_FOLDER = "config/domains"
SERVICE_ROBOT = "service_robot"
"""Name of the domain in `config/skills.yaml`."""


def find_world(name: str) -> Path:
    """The file of a world: a path to a YAML file, or the name of a shipped world.

    Raises:
        ConfigError: there is no such world; names the shipped worlds.
    """
    return _find(name, "world", WORLDS_FOLDER, shipped_worlds())


def find_domain(name: str) -> Path:
    """The file of a domain: a path to a YAML file, or the name of a shipped domain.

    Raises:
        ConfigError: there is no such domain; names the shipped domains.
    """
    if name == SERVICE_ROBOT:
        return shared_file("config/skills.yaml")
    return _find(name, "domain", DOMAINS_FOLDER, (SERVICE_ROBOT, *_stems(DOMAINS_FOLDER)))


def shipped_worlds() -> tuple[str, ...]:
    """The names of the worlds that come with the stack."""
    return _stems(WORLDS_FOLDER)


def _find(name: str, what: str, folder: str, known: tuple[str, ...]) -> Path:
    if name.endswith((".yaml", ".yml")) or "/" in name:
        return Path(name).expanduser()
    if name not in known:
        shipped = f"no {what} of that name; shipped are {', '.join(known)}, or give a YAML file"
        raise ConfigError(name, 0, "", shipped, nearest_name(name, known))
    return shared_file(f"{folder}/{name}.yaml")


def _stems(folder: str) -> tuple[str, ...]:
    try:
        files = shared_file(folder).glob("*.yaml")
    except FileNotFoundError:
        return ()
    return tuple(sorted(path.stem for path in files))
