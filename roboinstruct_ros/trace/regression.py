"""Many bags replayed side by side: what goes as recorded, what does not, and what cannot be."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import Enum
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from xml.etree import ElementTree

from roboinstruct_ros.trace.bag import BagError
from roboinstruct_ros.trace.expected import read_expected
from roboinstruct_ros.trace.judged_again import replay_verdict
from roboinstruct_ros.trace.replay import CannotReplay, replay_calls
from roboinstruct_ros.trace.run_trace import RunTrace, read_trace


class Depth(str, Enum):
    """What is done again: the program's calls, the verdict on it, its writing, or all the stack."""

    CALLS = "calls"
    VERDICT = "verdict"
    PROGRAM = "program"
    SIMULATE = "simulate"


Again = Callable[[RunTrace], object | None]
"""Does it again: the first difference, whose `str()` is a line, or None. Raises CannotReplay."""


class Outcome(str, Enum):
    SAME = "same"
    DIFFERENT = "different"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Replayed:
    """One bag at one depth.

    Attributes:
        told: what is not as expected, or why the bag cannot be replayed, in one line.
        now: the first difference; empty where all goes as recorded.
        duration: s.
    """

    folder: Path
    depth: Depth
    outcome: Outcome
    told: str = ""
    now: str = ""
    duration: float = 0.0


REPLAYS: Mapping[Depth, Again] = {Depth.CALLS: replay_calls, Depth.VERDICT: replay_verdict}
"""What is done where nothing is asked for: it needs no model and no nodes."""


def replay_all(
    bags: Sequence[Path], depths: Mapping[Depth, Again], jobs: int
) -> Iterator[Replayed]:
    """Replay every bag at every depth, in the order given.

    Args:
        depths: what does each; other processes must be able to import it.
        jobs: processes.
    """
    replayed = partial(_replayed, depths=depths)
    if jobs == 1 or len(bags) == 1:
        for bag in bags:
            yield from replayed(bag)
        return
    # a fork of a process with threads may hang
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for results in pool.map(replayed, bags):
            yield from results


def junit(results: Sequence[Replayed]) -> str:
    """The results as JUnit XML, a test case for each bag and depth."""
    suite = ElementTree.Element("testsuite", name="roboinstruct replay", tests=str(len(results)))
    for outcome, count in (("failures", Outcome.DIFFERENT), ("errors", Outcome.UNREADABLE)):
        suite.set(outcome, str(sum(result.outcome is count for result in results)))
    for result in results:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=f"replay.{result.depth.value}",
            name=result.folder.name,
            time=f"{result.duration:.3f}",
        )
        if result.outcome is not Outcome.SAME:
            kind = "failure" if result.outcome is Outcome.DIFFERENT else "error"
            ElementTree.SubElement(case, kind, message=result.told)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)


def _replayed(bag: Path, depths: Mapping[Depth, Again]) -> list[Replayed]:
    try:
        trace, expected = read_trace(bag), read_expected(bag)
    except BagError as error:
        return [Replayed(bag, depth, Outcome.UNREADABLE, str(error)) for depth in depths]
    return [_at(trace, depth, again, expected) for depth, again in depths.items()]


def _at(trace: RunTrace, depth: Depth, again: Again, expected: Mapping[str, str]) -> Replayed:
    begin = time.perf_counter()
    try:
        found = again(trace)
    except CannotReplay as error:
        return Replayed(trace.folder, depth, Outcome.UNREADABLE, str(error))
    now = "" if found is None else str(found)
    wanted = expected.get(depth.value, "")
    outcome = Outcome.SAME if now == wanted else Outcome.DIFFERENT
    told = "" if now == wanted else now
    if wanted and now != wanted:
        told = f"{now or 'goes as recorded'}; expected is: {wanted}"
    return Replayed(trace.folder, depth, outcome, told, now, time.perf_counter() - begin)
