"""An evaluation with all its inputs read and hashed."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, fields, is_dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from roboinstruct_ros.evaluate.runs.asked import Asked
from roboinstruct_ros.evaluate.runs.evaluator import Work
from roboinstruct_ros.evaluate.runs.folder import (
    NO_PROGRAM,
    Folder,
    FolderError,
    Manifest,
    read_manifest,
)
from roboinstruct_ros.evaluate.runs.given_programs import (
    Given,
    ProgramsError,
    items_given,
    open_programs,
)
from roboinstruct_ros.evaluate.runs.items import Item, items_of
from roboinstruct_ros.evaluate.runs.record import Key
from roboinstruct_ros.evaluate.suite.case import Suite
from roboinstruct_ros.evaluate.suite.open_suite import UnknownSuite, open_suite
from roboinstruct_ros.generate.backends.open_backend import chosen_model
from roboinstruct_ros.generate.backends.server_address import is_address
from roboinstruct_ros.generate.models.model_store import known_sha256

_SOFTWARE = ("roboinstruct", "llama-cpp-python", "transformers")


@dataclass(frozen=True)
class Prepared:
    """What is to be done.

    Attributes:
        given: existing programs, by item.
    """

    asked: Asked
    manifest: Manifest
    items: Sequence[Item]
    given: Mapping[Key, Given] = field(default_factory=dict)

    def left(self, folder: Folder) -> list[Work]:
        """What the folder lacks, grouped by place: a verifier is started for each place."""
        by_place: dict[str, list[Work]] = {}
        for item in self.items:
            if item.key not in folder.done:
                work = Work(self.asked, item, self.given.get(item.key))
                by_place.setdefault(repr(item.case.place), []).append(work)
        return [work for some in by_place.values() for work in some]


def prepare(asked: Asked) -> Prepared:
    """Read suite and programs.

    Raises:
        ConfigError: an option is out of its bounds.
        UnknownSuite: the suite cannot be read, or nothing in it matches.
        ProgramsError: the programs cannot be used.
        BackendError, GgufError: the model is unknown, or not on this machine.
    """
    asked.check()
    suite = open_suite(asked.suite)
    items = items_of(suite, asked.samples, asked.tasks, asked.most)
    if not items:
        raise UnknownSuite(f"--tasks {asked.tasks}: fits no task of {asked.suite}")
    given: Mapping[Key, Given] = {}
    left_out = dict(suite.left_out)
    if asked.programs:
        given = open_programs(asked.programs)
        chosen = {(item.key.task, item.key.phrasing) for item in items}
        of_suite = items_given(items_of(suite), given, asked.programs)
        items = [one for one in of_suite if (one.key.task, one.key.phrasing) in chosen]
        if not items:
            raise ProgramsError(f"{asked.programs}: has no program for what is asked of the suite")
        samples = {one.key.sample for one in items}
        if missing := len(chosen) * len(samples) - len(items):
            left_out[NO_PROGRAM] = missing
    manifest = Manifest(
        asked=asked.values,
        sha256=_digests(asked, suite, given),
        items=len(items),
        left_out=left_out,
        lineage=tuple(step.as_dict() for step in suite.lineage.steps),
        versions=versions(),
    )
    return Prepared(asked, manifest, items, given)


def resumed(path: Path, asked: Asked, chosen: Set[str]) -> Prepared:
    """The evaluation that was begun in a folder.

    Args:
        asked: the parameters given now.
        chosen: names of the parameters that a person has given; the others stay as they were.

    Raises:
        FolderError: it was begun with other parameters.
        ConfigError, UnknownSuite, ProgramsError: as for `prepare`.
    """
    manifest = read_manifest(path)
    now = asked.values
    for name in sorted(chosen & now.keys()):
        if now[name] != manifest.asked.get(name):
            was = manifest.asked.get(name)
            raise FolderError(
                f"{path}: was begun with {name} {_shown(was)}, not {_shown(now[name])}; leave that "
                "out to go on, or evaluate into another folder"
            )
    try:
        prepared = prepare(Asked.of_values(manifest.asked))
    except (KeyError, TypeError) as error:
        raise FolderError(f"{path}: was begun by another version: {error}") from None
    for what, digest in prepared.manifest.sha256.items():
        if digest != manifest.sha256.get(what):
            raise FolderError(
                f"{path}: the {what} {manifest.asked[what]} is not what it was when this was "
                "begun; evaluate into another folder"
            )
    return prepared


def _shown(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else json.dumps(value)


def _digests(asked: Asked, suite: Suite, given: Mapping[Key, Given]) -> dict[str, str]:
    """Hashes of all inputs, by kind."""
    found = {"suite": _sha256_of(suite.cases)}
    if asked.programs:
        texts = [(key.model_dump_json(), one.model_dump_json()) for key, one in given.items()]
        found["programs"] = _sha256_of(texts)
        return found
    models = {"model": asked.model, "larger_model": asked.loading.larger_model}
    for what, model in models.items():
        if not is_address(model) and (model or what == "model"):
            chosen = chosen_model(model, asked.loading.lora if what == "model" else "")
            adapters = [(known_sha256(one.path), one.scale) for one in chosen.adapters]
            found[what] = _sha256_of([_sha256_of_weights(chosen.path), adapters])
    return found


def _sha256_of_weights(path: Path) -> str:
    """Hash of a GGUF, or of all weights, configurations and tokenizer files of a folder."""
    if path.is_dir():
        files = (one for one in sorted(path.rglob("*")) if one.is_file())
        return _sha256_of([(one.name, known_sha256(one)) for one in files])
    return known_sha256(path)


def _sha256_of(value: object) -> str:
    return hashlib.sha256(json.dumps(_plain(value)).encode()).hexdigest()


def _plain(value: Any) -> Any:
    """A form that is the same for equal values in every process."""
    if is_dataclass(value):
        return [_plain(getattr(value, one.name)) for one in fields(value)]
    if isinstance(value, BaseModel):
        return _plain(value.model_dump())
    if isinstance(value, Mapping):
        return [[_plain(key), _plain(value[key])] for key in value]
    if isinstance(value, Set):
        return sorted(map(_plain, value))
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value


def versions() -> dict[str, str]:
    """Versions of the software that influences records."""
    found = {"python": platform.python_version()}
    for name in _SOFTWARE:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
