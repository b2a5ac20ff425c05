"""Replays many bags in parallel and reports which match, which differ, and which cannot be."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from roboinstruct_ros.spread.on_ray import on_ray
from roboinstruct_ros.spread.processes import in_processes
from roboinstruct_ros.spread.work import SpreadError, in_order
from roboinstruct_ros.trace.bag import BagError
from roboinstruct_ros.trace.compared import Again, Depth, Found, Timed
from roboinstruct_ros.trace.expected import read_expected
from roboinstruct_ros.trace.judged_again import replay_verdict
from roboinstruct_ros.trace.replay import CannotReplay, Skipped, replay_calls
from roboinstruct_ros.trace.run_trace import RunTrace, read_trace
from roboinstruct_ros.trace.stored import Store
from roboinstruct_ros.trace.tolerances import NOT_COMPARED, Tolerances


class Outcome(str, Enum):
    """The worst last."""

    SAME = "same"
    SKIPPED = "skipped"
    DIFFERENT = "different"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Replayed:
    """One bag at one depth.

    Attributes:
        told: the deviation from the expectation, or why the bag cannot be replayed, in one line.
        now: the first difference; empty for none.
        duration: s.
    """

    folder: Path
    depth: Depth
    outcome: Outcome
    told: str = ""
    now: str = ""
    duration: float = 0.0


REPLAYS: Mapping[Depth, Again] = {Depth.CALLS: replay_calls, Depth.VERDICT: replay_verdict}
"""The default depths; they need neither model nor nodes."""

_LOST = (
    "{bag}: its process was killed twice, by the system where memory ran out; --jobs 1 takes least"
)

_Work = tuple[Path, Mapping[Depth, Again]]


def replay_all(
    bags: Sequence[Path],
    depths: Mapping[Depth, Again],
    jobs: int,
    tolerances: Tolerances = NOT_COMPARED,
    store: Store | None = None,
    cluster: str = "",
) -> Iterator[Replayed]:
    """Replay every bag at every depth, in the order given.

    Args:
        depths: function for each depth; importable by other processes.
        jobs: number of processes, without a cluster.
        tolerances: limits on the times from depth simulate.
        store: its findings are not repeated, and new ones are added.
        cluster: address of a Ray cluster; empty for this machine.

    Raises:
        BagError: the store cannot be written, or there is no such cluster.
    """
    known = {
        (bag, depth): store.get(bag, depth, again) if store else None
        for bag in bags
        for depth, again in depths.items()
    }
    left = [(bag, {d: a for d, a in depths.items() if known[bag, d] is None}) for bag in bags]
    found = _found([one for one in left if one[1]], jobs, cluster)
    for bag, missing in left:
        done = dict(zip(missing, next(found), strict=True)) if missing else {}
        for depth, again in depths.items():
            if store and depth in done:
                store.put(bag, depth, again, done[depth])
            yield _judged(bag, depth, known[bag, depth] or done[depth], tolerances)


def _found(work: Sequence[_Work], jobs: int, cluster: str) -> Iterator[list[Found]]:
    if not cluster and (jobs == 1 or len(work) <= 1):
        yield from map(_done_again, work)
        return
    done = on_ray(cluster, _done_again, work) if cluster else in_processes(_done_again, work, jobs)
    try:
        for (bag, depths), one in zip(work, in_order(done), strict=True):
            lost = [Found(fault=_LOST.format(bag=bag)) for _ in depths]
            yield lost if one.value is None else one.value
    except SpreadError as error:
        raise BagError(str(error)) from None


def _done_again(work: _Work) -> list[Found]:
    bag, depths = work
    try:
        trace = read_trace(bag)
    except BagError as error:
        return [Found(fault=str(error)) for _ in depths]
    return [_at(trace, again) for again in depths.values()]


def _at(trace: RunTrace, again: Again) -> Found:
    begin = time.perf_counter()
    try:
        found = again(trace)
    except CannotReplay as error:
        return Found(fault=str(error), skipped=isinstance(error, Skipped))
    except Exception as error:  # affects one bag; the others must still be replayed
        reason = " ".join(f"{type(error).__name__} {error}".split())[:300]
        return Found(fault=f"{trace.folder}: the replay itself failed: {reason}")
    difference, times = (found.difference, found.times) if isinstance(found, Timed) else (found, ())
    now = "" if difference is None else str(difference)
    return Found(now, times=times, duration=time.perf_counter() - begin)


def _judged(bag: Path, depth: Depth, found: Found, tolerances: Tolerances) -> Replayed:
    """Compare a finding with the bag's current expectation."""
    try:
        wanted = read_expected(bag).get(depth.value, "")
    except BagError as error:
        return Replayed(bag, depth, Outcome.UNREADABLE, str(error))
    if found.fault:
        outcome = Outcome.SKIPPED if found.skipped else Outcome.UNREADABLE
        return Replayed(bag, depth, outcome, found.fault)
    now = found.now or tolerances.exceeded(found.times)
    if now == wanted:
        return Replayed(bag, depth, Outcome.SAME, "", now, found.duration)
    told = f"{now or 'goes as recorded'}; expected is: {wanted}" if wanted else now
    return Replayed(bag, depth, Outcome.DIFFERENT, told, now, found.duration)
