"""Measurements of the verifier: what a verdict costs, and how that grows."""

from __future__ import annotations

import itertools
import json
import math
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap, load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.sandbox.namespace import SkillError, compile_program
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.service.worker import VerifierWorker

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test" / "verify"))

ROUNDS = 5
DOMAIN = load_domain()
HOME = load_semantic_map(find_world("home"))
PATIENT = Budget(seconds=30.0)


@dataclass(frozen=True)
class Cost:
    """Times of one program, ms: the verdict and, for an accepted one, one plain run of its text."""

    name: str
    verdict: float
    plain: float | None
    paths: int


@dataclass(frozen=True)
class Growth:
    """Times of programs that grow, ms, and whether no world was left out."""

    sizes: tuple[int, ...]
    times: tuple[float, ...]
    paths: tuple[int, ...]
    exhaustive: tuple[bool, ...]


def table_costs() -> list[Cost]:
    """Every program of the verifier's test table, through a warm worker, nothing cached."""
    from test_verdicts import ALL

    costs = []
    for closed in (False, True):
        cases = [case for case in ALL if case.closed == closed]
        with _worker(HOME if closed else None) as verify:
            verify("def task_program():\n    pass\n")
            for case in cases:
                taken, paths = _verdict_time(verify, case.source)
                plain = None if case.code else _plain_time(case.source)
                costs.append(Cost(case.name, taken, plain, paths))
    return costs


def lines_per_second(count: int = 2000) -> tuple[float, int]:
    """Seconds that `verify --jsonl` takes for so many programs, all different, on all cores."""
    from test_verdicts import ALL

    # comments make each text its own, so that no verdict is looked up
    lines = [
        json.dumps({"id": n, "program": f"{ALL[n % len(ALL)].source}# {n}\n"}) for n in range(count)
    ]
    command = [sys.executable, "-m", "roboinstruct_ros.cli", "verify", "--jsonl", "--open"]
    begin = time.perf_counter()
    answer = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True)
    return time.perf_counter() - begin, len(answer.stdout.splitlines())


def growth_with_branches(sizes: Sequence[int] = tuple(range(1, 21))) -> Growth:
    """Independent questions, of which all answers are kept: twice the worlds with each."""
    return _growth(sizes, _branches, lambda size: HOME)


def growth_with_rooms(
    loop: str, sizes: Sequence[int] = (1, 2, 5, 11, 20, 50, 100, 150, 200)
) -> Growth:
    """One of `LOOPS` over all rooms of the map."""
    return _growth(sizes, lambda size: LOOPS[loop], _map_of)


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which that part of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


_SEARCH = """\
def task_program():
    for room in get_all_rooms():
        go_to(room)
        if is_in_room("apple"):
            say("I found an apple in " + room)
            return
    say("There is no apple")
"""


_LOOK = """\
def task_program():
    for room in get_all_rooms():
        go_to(room)
        if is_in_room("apple"):
            say("There is an apple in " + room)
"""

_COUNT = """\
def task_program():
    count = 0
    for room in get_all_rooms():
        go_to(room)
        if is_in_room("apple"):
            count += 1
    say(f"There are apples in {count} rooms")
"""

LOOPS = {"searched": _SEARCH, "looked into": _LOOK, "counted": _COUNT}
"""What is done with rooms: a world more with each, two, and as many as there are rooms."""


def _branches(size: int) -> str:
    lines = "".join(f'    seen_{n} = is_in_room("thing {n}")\n' for n in range(size))
    kept = ", ".join(f"seen_{n}" for n in range(size))
    return f'def task_program():\n    go_to("kitchen")\n{lines}    say(str([{kept}]))\n'


def _map_of(size: int) -> SemanticMap:
    rooms = (Room(f"room {n}", (), Pose(float(n), 0.0, 0.0)) for n in range(size))
    return SemanticMap(tuple(rooms))


def _growth(
    sizes: Sequence[int], program: Callable[[int], str], semantic_map: Callable[[int], SemanticMap]
) -> Growth:
    times, paths, exhaustive = [], [], []
    for size in sizes:
        with _worker(semantic_map(size)) as verify:
            verify("def task_program():\n    pass\n")
            source = program(size)
            taken, _ = _verdict_time(verify, source)
            verdict = verify(source)
        times.append(taken)
        paths.append(verdict.paths)
        exhaustive.append(verdict.exhaustive)
    return Growth(tuple(sizes), tuple(times), tuple(paths), tuple(exhaustive))


class _worker:
    def __init__(self, semantic_map: SemanticMap | None) -> None:
        self._worker = VerifierWorker(DOMAIN, semantic_map, budget=PATIENT)

    def __enter__(self) -> Callable[[str], Any]:
        return self._worker.verify

    def __exit__(self, *_: object) -> None:
        self._worker.close()


def _verdict_time(verify: Callable[[str], Any], source: str) -> tuple[float, int]:
    """The median of some rounds, ms; a comment makes each text new to the cache."""
    times = []
    paths = 0
    for number in range(ROUNDS):
        text = f"{source}# round {number}\n"
        begin = time.perf_counter()
        paths = verify(text).paths
        times.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(times), paths


def _plain_time(source: str) -> float | None:
    """One untraced run of the text, ms; None when it relies on more than these skills play."""
    code = compile_program(source)
    times = []
    for _ in range(ROUNDS):
        namespace = _plain_skills()
        begin = time.perf_counter()
        try:
            exec(code, namespace)
            namespace["task_program"]()
        except Exception:
            return None
        times.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(times)


def _plain_skills() -> dict[str, Any]:
    """A world that answers yes and no in turn, so that whoever waits is served."""
    seen, said = itertools.count(), itertools.count()
    now = itertools.count(0, 3600)
    return {
        "get_current_location": lambda: "hallway",
        "get_all_rooms": lambda: list(HOME.room_names),
        "is_in_room": lambda object: next(seen) % 2 == 0,
        "go_to": lambda location: None,
        "ask": lambda person, question, options: options[next(said) % len(options)],
        "say": lambda message: None,
        "pick": lambda obj: None,
        "place": lambda obj: None,
        "time": SimpleNamespace(sleep=lambda seconds: None, time=lambda: float(next(now))),
        "random": random.Random(0),
        "math": math,
        "SkillError": SkillError,
        "print": lambda *values, **options: None,
    }
