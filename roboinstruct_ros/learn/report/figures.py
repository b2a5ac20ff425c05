"""The numbers of records that a run has made and dropped."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from roboinstruct_ros.evaluate.figures.estimate import Estimate, share
from roboinstruct_ros.learn.cleaning.shape import parts_of
from roboinstruct_ros.learn.near_duplicates import Known, pattern_of
from roboinstruct_ros.learn.records import Dropped, Pair, Sample, Task

_MOST_NEAR = 20
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Near:
    """A task, and the most similar earlier one."""

    similarity: float
    text: str
    nearest: str


def reasons(dropped: Sequence[Dropped]) -> list[tuple[str, list[Dropped]]]:
    """The dropped records by reason, the most frequent first."""
    by_why: dict[str, list[Dropped]] = defaultdict(list)
    for one in dropped:
        by_why[one.why.value].append(one)
    return sorted(by_why.items(), key=lambda item: -len(item[1]))


def codes(samples: Sequence[Sample]) -> list[tuple[str, int, str]]:
    """The violation codes of rejected samples, most frequent first, with count and example."""
    found: Counter[str] = Counter()
    example: dict[str, str] = {}
    for one in samples:
        if not one.accepted:
            code = one.codes[0] if one.codes else "undecided"
            found[code] += 1
            example.setdefault(code, one.reason)
    return [(code, count, example[code]) for code, count in found.most_common()]


def uses(pairs: Sequence[Pair], skills: Sequence[str]) -> list[tuple[str, Estimate]]:
    """The share of programs with each skill and each control structure, the largest first."""
    parts = [(one.id, parts_of(one.program, frozenset(skills))) for one in pairs]
    names = set(skills).union(*(some for _, some in parts))
    found = [(name, share((id_, float(name in some)) for id_, some in parts)) for name in names]
    return sorted(found, key=lambda one: (-(one[1].value or 0), one[0]))


def lengths(pairs: Sequence[Pair]) -> Iterator[tuple[str, list[int]]]:
    """Words per instruction and lines per program, sorted."""
    yield "words of an instruction", sorted(len(_words(one.instruction)) for one in pairs)
    yield "lines of a program", sorted(len(one.program.strip().splitlines()) for one in pairs)


def nearest(tasks: Sequence[Task]) -> list[Near]:
    """The kept tasks that are most similar to an earlier one."""
    patterns = [pattern_of(one.text, "") for one in tasks]
    found = []
    for place in sorted(range(1, len(tasks)), key=lambda one: -tasks[one].similarity)[:_MOST_NEAR]:
        similarity, before = Known(patterns[:place]).nearest(patterns[place])
        found.append(Near(similarity, tasks[place].text, tasks[before].text))
    return found


def _words(text: str) -> list[str]:
    return _WORD.findall(text)
