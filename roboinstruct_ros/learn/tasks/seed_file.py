"""The seed file: topics of tasks, and the example tasks from which others are made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from roboinstruct_ros.domain.configuration import FieldFault, Strict, load_yaml
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.learn.pipeline.work import LearnError

SEEDS_FOLDER = "config/learn/seeds"


def _expression(cues: str) -> str:
    try:
        re.compile(cues)
    except re.error as error:
        raise FieldFault((), f"is no regular expression: {error}") from None
    return cues


class Topic(Strict):
    """A topic of tasks.

    Attributes:
        about: continues "a task that".
        cues: a regular expression, ignoring case; a text that it matches is about the topic.
    """

    about: str = Field(min_length=1)
    cues: Annotated[str, AfterValidator(_expression)]


class Seed(Strict):
    """A hand-written task."""

    text: str = Field(min_length=1)
    topics: tuple[str, ...] = Field(min_length=1)


class SeedFile(Strict):
    """See the head of `config/learn/seeds/service_robot.yaml`."""

    topics: Mapping[str, Topic] = Field(min_length=1)
    seeds: tuple[Seed, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _topics_are_known(self) -> SeedFile:
        for index, seed in enumerate(self.seeds):
            for topic in seed.topics:
                if topic not in self.topics:
                    place = ("seeds", index, "topics")
                    known = tuple(self.topics)
                    raise FieldFault(place, f"there is no topic '{topic}'", topic, known)
        return self

    @cached_property
    def _cues(self) -> Mapping[str, re.Pattern[str]]:
        return {name: re.compile(one.cues, re.IGNORECASE) for name, one in self.topics.items()}

    def topics_of(self, text: str) -> tuple[str, ...]:
        """The topics of a task, by its words."""
        return tuple(name for name, cues in self._cues.items() if cues.search(text))

    def counts(self, texts: Iterable[str]) -> dict[str, int]:
        """The number of texts about each topic."""
        found = dict.fromkeys(self.topics, 0)
        for text in texts:
            for topic in self.topics_of(text):
                found[topic] += 1
        return found


def read_seeds(path: str, domain: str) -> SeedFile:
    """Read the file at `path`; "" is the shipped file for a domain.

    Args:
        domain: its `name`.

    Raises:
        ConfigError: the file cannot be read, or is invalid.
        LearnError: no file ships for the domain.
    """
    if path:
        return load_yaml(Path(path).expanduser(), SeedFile)
    try:
        return load_yaml(shared_file(f"{SEEDS_FOLDER}/{domain}.yaml"), SeedFile)
    except FileNotFoundError:
        raise LearnError(
            f"no seed tasks ship for the domain '{domain}'; write some as in "
            f"{SEEDS_FOLDER}/service_robot.yaml and name the file at tasks: {{seeds: FILE}}"
        ) from None
