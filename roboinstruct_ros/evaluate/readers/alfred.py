"""Household goals in people's own words: ALFRED's goal sentences, with the recorded demonstrations.

`--set alfred:CHECKOUT` reads a folder with `data/json_2.1.0/valid_*` from
https://github.com/askforalfred/alfred (MIT). For tasks that only carry a thing, sentences that name
thing and goal plainly, as the task does, expect the thing to be found and carried there; the map
has the furniture as places. Sentences that begin with heating, cooling, washing, slicing or
switching on are beyond the skills, and a refusal is expected. All others are left out.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from roboinstruct_ros.evaluate.readers.errand import Errand
from roboinstruct_ros.evaluate.suite.case import REFUSAL, Case, Place, Suite

FOLDER = "data/json_2.1.0"
START = "entrance"
CARRYING = "pick_and_place_simple"
GOALS = {
    "ArmChair": ("armchair", "arm chair"),
    "BathtubBasin": ("bathtub", "tub", "bath tub"),
    "Bed": ("bed",),
    "Cabinet": ("cabinet",),
    "Cart": ("cart",),
    "CoffeeTable": ("coffee table",),
    "CounterTop": ("counter", "countertop", "counter top"),
    "Desk": ("desk",),
    "DiningTable": ("dining table",),
    "Drawer": ("drawer",),
    "Dresser": ("dresser",),
    "Fridge": ("fridge", "refrigerator"),
    "GarbageCan": ("garbage can", "trash can", "bin", "trash"),
    "Microwave": ("microwave",),
    "Ottoman": ("ottoman",),
    "Safe": ("safe",),
    "Shelf": ("shelf",),
    "SideTable": ("side table", "nightstand", "night stand"),
    "SinkBasin": ("sink",),
    "Sofa": ("sofa", "couch"),
    "Toilet": ("toilet",),
}
"""What people call the pieces of furniture; the first name is the map's."""

_BEYOND = re.compile(
    r"(?:to )?(?P<verb>heat|warm|cook|microwave|cool|chill|wash|rinse|clean|slice|cut|turn on"
    r"|switch on)\b"
)
_THE = r"(?:the |a |an |some )?"
_TO = r"(?:on top of|in to|inside|into|in|onto|on|to)"
_PLACES = "|".join(sorted((name for names in GOALS.values() for name in names), key=len)[::-1])
_FROM = rf"(?: (?:from|on|in|off of|off) {_THE}(?P<source>{_PLACES}))?"
_CARRY = re.compile(
    r"(?:to )?(?:put|place|move|take|bring|carry|store|set|get|pick up|grab) "
    rf"{_THE}(?P<thing>[a-z ]+?){_FROM}"
    rf"(?:,? (?:and|then|and then) (?:put|place|set|move|bring|take) it|, (?:put|place) it)?"
    rf" {_TO} {_THE}(?P<goal>{_PLACES})"
)
_MORE = frozenset(
    {"clean", "hot", "cold", "heated", "chilled", "sliced", "wet", "empty", "two", "large", "small"}
    | {"red", "blue", "green", "white", "black", "gold", "brown", "pink", "yellow", "grey", "gray"}
)
"""Words for a state that has to be reached first, or for what the robot cannot see."""


def read(checkout: Path) -> Suite:
    """All goal sentences of the validation set, without duplicates.

    Raises:
        OSError: there are none.
        ValueError: a file is not JSON.
        KeyError: a file has another form.
    """
    files = sorted((checkout / FOLDER).glob("valid_*/*/*/traj_data.json"))
    if not files:
        raise FileNotFoundError(f"there are no tasks in {checkout / FOLDER}")
    furniture = {first: others for first, *others in GOALS.values()}
    place = Place.of_names({START: (), **furniture}, START)
    cases: dict[str, Case] = {}
    left_out = Counter[str]()
    for path in files:
        task = json.loads(path.read_text("utf-8"))
        for said in task["turk_annotations"]["anns"]:
            text = str(said["task_desc"]).strip()
            try:
                cases[text] = case_of(text, task["task_type"], task["pddl_params"], place)
            except ValueError as reason:
                left_out[str(reason)] += 1
    return Suite(tuple(cases.values()), left_out)


def case_of(text: str, task: str, about: dict[str, Any], place: Place) -> Case:
    """The case of a goal sentence.

    Args:
        task, about: type and parameters of the task that it describes.

    Raises:
        ValueError: it is left out, and why.
    """
    said = " ".join(re.sub(r"[.!]", "", text.lower()).split())
    if task != CARRYING:
        if found := _BEYOND.match(said):
            return Case(text, f"beyond: {found['verb']}", place, (), REFUSAL)
        raise ValueError(f"task {task}")
    carried = _CARRY.fullmatch(said)
    if carried is None:
        raise ValueError("more than thing, place and goal")
    thing, goal, source = carried["thing"], carried["goal"], carried["source"] or ""
    if goal not in GOALS.get(about["parent_target"], ()) or not _differ(goal, source, place):
        raise ValueError("another goal than the task's")
    nouns = re.findall(r"[A-Z][a-z]+", about["object_target"])
    if thing.split()[-1] not in map(str.lower, nouns) or _MORE.intersection(thing.split()):
        raise ValueError("another thing than the task's")
    errand = Errand(place)
    names = "|".join(dict.fromkeys((thing, thing.split()[-1])))
    errand.pick(names, place.rooms.resolve(source) or "")
    errand.put(place.rooms.resolve(goal) or goal)
    return Case(text, "carry from" if source else "find and carry", place, errand.trials())


def _differ(goal: str, source: str, place: Place) -> bool:
    return place.rooms.resolve(goal) != place.rooms.resolve(source)
