"""Everything that determines the records of a step: its options, its code and its inputs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.files.world_names import find_domain, find_world
from roboinstruct_ros.generate.models.model_store import known_sha256
from roboinstruct_ros.learn.pipeline.config import LearnConfig
from roboinstruct_ros.learn.pipeline.step import Step, step_of

_OF_WRITING = {Step.TASKS, Step.PROGRAMS, Step.ALIGNMENT}
_HOW = frozenset({"at_once", "tries", "pause", "silence", "longest", "n_threads", "n_gpu_layers"})
"""Options of a writer that influence how long it takes, but not the result."""

_NOT_MADE = "checkpoint"
"""Prefix of folder names that are only needed for resuming."""

Facts = dict[str, Any]


def asked_of(step: Step, config: LearnConfig, run: Path) -> Facts:
    """Every input of a step with its value; for files, their hashes.

    Raises:
        ConfigError: there is no such domain or world.
    """
    facts: Facts = {"seed": config.seed, "code": step_of(step).version}
    facts["domain"] = _hashed(find_domain(config.domain))
    facts["map"] = _hashed(find_world(config.map)) if config.map else None
    if step in _OF_WRITING:
        facts["writer"] = _with_hash(config.writer)
    elif step is not Step.CLEANING:
        facts["base"] = _with_hash(config.base)
        if config.base_gguf:
            facts["base_gguf"] = _with_hash(config.base_gguf)
    options, own = config.options(step), f"{step.value}."
    facts |= _flat(options.model_dump(mode="json"), own)
    # A step's own options of these names count; their defaults are not listed.
    changed = options.model_dump(mode="json", exclude={"writer", "scorer"}, exclude_defaults=True)
    facts |= _flat(changed, own, how=frozenset())
    for before in config.steps[: config.steps.index(step)] if step in config.steps else ():
        facts |= made_by(run / before.value)
    return facts


def made_by(folder: Path) -> dict[str, str]:
    """SHA-256 of each file that a step has made."""
    files = (one for one in sorted(folder.rglob("*")) if one.is_file())
    made = (one for one in files if not _is_scratch(one.relative_to(folder)))
    return {str(one.relative_to(folder.parent)): known_sha256(one) for one in made}


def differences(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """The facts that have changed, in words."""
    for name in (*was, *(name for name in now if name not in was)):
        if was.get(name) != now.get(name):
            plain = not (_is_hash(was.get(name)) or _is_hash(now.get(name)))
            told = f"{_shown(was.get(name))}, now {_shown(now.get(name))}" if plain else "changed"
            yield f"{name} {told}"


def _is_scratch(place: Path) -> bool:
    return any(part.startswith((_NOT_MADE, ".")) for part in place.parts)


def _flat(values: Mapping[str, Any], before: str, how: frozenset[str] = _HOW) -> Facts:
    flat: Facts = {}
    for name, value in values.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{before}{name}.", how)
        elif name not in how:
            flat[f"{before}{name}"] = _with_hash(value)
    return flat


def _with_hash(value: Any) -> Any:
    """The value; for the path of a file, with the hash of its content."""
    if isinstance(value, list):
        return [_with_hash(one) for one in value]
    if isinstance(value, str) and value and Path(value).expanduser().is_file():
        return f"{value} {_hashed(Path(value).expanduser())}"
    return value


def _hashed(path: Path) -> str:
    return f"sha256:{known_sha256(path)}"


def _is_hash(value: Any) -> bool:
    text = str(value)
    return "sha256:" in text or len(text) == hashlib.sha256().digest_size * 2


def _shown(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)
