"""Makes a regression case from a bag: the data for a replay, with names replaced if required."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from roboinstruct_ros import names
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.trace.bag import (
    EVENT_TYPE,
    BagError,
    BagWriter,
    RecordedEvent,
    read_messages,
    serialized,
)
from roboinstruct_ros.trace.expected import write_expected
from roboinstruct_ros.trace.regression import REPLAYS, Outcome, Replayed, replay_all
from roboinstruct_ros.trace.retention import mark

POSE_PERIOD = 0.5  # s between two poses kept for viewers

_TOPICS = {names.EVENTS_TOPIC: EVENT_TYPE, names.ROBOT_POSE_TOPIC: "geometry_msgs/msg/PoseStamped"}


def promote(bag: Path, case: Path, renamed: Mapping[str, str]) -> list[Replayed]:
    """Write the case, with its current replay result as expectation; the original bag is marked to
    stay.

    Args:
        case: folder to make.
        renamed: names and their replacements, in all texts and in the program.

    Raises:
        BagError: the bag cannot be read, the case cannot be written, a name does not occur in it,
            or the run goes differently under the new names.
    """
    writer = BagWriter(case, {f"/{topic}": kind for topic, kind in _TOPICS.items()})
    try:
        with closing(writer):
            renaming = _Renaming(renamed)
            for topic, stamp, message in _kept(bag, renaming):
                writer.write(f"/{topic}", stamp, serialized(message))
            renaming.check_all_met()
        before, now = (list(replay_all([one], REPLAYS, jobs=1)) for one in (bag, case))
        _check_same(before, now)
        write_expected(case, {one.depth.value: one.now for one in now})
    except BaseException:  # Ctrl-C too: half a case would be taken for one
        shutil.rmtree(case, ignore_errors=True)
        raise
    with suppress(BagError):  # a user who cannot write there does not delete old runs there either
        mark(bag)
    return now


def _kept(bag: Path, renaming: _Renaming) -> Iterator[tuple[str, int, Any]]:
    last = 0
    for topic, stamp, message in read_messages(bag, tuple(_TOPICS)):
        if isinstance(message, RecordedEvent):
            if message.kind != EventKind.TOKENS.value:
                yield topic, stamp, renaming.of(message)
        elif stamp - last >= POSE_PERIOD * 1e9:
            last = stamp
            yield topic, stamp, message


def _check_same(before: list[Replayed], now: list[Replayed]) -> None:
    for one, other in zip(before, now, strict=True):
        if other.outcome is Outcome.UNREADABLE:
            raise BagError(other.told)
        if one.outcome is not other.outcome:
            raise BagError(
                f"{one.folder}: under the other names it goes another way: {other.told or one.told}"
            )


class _Renaming:
    """Replaces names, and the hashes of programs that contain them."""

    def __init__(self, renamed: Mapping[str, str]) -> None:
        self._renamed = {name.casefold(): other for name, other in renamed.items()}
        words = "|".join(map(re.escape, sorted(renamed, key=len, reverse=True)))
        self._found = re.compile(rf"\b(?:{words})\b", re.IGNORECASE) if words else None
        others = "|".join(map(re.escape, renamed.values()))
        self._taken = re.compile(rf"\b(?:{others})\b", re.IGNORECASE) if others else None
        self._hashes: dict[str, str] = {}
        self._names, self._met = tuple(renamed), set[str]()

    def of(self, event: RecordedEvent) -> RecordedEvent:
        """The event with the names replaced. Raises BagError: a new name is already in use."""
        return replace(event, data=self._value(event.data)) if self._found else event

    def check_all_met(self) -> None:
        """Raises BagError: a name does not occur, and so perhaps another one stays in the case."""
        for name in self._names:
            if name.casefold() not in self._met:
                raise BagError(
                    f"'{name}' occurs nowhere in the bag; "
                    "'roboinstruct trace show' shows the names in it"
                )

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, list):
            return [self._value(one) for one in value]
        if isinstance(value, dict):
            return {self._text(key): self._value(one) for key, one in value.items()}
        return value

    def _text(self, text: str) -> str:
        assert self._found is not None and self._taken is not None
        if text in self._hashes:
            return self._hashes[text]
        taken = self._taken.search(text)
        if taken:
            raise BagError(f"'{taken[0]}' is a name in the bag already; take another one")
        other = self._found.sub(self._other, text)
        if other != text:
            self._hashes[sha256_of(text)] = sha256_of(other)
        return other

    def _other(self, found: re.Match[str]) -> str:
        other = self._renamed[found[0].casefold()]
        self._met.add(found[0].casefold())
        return other.lower() if found[0].islower() else other
