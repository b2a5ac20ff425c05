"""Requests to a kitchen robot, many by the use of a thing: the list of SayCan, with its plans.

`--set saycan:CHECKOUT` reads `data/saycan_plan_v0_l.tsv` of
https://github.com/say-can/say-can.github.io (CC BY 4.0). "Something caffeinated" is right if any of
the things is brought that the sentence's plans bring; the only other things there are those that
the sentence excludes. Questions about how the robot would do it, drawers that have to be opened,
and tasks with all things of a place are left out.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from itertools import permutations
from pathlib import Path

from roboinstruct_ros.evaluate.readers.errand import Errand
from roboinstruct_ros.evaluate.suite.case import Case, Place, Suite, Trial

FILE = "data/saycan_plan_v0_l.tsv"
START = "hallway"
PLACES = {
    "table": ("kitchen table",),
    "counter": ("close counter",),
    "far counter": (),
    "trash": ("trash can", "bin"),
}

_STEP = re.compile(r"\s*\d+\. ")
_PICK = re.compile(r"pick up (?:the |an? )?(?P<thing>.+?)(?: can| bottle)?")
_GO = re.compile(r"go to (?:the )?(?P<place>.+)")
_LEFT_OUT = re.compile(r"^how would you|\b(all|everything|clear off|clean off|clear the)\b", re.I)
_NOT = re.compile(r"\b(not|isn.t|allergic)\b")


def read(checkout: Path) -> Suite:
    """All sentences, without duplicates.

    Raises:
        OSError: there is no such file.
        KeyError: it has another form.
    """
    plans: dict[str, list[list[str]]] = defaultdict(list)
    with (checkout / FILE).open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            steps = (step.strip(" .,") for step in _STEP.split(row["OUTPUT"]))
            plan = [step for step in steps if step not in ("", "done")]
            if plan not in plans[row["INPUT"].strip()]:
                plans[row["INPUT"].strip()].append(plan)
    things = {_thing(step) for some in plans.values() for steps in some for step in steps} - {""}
    place = Place.of_names({START: (), **PLACES}, START)
    cases: list[Case] = []
    left_out = Counter[str]()
    for text, known in plans.items():
        try:
            cases.append(
                Case(text, _kind(text, known), place, (trial_of(text, known, things, place),))
            )
        except ValueError as reason:
            left_out[str(reason)] += 1
    return Suite(tuple(cases), left_out)


def trial_of(text: str, plans: list[list[str]], things: set[str], place: Place) -> Trial:
    """The world that holds what the plans need, in which each plan is right.

    Raises:
        ValueError: the sentence is left out, and why.
    """
    if _LEFT_OUT.search(text):
        raise ValueError("a question how, or all that is there")
    trials = [_errand(order, place).trials()[0] for plan in plans for order in _orders(plan)]
    lying: dict[str, Counter[str]] = defaultdict(Counter)
    for trial in trials:
        for room, some in trial.here.items():
            lying[room] |= Counter(some)  # as many of each thing as a plan needs
    here = {room: list(some.elements()) for room, some in lying.items()}
    if _NOT.search(text) and here:
        refused = sorted(thing for thing in things if re.search(rf"\b{thing}", text))
        next(iter(here.values())).extend(refused)
    return Trial([way for trial in trials for way in trial.ways], here)


def _errand(steps: list[str], place: Place) -> Errand:
    errand, goal = Errand(place), None
    for number, step in enumerate(steps):
        thing, drive = _thing(step), _GO.fullmatch(step)
        carries = number + 1 < len(steps) and steps[number + 1].startswith("put down")
        if thing:
            errand.pick("|".join(_names(thing)))
        elif drive:
            goal = place.rooms.resolve(drive["place"])
            if goal is None:
                raise ValueError(f"a place beyond the map: {drive['place']}")
            if not carries:
                errand.go(goal)
        elif step == "bring it to you":
            goal = ""
        elif step.startswith("put down"):
            errand.put(goal or "")
        elif not step.startswith("find"):
            raise ValueError(f"a step beyond the skills: {step.split()[0]}")
    return errand


def _orders(steps: list[str]) -> list[list[str]]:
    """The plan with its things one after the other in any order."""
    blocks: list[list[str]] = [[]]
    for step in steps:
        blocks[-1].append(step)
        if step.startswith("put down"):
            blocks.append([])
    if blocks[-1] or len(blocks) > 4:
        return [steps]
    return [[step for block in order for step in block] for order in permutations(blocks[:-1])]


def _thing(step: str) -> str:
    found = _PICK.fullmatch(step)
    return found["thing"] if found else ""


def _names(thing: str) -> tuple[str, ...]:
    """All names that a person may use: with the container, or the last word alone."""
    spelled = (thing, thing.replace("redbull", "red bull"))
    held = (f"{one} {can}" for one in spelled for can in ("can", "bottle", "bag"))
    filled = (f"{can} of {one}" for one in spelled for can in ("can", "bottle", "bag"))
    return tuple(dict.fromkeys((*spelled, *held, *filled, thing.split()[-1])))


def _kind(text: str, plans: list[list[str]]) -> str:
    """Whether the words name the thing, or leave it to common knowledge."""
    things = {_thing(step) for step in plans[0]} - {""}
    if not things:
        return "go"
    words = text.lower().replace("red bull", "redbull")
    return "named" if all(thing.split()[-1] in words for thing in things) else "by its use"
