"""Measurements of execution: the second look at the rest of a running program."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.domain.world_names import find_world
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.worker import VerifierWorker

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test" / "execute"))

RUNS = 15


def monitor_costs() -> tuple[float, ...]:
    """The second look at the rest of a program, before each call after one that has failed, s."""
    from stage import DOMAIN, FakeSkills, Stage

    blocked = SkillOutcome(error_code=SkillErrorCode.NAVIGATION_BLOCKED, message="a door is shut")
    rooms = load_semantic_map(find_world("home"))
    worker = VerifierWorker(DOMAIN, rooms)
    costs: list[float] = []

    def timed(calls: Sequence[SkillCall], source: str) -> Verdict:
        begin = time.perf_counter()
        verdict = worker.verify_from(calls, source)
        costs.append(time.perf_counter() - begin)
        return verdict

    try:
        for number in range(RUNS):
            answers = {"go_to": blocked, "get_all_rooms": SkillOutcome(list(rooms.room_names)),
                       "is_in_room": SkillOutcome(False)}  # fmt: skip
            stage = Stage(FakeSkills(answers), verifier=worker.verify, verify_from=timed)
            run = stage.run(f"{_SEARCH}\n# {number}")
            assert run.outcome.value == "succeeded", run.message
    finally:
        worker.close()
    return tuple(costs)


_SEARCH = """\
for room in get_all_rooms():
    try:
        go_to(room)
        if is_in_room("apple"):
            pick("apple")
            break
    except SkillError:
        say("I cannot get to the " + room)"""
