"""The structure of a program while its parts are assembled, and its text.

A program is a sequence of steps: plain lines, branches, loops and searches. How a search ends
depends on what follows it: the last step of a program returns, one in the middle breaks.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from roboinstruct_ros.learn.entities import Thing

HEAD = "def task_program():"
START = "start_loc = get_current_location()"
HOME = "go_to(start_loc)"
ALL = "for room in get_all_rooms():"
ITEM = "is_in_room(item)"


@dataclass(frozen=True)
class Branch:
    """`if test:` with what is done then and otherwise."""

    test: str
    yes: Steps
    no: Steps = ()


@dataclass(frozen=True)
class Loop:
    """`for ...:` or `while ...:` over a body that is done each time."""

    header: str
    body: Steps


@dataclass(frozen=True)
class Search:
    """Visits rooms (or tries names) until a test holds.

    Attributes:
        test: Evaluated at each place.
        found: Done once if it holds.
        missing: Done if it held nowhere.
        header: What is iterated over; `steps` are done for each before the test.
        vital: Without a result the rest of the task makes no sense.
    """

    test: str
    found: Steps
    missing: Steps = ()
    header: str = ALL
    steps: Steps = ("go_to(room)",)
    vital: bool = False


Step: TypeAlias = "str | Branch | Loop | Search"
Steps: TypeAlias = tuple[Step, ...]


@lru_cache(maxsize=4096)
def quoted(text: str) -> str:
    """The text as a Python string literal."""
    return json.dumps(text, ensure_ascii=False)


def names_list(names: list[str] | tuple[str, ...]) -> str:
    """The names as a Python list."""
    return f"[{', '.join(map(quoted, names))}]"


def go_to(room: str) -> str:
    """The call that drives to a room of that name."""
    return f"go_to({quoted(room)})"


def say(message: str) -> str:
    """The call that says these words."""
    return f"say({quoted(message)})"


def here(name: str) -> str:
    """The call that looks for something in the room where the robot is."""
    return f"is_in_room({quoted(name)})"


def pick(thing: Thing) -> str:
    """The call that takes it."""
    return f"pick({quoted(thing.name)})"


def place(thing: Thing) -> str:
    """The call that puts it down."""
    return f"place({quoted(thing.name)})"


def wait_for(name: str) -> Loop:
    """Waits where the robot is until somebody or something is there."""
    return Loop(f"while not {here(name)}:", ("time.sleep(1)",))


def program_of(steps: Steps) -> str:
    """The text of the whole function."""
    lines = _without_idle(_lines(steps, True))
    if any("start_loc" in line for line in lines):
        lines = [START, *lines]
    return "\n".join([HEAD, *_indented(lines)]) + "\n"


def _lines(steps: Steps, last: bool) -> list[str]:
    """The text of steps; `last` if nothing follows them."""
    lines: list[str] = []
    for number, step in enumerate(steps):
        ends = last and number == len(steps) - 1
        if isinstance(step, str):
            lines.append(step)
        elif isinstance(step, Loop):
            lines += [step.header, *_indented(_lines(step.body, False))]
        elif isinstance(step, Branch):
            lines += [f"if {step.test}:", *_indented(_lines(step.yes, ends))]
            if step.no:
                lines += ["else:", *_indented(_lines(step.no, ends))]
        else:
            lines += _search(step, ends)
    return lines


def _search(step: Search, ends: bool) -> list[str]:
    leave = "return" if ends else "break"
    found = [*_lines(step.found, False), leave]
    body = [*_lines(step.steps, False), f"if {step.test}:", *_indented(found)]
    lines = [step.header, *_indented(body)]
    if ends:
        return [*lines, *_lines(step.missing, True)]
    missing = [*_lines(step.missing, False), *(["return"] if step.vital else [])]
    return [*lines, *(["else:", *_indented(missing)] if missing else [])]


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _without_idle(lines: list[str]) -> list[str]:
    """The lines without drives to where the previous drive already went."""
    return [
        line
        for number, line in enumerate(lines)
        if not (number and line == lines[number - 1] and line.strip().startswith("go_to("))
    ]
