"""Decides which names mean the same object: a program's term and a detector's label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from roboinstruct_ros.domain.configuration import FieldFault, Strict, load_yaml, nearest_name
from roboinstruct_ros.domain.semantic_map import Name
from roboinstruct_ros.domain.thing_names import means_anybody, plain_words

PERSON = "person"
"""Stands for people whose own name a detector does not know."""

Score = Annotated[float, Field(ge=0.0, le=1.0)]


class NameEntry(Strict):
    """One object as YAML names it; see `config/object_names.yaml`."""

    name: Name
    also: tuple[Name, ...] = ()
    kinds: tuple[Name, ...] = ()
    least_score: Score | None = None


class ObjectNamesEntry(Strict):
    least_score: Score = 0.5
    labels: dict[str, Name] = Field(default_factory=dict)
    names: tuple[NameEntry, ...] = ()

    @model_validator(mode="after")
    def _names_are_unique(self) -> ObjectNamesEntry:
        taken: dict[str, str] = {}
        for index, entry in enumerate(self.names):
            places: list[tuple[tuple[str | int, ...], str]] = [(("name",), entry.name)]
            places += [(("also", i), name) for i, name in enumerate(entry.also)]
            for place, name in places:
                owner = taken.setdefault(_plain(name), entry.name)
                if owner != entry.name or (place[0] == "also" and _plain(name) == _plain(owner)):
                    message = f"'{name}' already means '{owner}'"
                    raise FieldFault(("names", index, *place), message)
        return self


@dataclass(frozen=True)
class ObjectNames:
    """Compares names; a name that is not in the file matches only itself.

    Attributes:
        entry: contents of the file.
        people: names of people that detectors may know; each is a person.
    """

    entry: ObjectNamesEntry = field(default_factory=ObjectNamesEntry)
    people: tuple[str, ...] = ()

    def canonical(self, name: str) -> str:
        """The name under which an object is stored, e.g. `cup` for `Mugs`."""
        if means_anybody(name) and name.strip():
            return PERSON
        return self._canonical.get(_plain(name), _plain(name))

    def of_label(self, class_id: str) -> str:
        """The canonical name for a detector's label `class_id`."""
        return self.canonical(self.entry.labels.get(class_id.strip(), class_id))

    def is_a(self, seen: str, asked: str) -> bool:
        """Whether an object seen as `seen` counts as `asked`; both in any spelling."""
        kinds = [self.canonical(asked)]
        for name in kinds:  # kinds of kinds: the list grows meanwhile
            kinds += [kind for kind in self._kinds.get(name, ()) if kind not in kinds]
        return self.canonical(seen) in kinds

    def least_score(self, name: str) -> float:
        """The least confidence (0..1) at which a detection of that name counts."""
        return self._scores.get(self.canonical(name), self.entry.least_score)

    def known_to(self, vocabulary: Iterable[str], asked: str) -> bool:
        """Whether a detector with these class names can see the object asked for."""
        return any(self.is_a(self.of_label(label), asked) for label in vocabulary)

    def nearest(self, asked: str, known: Iterable[str]) -> str | None:
        """The known name most likely meant, or None."""
        return nearest_name(self.canonical(asked), sorted(set(known)))

    @cached_property
    def _canonical(self) -> Mapping[str, str]:
        entries = self.entry.names
        also = {_plain(word): _plain(entry.name) for entry in entries for word in entry.also}
        return {**also, **{_plain(entry.name): _plain(entry.name) for entry in entries}}

    @cached_property
    def _kinds(self) -> Mapping[str, tuple[str, ...]]:
        kinds = {
            _plain(entry.name): tuple(self.canonical(kind) for kind in entry.kinds)
            for entry in self.entry.names
        }
        known = tuple(self.canonical(name) for name in self.people)
        return {**kinds, PERSON: (*kinds.get(PERSON, ()), *known)}

    @cached_property
    def _scores(self) -> Mapping[str, float]:
        given = {_plain(e.name): e.least_score for e in self.entry.names}
        scores = {name: score for name, score in given.items() if score is not None}
        person = scores.get(PERSON, self.entry.least_score)
        return {**{self.canonical(name): person for name in self.people}, **scores}


def load_object_names(path: str | Path, people: Iterable[str] = ()) -> ObjectNames:
    """Read a YAML file; `people` are the semantic map's. Raises ConfigError if it is unusable."""
    return ObjectNames(load_yaml(path, ObjectNamesEntry), tuple(people))


def _plain(name: str) -> str:
    return " ".join(plain_words(name))
