"""Evaluations that nobody ran: records as a model might have made them, drawn with a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.evaluate.runs.folder import MANIFEST, RECORDS, Manifest
from roboinstruct_ros.evaluate.runs.record import Key, Record
from roboinstruct_ros.evaluate.suite.outcome import Outcome, WorldRecord

KINDS = ("fetching", "looking", "asking people", "guarding", "not for a robot")
CODES = ("unknown_location", "object_absent", "python_error", "hand_full", "forbidden_construct")
PROGRAM = """\
def task_program():
    go_to("{room}")
    if is_in_room("{thing}"):
        pick("{thing}")
        go_to("lobby")
        place("{thing}")
"""


def record(task: str = "a", phrasing: int = 0, sample: int = 0, **fields: Any) -> Record:
    """A right program, unless `fields` say otherwise."""
    ordinary: dict[str, Any] = {
        "kind": "fetching",
        "text": f"Do {task}, said in way {phrasing}.",
        "wanted": (AnswerKind.PROGRAM,),
        "outcome": Outcome.RIGHT,
        "answer": AnswerKind.PROGRAM,
        "program": 'def task_program():\n    go_to("lobby")\n',
        "attempts": 1,
    }
    key = Key(task=task, phrasing=phrasing, sample=sample)
    return Record(key=key, **{**ordinary, **fields})


def passed(task: str, phrasing: int, right: bool, sample: int = 0) -> Record:
    """An item that is right, or wrong and accepted."""
    return record(task, phrasing, sample, outcome=Outcome.RIGHT if right else Outcome.WRONG)


def records(
    seed: int, tasks: int = 30, phrasings: int = 5, samples: int = 2, skill: float = 0.8
) -> list[Record]:
    """All items of a suite; tasks are easy and hard ones, the same for every seed.

    Args:
        skill: share of right ones, about.
    """
    return [
        _item(task, phrasing, sample, skill, random.Random(f"{seed} {task} {phrasing} {sample}"))
        for task in range(tasks)
        for phrasing in range(phrasings)
        for sample in range(samples)
    ]


def folder_of(path: Path, some: Sequence[Record], items: int = 0) -> Path:
    """A folder of an evaluation that holds these."""
    path.mkdir(parents=True, exist_ok=True)
    asked = {"suite": "service", "model": "models/made-up.gguf", "samples": 2, "temperature": 0.8}
    manifest = Manifest(
        asked=asked,
        sha256={"suite": "ab" * 32, "model": "cd" * 32},
        items=items or len(some),
        versions={"roboinstruct": "0.1.0"},
    )
    (path / MANIFEST).write_text(manifest.model_dump_json())
    (path / RECORDS).write_text("".join(f"{one.model_dump_json()}\n" for one in some))
    return path


def _item(task: int, phrasing: int, sample: int, skill: float, chance: random.Random) -> Record:
    kind = KINDS[task % len(KINDS)]
    easy = random.Random(task).betavariate(4 * skill, 4 * (1 - skill))
    right = chance.random() < easy
    common = {
        "kind": kind,
        "parts": 1 + task % 3,
        "text": f"Please bring the {CODES[task % 5]} of room {task} to the lobby, way {phrasing}.",
        "tokens": chance.randint(30, 200),
        "seconds": round(chance.lognormvariate(0.5 if right else 0.9, 0.6), 3),
        "confidence": min(1.0, max(0.0, chance.gauss(0.85 if right else 0.6, 0.15))),
    }
    name = f"{kind.replace(' ', '-')}-{task}"
    if kind == KINDS[-1]:
        return record(name, phrasing, sample, **_no_task(right), **common, attempts=0)
    return record(name, phrasing, sample, **_task(task, right, chance), **common)


def _no_task(right: bool) -> dict[str, Any]:
    wanted = {"wanted": (AnswerKind.CANNOT,)}
    if right:
        return {**wanted, "answer": AnswerKind.CANNOT, "program": "", "said": "I cannot do that."}
    return {**wanted, "outcome": Outcome.WRONG, "why": "it is no task for a program"}


def _task(task: int, right: bool, chance: random.Random) -> dict[str, Any]:
    program = PROGRAM.format(room=f"room {task}", thing="cup" if right else "<b>mug</b>")
    attempts = chance.choice((1, 1, 1, 2, 3))
    first = (chance.choice(CODES),) if attempts > 1 else ()
    ended: dict[str, Any] = {"program": program, "attempts": attempts, "first_codes": first}
    if right:
        return {**ended, "worlds": _worlds(3, True)}
    outcome = chance.choice((Outcome.WRONG, Outcome.NOTED, Outcome.NOTHING, Outcome.ANSWERED))
    if outcome is Outcome.NOTHING:
        codes = (chance.choice(CODES),)
        return {**ended, "outcome": outcome, "answer": None, "codes": codes, "first_codes": codes,
                "why": "no program was accepted"}  # fmt: skip
    if outcome is Outcome.ANSWERED:
        said = {"answer": AnswerKind.CANNOT, "said": "There is no such thing.", "program": ""}
        return {**ended, **said, "outcome": outcome}
    notes = ("The words name no mug.",) if outcome is Outcome.NOTED else ()
    return {**ended, "outcome": outcome, "notes": notes, "worlds": _worlds(3, False),
            "why": "['go_to room', 'pick mug']"}  # fmt: skip


def _worlds(count: int, right: bool) -> tuple[WorldRecord, ...]:
    bad = WorldRecord(
        world="the cup is elsewhere",
        fault="" if count % 2 else "python_error",
        why="it picks the mug",
        goals=(1, 2),
        calls=('go_to("room")', 'pick("mug")'),
    )
    good = tuple(WorldRecord(world=f"world {number}", goals=(2, 2)) for number in range(count))
    return good if right else (*good[1:], bad)
