"""What evaluating programs costs: many of them, in more and more worlds, and the confinement."""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import yaml
from rich.console import Console
from rich.table import Table

from roboinstruct_ros.evaluate.readers.written_rows import shipped_place
from roboinstruct_ros.evaluate.runs.asked import Asked
from roboinstruct_ros.evaluate.runs.evaluator import Evaluator
from roboinstruct_ros.evaluate.runs.folder import Folder
from roboinstruct_ros.evaluate.runs.given_programs import Given
from roboinstruct_ros.evaluate.runs.items import Item
from roboinstruct_ros.evaluate.runs.prepared import prepare
from roboinstruct_ros.evaluate.runs.record import Key
from roboinstruct_ros.evaluate.runs.run import run, spread_over
from roboinstruct_ros.evaluate.suite.case import Case, Trial
from roboinstruct_ros.evaluate.worlds.scripted import ScriptedWorld
from roboinstruct_ros.evaluate.worlds.trial_child import run_program
from roboinstruct_ros.evaluate.worlds.trials import SECONDS, Trials

PROGRAMS, TASKS, JOBS = 1_000, 40, 2
WORLDS = (1, 3, 10, 30, 100)
GOAL, CONFINED_GOAL = 20.0, 5.0
"""s, ms"""

_ROOMS = ("kitchen", "study", "guest bedroom", "garage", "living room")
_PROGRAM = """\
def task_program():
    start = get_current_location()
    for room in {rooms}:
        go_to(room)
        if is_in_room("{thing}"):
            pick("{thing}")
            go_to(start)
            place("{thing}")
            say("here is number {number}")
            return
    go_to(start)
    say("there is no {thing}, I have looked {number} times")
"""


def programs_in_all() -> float:
    """s to evaluate `PROGRAMS` different programs into a folder, in `JOBS` processes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        suite, programs = folder / "tasks.yaml", folder / "programs.jsonl"
        suite.write_text(yaml.safe_dump([_row(number) for number in range(TASKS)]))
        with programs.open("w") as lines:
            for number in range(PROGRAMS):
                sample, task = divmod(number, TASKS)
                given = {"task": _text(task), "sample": sample, "program": _program(task, sample)}
                lines.write(json.dumps(given) + "\n")
        begun = time.perf_counter()
        prepared = prepare(Asked(str(suite), programs=str(programs)).settled())
        with closing(Folder.make(folder / "found", prepared.manifest)) as found:
            records = list(run(prepared, found, spread_over(JOBS)))
        taken = time.perf_counter() - begun
    assert len(records) == PROGRAMS and all(record.right for record in records), records[0]
    return taken


def item_costs() -> list[float]:
    """ms of an item with so many `WORLDS`, at the median."""
    with closing(Evaluator(Asked("", programs="given"))) as evaluate:

        def item(worlds: int, number: int) -> Callable[[], object]:
            given = Given(program=_program(0, number))
            return lambda: evaluate(Item(Key(task=_text(0), sample=number), _case(worlds)), given)

        item(1, 1_000)()  # starts the children
        return [_median([item(worlds, 100 * worlds + n) for n in range(20)]) for worlds in WORLDS]


def confinement_cost() -> float:
    """ms that the confined child adds to an evaluation in three worlds, at the median."""
    case = _case(3)
    facts = [trial.facts(case.place) for trial in case.trials]
    source = _program(0, 0)
    with closing(Trials()) as trials:
        trials.run(source, facts)  # starts the child
        confined = _median([lambda: trials.run(source, facts)] * 200)
    free = _median(
        [lambda: [run_program(source, ScriptedWorld(one), SECONDS) for one in facts]] * 200
    )
    return confined - free


def print_evaluation(console: Console) -> None:
    """A table of all of it."""
    with console.status(f"evaluating {PROGRAMS} programs"):
        seconds = programs_in_all()
    with console.status("evaluating in more and more worlds"):
        costs, confined = item_costs(), confinement_cost()
    table = Table(title="evaluation of programs that are there")
    for column in ("what", "measured", "goal"):
        table.add_column(column)
    table.add_row(
        f"{PROGRAMS} programs, three worlds each, {JOBS} processes",
        f"{seconds:.1f} s",
        f"{GOAL:g} s",
    )
    table.add_row("what the confinement adds", f"{confined:.2f} ms", f"{CONFINED_GOAL:g} ms")
    for worlds, cost in zip(WORLDS, costs, strict=True):
        table.add_row(f"an item with {worlds} worlds, verified", f"{cost:.1f} ms", "")
    console.print(table)


def _row(task: int) -> dict[str, object]:
    """A task in three worlds: the thing is in one room, in another one, nowhere."""
    first, *others = (_world(task, room) for room in (*_ROOMS[:2], ""))
    return {"text": _text(task), "world": "home", **first, "also": others}


def _world(task: int, room: str) -> dict[str, object]:
    thing, start = f"cup {task}", shipped_place("home").start
    looked = _ROOMS[: _ROOMS.index(room) + 1] if room else _ROOMS
    fetched = [f"pick {thing}", f"go_to {start}", f"place {thing}", "say ~here"]
    way = [
        *(f"go_to {one}" for one in looked),
        *(fetched if room else [f"go_to {start}", "say ~no"]),
    ]
    return {"here": {room: [thing]} if room else {}, "ways": [way]}


def _case(worlds: int) -> Case:
    trials = (_world(0, _ROOMS[number % len(_ROOMS)]) for number in range(worlds))
    told = tuple(Trial(one["ways"], one["here"]) for one in trials)  # type: ignore[arg-type]
    return Case(_text(0), "fetching", shipped_place("home"), told)


def _text(task: int) -> str:
    return f"Look for cup {task} everywhere and bring it here."


def _program(task: int, number: int) -> str:
    return _PROGRAM.format(rooms=list(_ROOMS), thing=f"cup {task}", number=number)


def _median(works: Sequence[Callable[[], object]]) -> float:
    """ms."""
    taken = []
    for work in works:
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return 1e3 * statistics.median(taken)
