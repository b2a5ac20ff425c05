"""Evaluates existing programs instead of a model's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.arrival import read_lines, read_object
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.evaluate.readers.roboeval.completions import read_stored
from roboinstruct_ros.evaluate.runs.items import Item
from roboinstruct_ros.evaluate.runs.place_verifier import PlaceVerifier
from roboinstruct_ros.evaluate.runs.record import Key
from roboinstruct_ros.evaluate.runs.writer import Writing, codes_of
from roboinstruct_ros.evaluate.suite.case import Case
from roboinstruct_ros.evaluate.suite.judge import Written
from roboinstruct_ros.evaluate.worlds.roboeval_world import whole_program

_SHAPE = '{"task": "...", "phrasing": 0, "sample": 0, "program": "def task_program(): ..."}'


class ProgramsError(InputError):
    """Programs that cannot be used; `str()` is one clear line."""


class Given(BaseModel):
    """What was written for an item: a program, or an answer in words; the fields of a `Record`."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    program: str = ""
    answer: AnswerKind | None = None
    said: str = ""
    choices: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    confidence: float | None = None

    @property
    def written(self) -> Written:
        kind = AnswerKind.PROGRAM if self.program else self.answer
        text = self.program or self.said
        return Written(kind, text, self.notes, self.choices, self.offers, self.confidence)


_Found = tuple[str, Key, Given]
"""Where it is, for whom it is, and what it is."""


def open_programs(name: str) -> dict[Key, Given]:
    """Read the programs at a path, or those stored by a benchmark: `roboeval:PLACE`.

    Raises:
        ProgramsError: there are none, or one cannot be read.
    """
    reader, _, place = name.partition(":")
    if reader != "roboeval":
        return read_programs(Path(name).expanduser())
    try:
        stored = list(read_stored(Path(place).expanduser()))
    except (OSError, ValueError) as error:
        raise ProgramsError(f"{name}: cannot be read: {error}") from None
    keys = [Key(task=one.task, phrasing=one.phrasing, sample=one.sample) for one in stored]
    programs = [Given(program=whole_program(one.program)) for one in stored]
    places = (f"program {number}" for number in count(1))
    return _each_once(name, zip(places, keys, programs, strict=False))


def read_programs(place: Path) -> dict[Key, Given]:
    """Read the programs of a folder of `TASK.py`, `TASK.PHRASING.py` or `TASK.PHRASING.SAMPLE.py`,
    or of a JSON lines file such as the records of an evaluation.

    Raises:
        ProgramsError: there are none, or one cannot be read.
    """
    try:
        found = _each_once(place, _of_folder(place) if place.is_dir() else _of_lines(place))
    except OSError as error:
        raise ProgramsError(f"{place}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ProgramsError(f"{place}: is not UTF-8 text") from None
    if not found:
        raise ProgramsError(f"{place}: no program in it; give lines of {_SHAPE}, or files TASK.py")
    return found


def _each_once(name: object, found: Iterable[_Found]) -> dict[Key, Given]:
    """By item. Raises ProgramsError: an item is given twice."""
    places: dict[Key, str] = {}
    programs: dict[Key, Given] = {}
    for place, key, given in found:
        if key in places:
            item = f"{key.task}, phrasing {key.phrasing}, sample {key.sample}"
            raise ProgramsError(f"{name}: {item} is given twice: {places[key]} and {place}")
        places[key], programs[key] = place, given
    return programs


def _of_folder(folder: Path) -> Iterator[_Found]:
    for file in sorted(folder.glob("*.py")):
        task, *numbers = file.stem.split(".")
        try:
            phrasing, sample = [*map(int, numbers), 0, 0][:2]
        except ValueError:
            shapes = "TASK.py, TASK.PHRASING.py or TASK.PHRASING.SAMPLE.py"
            raise ProgramsError(f"{file}: is not named {shapes}") from None
        program = file.read_text(encoding="utf-8")
        yield file.name, Key(task=task, phrasing=phrasing, sample=sample), Given(program=program)


def _of_lines(file: Path) -> Iterator[_Found]:
    with file.open(encoding="utf-8") as lines:
        for number, text in enumerate(read_lines(lines), start=1):
            if text.strip():
                yield f"line {number}", *_of_line(f"{file}: line {number}", text)


def _of_line(what: str, text: str) -> tuple[Key, Given]:
    try:
        found: Mapping[str, Any] = read_object(text, what)
    except ValueError as error:
        raise ProgramsError(f"{error}; expected {_SHAPE}") from None
    with suppress(ValidationError):
        if "program" in found or "answer" in found:
            return Key.model_validate(found.get("key", found)), Given.model_validate(found)
    raise ProgramsError(f"{what}: expected {_SHAPE}")


def items_given(items: Sequence[Item], given: Mapping[Key, Given], place: str) -> list[Item]:
    """An item for each program, in the order of the suite.

    Args:
        items: one of each phrasing.

    Raises:
        ProgramsError: a program is for a task that the suite does not have.
    """
    cases = {item.key: item.case for item in items}
    places = {key: number for number, key in enumerate(cases)}
    first = {key: key.model_copy(update={"sample": 0}) for key in given}
    if unknown := [key for key in given if first[key] not in cases]:
        key = unknown[0]
        raise ProgramsError(
            f"{place}: the suite has no phrasing {key.phrasing} of a task {key.task!r}"
        )
    ordered = sorted(given, key=lambda key: (places[first[key]], key.sample))
    return [Item(key, cases[first[key]]) for key in ordered]


class GivenWriter:
    """Verifies existing programs. Call it with a case and its program."""

    def __init__(self, verify: bool = True) -> None:
        self._verify = verify
        self._verifier = PlaceVerifier(load_domain())

    def __call__(self, case: Case, given: Given) -> Writing:
        written = given.written
        if written.kind is not AnswerKind.PROGRAM:
            return Writing(written)
        verdict = self._verifier.at(case.place)(written.text)
        codes = codes_of(verdict)
        if codes and self._verify:
            written = replace(written, kind=None, text=verdict.why_not)
        return Writing(written, given.program, codes, codes, attempts=1)

    def close(self) -> None:
        """End the child."""
        self._verifier.close()
