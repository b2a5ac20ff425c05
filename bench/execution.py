"""Measurements of execution: the second look at the rest of a running program."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.world.remains import Remains

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test" / "execute"))

RUNS = 40


@dataclass(frozen=True)
class MonitorCosts:
    """Of the second look before each call after one that has failed, s.

    Attributes:
        seconds: that the call waits for it.
        processor: time of the executor's thread and of the verifier's process; the rest is waiting
            for a processor.
    """

    seconds: tuple[float, ...]
    processor: tuple[float, ...]


def monitor_costs() -> MonitorCosts:
    """A program that searches eleven rooms none of which can be reached, again and again."""
    from stage import DOMAIN, FakeSkills, Stage

    blocked = SkillOutcome(error_code=SkillErrorCode.NAVIGATION_BLOCKED, message="a door is shut")
    rooms = load_semantic_map(find_world("home"))
    worker = VerifierWorker(DOMAIN, rooms)
    assert worker._child is not None
    schedule = Path(f"/proc/{worker._child.pid}/schedstat")
    seconds: list[float] = []
    processor: list[float] = []

    def used() -> float:
        return time.thread_time() + int(schedule.read_text().split()[0]) / 1e9

    def timed(calls: Sequence[SkillCall], source: str, remains: Remains) -> Verdict:
        before, begin = used(), time.perf_counter()
        verdict = worker.verify_from(calls, source, remains)
        seconds.append(time.perf_counter() - begin)
        processor.append(used() - before)
        return verdict

    try:
        for number in range(RUNS):
            answers = {"go_to": blocked, "get_all_rooms": SkillOutcome(list(rooms.room_names)),
                       "is_in_room": SkillOutcome(False)}  # fmt: skip
            stage = Stage(FakeSkills(answers), verifier=worker.verify, verify_rest=timed)
            run = stage.run(f"{_SEARCH}\n# {number}")
            assert run.outcome.value == "succeeded", run.message
    finally:
        worker.close()
    return MonitorCosts(tuple(seconds), tuple(processor))


_SEARCH = """\
for room in get_all_rooms():
    try:
        go_to(room)
        if is_in_room("apple"):
            pick("apple")
            break
    except SkillError:
        say("I cannot get to the " + room)"""
