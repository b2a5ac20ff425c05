"""The robot of the RoboEval benchmark: every way in which its simulator differs from our worlds.

A program that is scored by the benchmark's own checks runs by these rules alone:

- *Patterns.* Names of things and people, and people's answers, are regular expressions that are
  searched for in the program's arguments, ignoring case. So are the names of locations: `go_to`
  goes to the first one found in its text.
- *Traces.* Acting calls and `is_in_room` are traced in order; `pick` and `place` once they have
  succeeded, `is_in_room` before it is answered. Texts are stripped at both ends. Queries of the
  robot's location and of the list of rooms leave no trace.
- *Answers.* A person gives them one after the other, the last one for ever. See `_chosen`.
- *Errors.* A skill's refusal has `Robot` in its text and is a `RobotExecutionError`; any other
  exception of a program is a `PythonError`. A program may catch both.
- *Lower case.* Text between double quotes in the program is lower-cased before it runs, including
  names in the braces of f-strings. Text between single quotes is not.
- *Time.* `time.sleep` returns at once. A run may take 1 s of processor time, 10,000 calls of skills
  and sleeps, or 500,000 letters of speech, whichever limit comes first. A program that waits for
  what never comes reaches the limit of calls after some milliseconds, and always with the same
  trace.
- *Language.* A program has all of Python's builtins and imports from the standard library (the
  modules in `MODULES`), not only the language of task programs; only the confined child restricts
  it. It is not verified first.

The published interface leaves two points open, which are decided here: an object that was placed
can be found again under the pattern by which it was picked; options are traced as they are given.
"""

from __future__ import annotations

import builtins
import copy
import json
import math
import random
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from roboinstruct_ros.evaluate.worlds.processor_time import TimeUp, in_time

SECONDS = 1.0
"""s of processor time that a run may take."""

MOST_CALLS = 10_000
"""Calls of skills and of `time.sleep`."""

MOST_LETTERS = 500_000
"""Most letters that a program may say in all; no errand needs more, nor could a trace hold more."""

MODULES = (
    "collections", "copy", "dataclasses", "datetime", "enum", "functools", "itertools", "json",
    "math", "operator", "random", "re", "statistics", "string", "sys", "typing",
)  # fmt: skip
"""Modules that a program may import besides `time`; all are loaded before the child is confined."""

for _name in MODULES:
    import_module(_name)

_FUNCTION, _FILENAME = "task_program", "<roboeval>"


class End(str, Enum):
    """How a run ended, by the benchmark's names."""

    FINISHED = "finished"
    TIME_OUT = "time-out"
    ROBOT = "RobotExecutionError"
    PYTHON = "PythonError"


class Refused(Exception):
    """An action that this robot cannot do; the benchmark finds `Robot` in the text."""


@dataclass(frozen=True)
class State:
    """The initial world of one test of a task.

    Attributes:
        locations: their names.
        objects: location to patterns.
        agents: location to (pattern, answers).
        robot_location: the robot's initial location.
    """

    locations: Sequence[str]
    objects: Mapping[str, Sequence[str]]
    agents: Mapping[str, Sequence[tuple[str, Sequence[str]]]]
    robot_location: str


@dataclass(frozen=True)
class TracedRun:
    """What a program did in one world.

    Attributes:
        trace: (name, value 1, value 2) of each traced call.
        error: its type and text; "" if there is none.
    """

    end: End
    trace: Sequence[Sequence[Any]] = field(default_factory=tuple)
    error: str = ""


