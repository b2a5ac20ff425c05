"""Plain execution of a program in a `named_world`: as a story tells, or in every way there is."""

from __future__ import annotations

import ast
import builtins
import math
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import CodeType, SimpleNamespace
from typing import Any

from named_world import (
    FILE,
    Ending,
    Failure,
    House,
    NoSuchWorld,
    PlainWorld,
    SkillError,
    StoryOver,
)
from read_programs import as_the_program_says

_SKILLS = ("go_to", "is_in_room", "ask", "say", "pick", "place", "get_current_location",
           "get_all_rooms")  # fmt: skip
_CLOCK = ("sleep", "time")
_CHANCE = ("choice", "randint", "random", "uniform", "sample", "shuffle")
_MOST_STATEMENTS = 20_000  # of one run; who needs more does not come to an end
AT = "_statement_"


@dataclass
class Watch:
    """Sees each statement of a run.

    Attributes:
        lines: those that were executed.
        left: statements after which the run is taken for endless.
    """

    lines: set[int] = field(default_factory=set)
    left: int = _MOST_STATEMENTS

    def begin(self) -> None:
        """A run begins."""
        self.left = _MOST_STATEMENTS

    def at(self, line: int) -> None:
        """A statement is about to be executed. Raises Endless past the most."""
        self.lines.add(line)
        self.left -= 1
        if self.left < 0:
            raise Endless


class Endless(BaseException):
    """The program does not come to an end."""


def execute(source: str, world: PlainWorld, watch: Watch | None = None) -> Ending:
    """Run a program to its end; a first impossible call decides, whatever comes after it.

    Raises:
        NoSuchWorld, StoryOver: as the world and its answers do.
    """
    served = {name: _served(world, name) for name in (*_SKILLS, *_CLOCK, *_CHANCE, "print")}
    modules = {
        "math": math,
        "time": SimpleNamespace(**{name: served[name] for name in _CLOCK}),
        "random": SimpleNamespace(**{name: served[name] for name in _CHANCE}),
    }
    namespace: dict[str, Any] = {
        "__builtins__": {**vars(builtins), "print": served["print"], "chr": _whole_character},
        "SkillError": SkillError,
        AT: (watch or Watch()).at,
        **modules,
        **{name: served[name] for name in _SKILLS},
    }
    ending = Ending()
    try:
        exec(_compiled(source), namespace)
        namespace["task_program"]()
        world.end()
    except (Failure, NoSuchWorld, StoryOver) as error:
        if not isinstance(error, Failure):
            world.broken = error
    except Endless as error:
        ending = Ending("non_termination", _line_of(error))
    except Exception as error:
        if not any(error is failure for failure in world.failures):
            ending = Ending("python_error", _line_of(error), type(error).__name__)
    if world.broken is not None:
        raise world.broken
    return world.failure or ending


@lru_cache(maxsize=64)
def _compiled(source: str) -> CodeType:
    """The program, each statement of a function told before it is executed; imports do nothing."""
    tree = ast.parse(source)
    tree.body = [part for part in tree.body if not isinstance(part, ast.Import)]
    for node in list(ast.walk(tree)):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and not isinstance(node, ast.Module):
                told = [part for each in block for part in (_telling(each), each)]
                setattr(node, name, [part for part in told if not isinstance(part, ast.Import)])
    return compile(ast.fix_missing_locations(tree), FILE, "exec", dont_inherit=True)


def _telling(statement: ast.stmt) -> ast.stmt:
    call = ast.parse(f"{AT}({statement.lineno})").body[0]
    for part in ast.walk(call):
        ast.copy_location(part, statement)
    return call


def _whole_character(code: int) -> str:
    if isinstance(code, int) and 0xD800 <= code <= 0xDFFF:
        raise ValueError("half a character")
    return chr(code)


def _served(world: PlainWorld, name: str) -> Callable[..., Any]:
    """The world's function; after the end nothing is served, whatever a `finally:` asks for."""
    method = getattr(world, name)

    def call(*args: Any, **kwargs: Any) -> Any:
        if world.failure is not None or world.broken is not None:
            raise Failure
        try:
            return method(*args, **kwargs)
        except (NoSuchWorld, StoryOver) as error:
            world.broken = error
            raise

    return call


def _line_of(error: BaseException) -> int:
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


