"""Runs made-up programs: what the plan says a variable stands for is what it holds."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from roboinstruct_ros.program.narrate import narrate
from roboinstruct_ros.program.task_program import TaskProgram

NAMES = ["answer", "reply", "found", "here"]
VALUES = ['ask("Al", "Q", ["x"])', 'ask("Bo", "Q", ["x"])', "get_current_location()",
          'is_in_room("apple")', 'is_in_room("pear")', "work()", "1"]  # fmt: skip
BLOCKS = ["if {c}:\n{0}\nelse:\n{1}", "if {c}:\n{0}", "for _ in range(2):\n{0}",
          "for one in [1, 2]:\n{0}\n    if {c}:\n        break\nelse:\n{1}",
          "while {c}:\n{0}", "try:\n{0}\n    fail()\nexcept SkillError:\n{1}",
          "try:\n{0}\nfinally:\n{1}", "if {c}:\n{0}\n    return",
          "for _ in range(2):\n    if {c}:\n        continue\n{0}"]  # fmt: skip


class _Writer:
    def __init__(self, seed: int) -> None:
        self.chance, self.uses = random.Random(seed), 0

    def body(self, depth: int) -> list[str]:
        return [line for _ in range(self.chance.randint(1, 3)) for line in self.one(depth)]

    def one(self, depth: int) -> list[str]:
        name, kind = self.chance.choice(NAMES), self.chance.randrange(9)
        if depth and kind < 3:
            blocks = ["\n".join(f"    {line}" for line in self.body(depth - 1)) for _ in range(2)]
            block = self.chance.choice(BLOCKS)
            return block.format(*blocks, c="chance()").split("\n")
        if kind < 6:
            return [f"{name} = {self.chance.choice(VALUES)}"]
        if kind == 6:
            return [self.chance.choice(VALUES[:2])]
        self.uses += 1
        return [f"if {name}:", f"    use({self.uses}, {name})"]

    def program(self) -> str:
        start = [f"    {name} = {self.chance.choice(VALUES[:5])}" for name in NAMES]
        helper = [f"    {line}".replace("work()", "1") for line in self.body(1)]
        main = [f"    {line}" for line in self.body(3)]
        return "\n".join(
            ["def work():", *start, *helper, "    return 1", "def task_program():", *start, *main]
        )


class _Robot:
    """Skills that return something new each time, which is true."""

    def __init__(self, seed: int, told: dict[int, set[str]]) -> None:
        self.chance, self.told, self.last, self.left = random.Random(seed), told, {}, 60

    def new(self, *key: str) -> str:
        self.left -= 1
        if self.left < 0:
            raise StopIteration
        value = f"{key} {self.left}"
        for one in key:
            self.last[one] = value
        return value

    def decide(self) -> bool:
        self.left -= 1
        if self.left < 0:
            raise StopIteration
        return self.chance.random() < 0.5

    def fail(self) -> None:
        if self.decide():
            raise LookupError

    def use(self, number: int, value: Any) -> None:
        for words in self.told.get(number, ()):
            if "the answer" in words and "“" not in words:
                assert value == self.last.get("ask"), words
            if "remembered last" in words:
                assert value == self.last.get("place"), words
            if "where I started" in words:
                assert str(value).startswith("('place',"), words
            for thing in ("apple", "pear"):
                if f"there was a{'n' * (thing == 'apple')} {thing}" in words:
                    assert str(value).startswith(f"('{thing}',"), words

    def names(self) -> dict[str, Callable[..., Any]]:
        return {
            "ask": lambda *_: self.new("ask"),
            "get_current_location": lambda: self.new("place"),
            "is_in_room": lambda thing: self.new(thing),
            "chance": self.decide,
            "fail": self.fail,
            "use": self.use,
        }


@given(st.integers(0, 10**9))
@settings(max_examples=300, deadline=None)
def test_a_variable_holds_what_the_plan_says(seed: int) -> None:
    source = _Writer(seed).program()
    steps = narrate(TaskProgram.from_text(source))
    told: dict[int, set[str]] = {}
    for before, step in pairwise(steps):
        if step.text.startswith("Use: "):
            number = int(step.text[5:].split(",")[0])
            told.setdefault(number, set()).update({before.text, step.text})
    for run in range(6):
        robot = _Robot(run, told)
        names: dict[str, Any] = {**robot.names(), "SkillError": LookupError}
        exec(source, names)
        try:
            names["task_program"]()
        except (StopIteration, LookupError):
            pass
        except AssertionError as error:
            plan = "\n".join(map(str, steps))
            raise AssertionError(f"{error}\n{source}\n{plan}") from error