class RoboEvalWorld:
    """The eight skills by the benchmark's rules.

    Attributes:
        trace: so far.
    """

    def __init__(self, state: State) -> None:
        self.trace: list[tuple[str, str, list[str] | None]] = []
        self._locations, self._here = list(state.locations), state.robot_location
        self._objects = {place: list(state.objects[place]) for place in state.objects}
        self._agents = {
            place: [(name, list(answers)) for name, answers in state.agents[place]]
            for place in state.agents
        }
        self._held = self._held_as = ""
        self._calls = self._letters = 0

    def get_current_location(self) -> str:
        self.count()
        return self._here

    def get_all_rooms(self) -> list[str]:
        self.count()
        return list(self._locations)

    def go_to(self, location: str) -> None:
        self.count()
        said = self._text(location, "a location")
        found = _first_in(said, self._locations)
        if found is None:
            raise Refused(f"Robot knows no location in {said!r}")
        self._here = found
        self.trace.append(("GoTo", said, None))

    def is_in_room(self, object: str) -> bool:
        self.count()
        said = self._text(object, "an entity")
        self.trace.append(("CheckEntity", said, None))
        people = [name for name, _ in self._agents.get(self._here, ())]
        return _first_in(said, [*self._objects.get(self._here, ()), *people]) is not None

    def ask(self, person: str, question: str, options: list[str]) -> str:
        self.count()
        whom, said = self._text(person, "a person"), self._text(question, "a question")
        if not isinstance(options, list) or not options:
            raise Refused("Robot needs a list of options to ask")
        if not all(isinstance(option, str) for option in options):
            raise Refused("Robot needs options that are texts")
        here = self._agents.get(self._here, ())
        answers = next((left for name, left in here if _found(name, whom)), None)
        if not answers:
            raise Refused(f"Robot finds nobody in {self._here!r} who answers to {whom!r}")
        self._letters += sum(map(len, options))
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        self.trace.append(("Ask", said, list(options)))
        return _chosen(answer, said, options)

    def say(self, message: str) -> None:
        self.count()
        self.trace.append(("Say", self._text(message, "a message"), None))

    def pick(self, obj: str) -> None:
        self.count()
        said = self._text(obj, "an object")
        if self._held:
            raise Refused(f"Robot cannot pick {said!r}, it holds {self._held!r}")
        things = self._objects.get(self._here, [])
        found = _first_in(said, things)
        if found is None:
            raise Refused(f"Robot finds no {said!r} in {self._here!r}")
        things.remove(found)
        self._held, self._held_as = said, found
        self.trace.append(("Pick", said, None))

    def place(self, obj: str) -> None:
        self.count()
        said = self._text(obj, "an object")
        if not self._held or said != self._held:
            raise Refused(f"Robot cannot place {said!r}, it holds {self._held!r}")
        self._objects.setdefault(self._here, []).append(self._held_as)
        self._held = self._held_as = ""
        self.trace.append(("Place", said, None))

    def count(self) -> None:
        """Count a call, also of `time.sleep`.

        Raises:
            TimeUp: there were too many calls, or too much has been said.
        """
        self._calls += 1
        if self._calls > MOST_CALLS or self._letters > MOST_LETTERS:
            raise TimeUp

    def _text(self, value: object, what: str) -> str:
        if not isinstance(value, str):
            raise Refused(f"Robot needs {what} that is a text, not {type(value).__name__}")
        self._letters += len(value)
        return value.strip()


def run(source: str, state: State, seconds: float = SECONDS) -> TracedRun:
    """Run a program; only to be called in a confined child.

    Args:
        source: a complete `def task_program():`, or its body.
        seconds: s of processor time that it may take.
    """
    world = RoboEvalWorld(state)
    try:
        in_time(lambda: _call(source, world), seconds, _FILENAME)
    except TimeUp:
        return TracedRun(End.TIME_OUT, world.trace, "TimeoutError: it does not end")
    except BaseException as error:  # a program may raise anything, and may try to exit
        text = f"{type(error).__name__}: {error}"[:300]
        return TracedRun(End.ROBOT if "Robot" in str(error) else End.PYTHON, world.trace, text)
    return TracedRun(End.FINISHED, world.trace)


def lower_cased(source: str) -> str:
    """The program with all text between double quotes in lower case."""
    return re.sub(r'"[^"]*"', lambda found: found.group().lower(), source)


def whole_program(text: str) -> str:
    """The complete function of a text, which may be only its body."""
    if re.search(rf"^def {_FUNCTION}\b", text, re.MULTILINE):
        return text
    lines = text.strip("\n").split("\n")
    indent = "" if lines and lines[0][:1].isspace() else "    "
    return f"def {_FUNCTION}():\n" + "\n".join(indent + line for line in lines) + "\n"


def _call(source: str, world: RoboEvalWorld) -> None:
    skills = {name: getattr(world, name) for name in dir(world) if name in _SKILLS}
    clock = SimpleNamespace(**{name: getattr(time, name) for name in dir(time)})
    clock.sleep = lambda _seconds=0: world.count()
    known = {"time": clock, "re": re, "math": math, "random": random, "copy": copy, "json": json}
    random.seed(1)
    loaded = builtins.__import__

    def import_(name: str, *rest: Any, **named: Any) -> Any:
        return clock if name == "time" else loaded(name, *rest, **named)

    scope = {"__builtins__": {**vars(builtins), "__import__": import_}, "__name__": _FUNCTION}
    namespace: dict[str, Any] = {**scope, **known, **skills}
    exec(compile(lower_cased(whole_program(source)), _FILENAME, "exec"), namespace)
    namespace[_FUNCTION]()


_SKILLS = frozenset(
    "get_current_location get_all_rooms go_to is_in_room ask say pick place".split()
)


def _found(pattern: str, said: str) -> bool:
    return re.search(pattern, said, re.IGNORECASE) is not None


def _first_in(said: str, patterns: Sequence[str]) -> str | None:
    return next((pattern for pattern in patterns if _found(pattern, said)), None)


def _chosen(answer: str, question: str, options: Sequence[str]) -> str:
    """The first option in which the answer is found; else the first "yes" if the question has one;
    else the first "no".

    Raises:
        Refused: there is none of these.
    """
    wanted = [answer, "yes", "no"] if _found(answer, question) else [answer, "no"]
    for pattern in wanted:
        for option in options:
            if _found(pattern, option):
                return option
    raise Refused(f"Robot was answered {answer!r}, which is none of {list(options)}")