# every way to answer -----------------------------------------------------------------------------


@dataclass
class Picks:
    """One way to pick: indexes so far, then always the first; `forward` gives the next way."""

    path: list[int] = field(default_factory=list)
    widths: list[int] = field(default_factory=list)
    longest: int = 60

    def pick(self, values: Sequence[Any]) -> Any:
        """One of the values. Raises StoryOver past the longest way that is followed."""
        if len(self.widths) == self.longest:
            raise StoryOver("too many picks")
        if len(self.widths) == len(self.path):
            self.path.append(0)
        self.widths.append(len(values))
        return values[self.path[len(self.widths) - 1]]

    def forward(self) -> bool:
        """Go on to the next way, depth first; False when there is none."""
        while self.path and self.path[-1] + 1 >= self.widths[-1]:
            self.path.pop()
            self.widths.pop()
        if not self.path:
            return False
        self.path[-1] += 1
        self.widths = []
        return True


@dataclass
class DrawnPicks(Picks):
    """Picks at random, some worlds with a bent to the first or to the last."""

    chance: random.Random = field(default_factory=random.Random)

    def __post_init__(self) -> None:
        self._bent = self.chance.choice([0.0, 0.0, 0.7, 0.95, 1.0])
        self._to = self.chance.choice([0, -1])

    def pick(self, values: Sequence[Any]) -> Any:
        if len(self.widths) == self.longest:
            raise StoryOver("too many picks")
        self.widths.append(len(values))
        bent = self.chance.random() < self._bent
        return values[self._to] if bent else self.chance.choice(list(values))


def every_way(run: Callable[[Picks], Ending], most: int) -> Iterator[Ending]:
    """The endings of all ways; ways that no world shows are left out.

    Raises:
        OverflowError: there are more ways than `most`.
    """
    picks = Picks()
    for _ in range(most):
        with suppress(NoSuchWorld, StoryOver):
            yield run(picks)
        if not picks.forward():
            return
    raise OverflowError(most)


# the world of a story ----------------------------------------------------------------------------

Told = tuple[str, tuple[Any, ...], Any, int, str]
"""A call of a story: skill, arguments, result, line, why it fails."""


@dataclass
class StoryAnswers:
    """Answers as a story tells; what it does not tell is picked."""

    calls: Sequence[Told]
    picks: Picks
    made: int = 0

    def pick(self, values: Sequence[Any]) -> Any:
        return self.picks.pick(values)

    def begin(self, skill: str, arguments: tuple[Any, ...], line: int) -> None:
        self.made += 1
        if self.made > len(self.calls):
            return  # only a call that fails may follow: it gets no answer
        told_skill, told_arguments, _, told_line, _ = self.calls[self.made - 1]
        plain = tuple(list(a) if isinstance(a, tuple) else a for a in told_arguments)
        if (skill, arguments, line) != (told_skill, plain, told_line):
            raise StoryOver(f"makes {skill}{arguments} in line {line}")

    def fails(self) -> str:
        return self.calls[self.made - 1][4] if self.made <= len(self.calls) else ""

    def tell(self, values: Sequence[Any] | None) -> Any:
        if self.made > len(self.calls):
            raise StoryOver("goes on after the end of the story")
        result = self.calls[self.made - 1][2]
        if values is not None and result not in values:
            raise StoryOver(f"is answered {result!r}, not one of {values!r}")
        return result


def endings_of_story(
    source: str, calls: Sequence[Told], house: House, fickle: bool = False
) -> frozenset[Ending]:
    """How plain execution ends where it makes exactly the calls of the story."""
    named = [str(room) for call in calls for room in _rooms(*call[:3])]
    starts = house.starts if len(house.starts) == 1 else (*house.starts, *named)
    where = as_the_program_says(replace(house, starts=tuple(dict.fromkeys(starts))), source)

    def run(picks: Picks) -> Ending:
        answers = StoryAnswers(calls, picks)
        ending = execute(source, PlainWorld(where, answers, fickle))
        if answers.made < len(calls):
            raise StoryOver("ends before the story")
        return ending

    return frozenset(every_way(run, most=3000))


def _rooms(skill: str, arguments: tuple[Any, ...], result: Any) -> Sequence[Any]:
    if skill == "go_to":
        return arguments
    return {"get_current_location": [result], "get_all_rooms": result or []}.get(skill, [])
