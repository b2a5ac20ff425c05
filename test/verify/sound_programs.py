"""Accepted programs to begin from: of the suite, the docs and the prompts, and drawn tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import yaml
from accepted_programs import PYTHON
from named_world import House
from oracle import OPEN, Case, house_of, map_of
from plain_rules import RULES
from programs import ACCEPTED, PAPER_LONG_TASKS, SEED_EXAMPLES
from task_programs import TASKS
from world_programs import ROOMS, WAITS, WORLDS

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.learn.pairs.draw_pair import make_pair

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "verifier.md"
EXAMPLES = re.findall(r"```python accepted(.*?)\n(.*?)```", _PAGE.read_text(), re.DOTALL)
_WORLD = find_world("home")


def _home() -> House:
    """The shipped home, as its file has it."""
    rooms = yaml.safe_load(Path(_WORLD).read_text())["rooms"]
    return house_of({room["name"]: tuple(room.get("aliases", ())) for room in rooms})


HOME = Case("", load_semantic_map(_WORLD), _home())


def suite() -> Iterator[Case]:
    """Programs of the tests and of the docs; some under a rule."""
    cases = [*SEED_EXAMPLES, *PAPER_LONG_TASKS, *ACCEPTED, *PYTHON, *WORLDS, *ROOMS, *WAITS, *TASKS]
    for number, case in enumerate(cases):
        rule = RULES[number % len(RULES)] if number % 3 == 0 else None
        yield (HOME if case.closed else OPEN).with_program(case.source, rule)
    for head, source in EXAMPLES:
        yield (OPEN if "open" in head else HOME).with_program(source)


def tasks(seed: int, count: int) -> Iterator[Case]:
    """Programs as a model learns them, each on the map of its scene or in the open world."""
    for index in range(count):
        pair = make_pair(seed, index, source="composed" if index % 3 else "written")
        if pair.program.splitlines()[1].lstrip().startswith("#"):
            continue  # an answer, no program
        rooms = {room: () for room in pair.scene.rooms} if index % 2 else {}
        there = Case("", map_of(rooms), house_of(rooms)) if rooms else OPEN
        yield there.with_program(pair.program)
