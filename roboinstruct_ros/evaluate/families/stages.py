"""Varies what has to be done: stages added or removed, conditions tightened or relaxed.

Each operator adds a sentence to every phrasing, and its meaning to the conditions and the
reference. A combination that contradicts the rest of the task is not admitted.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from roboinstruct_ros.evaluate.families.task import (
    Operator,
    Task,
    Variant,
    body_of,
    changed,
    errand_of,
    program_of,
    texts,
)
from roboinstruct_ros.evaluate.families.words import ended, way_to_name
from roboinstruct_ros.evaluate.suite.case import Place

Condition = Mapping[str, Any]

_BACK = re.compile(
    r"[,.;]?\s*(?:and|then|and then|after that,?|afterwards,?)?\s*\b(?:come|go|drive|return|get)"
    r"(?: back)?(?: here| to me| to (?:the start|where you (?:are now|were|start(?:ed)?)))?\s*\.?$",
    re.IGNORECASE,
)
_ONE_WAY = re.compile(r"\b(go|drive|get)\W*$", re.IGNORECASE)


def come_back(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Adds a stage: back to the start."""
    program = program_of("began_in = get_current_location()", *errand_of(task), "go_to(began_in)")
    yield from _more(task, "After that drive back to where you are now.", program,
                     {"at_end": "robot_at(start)"})  # fmt: skip


def say_done(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Adds a stage: a message at the end."""
    program = program_of(*errand_of(task), 'say("I am finished")')
    yield from _more(task, "When all of it is done, say that you are finished.", program,
                     {"says": "finish|done|complete"})  # fmt: skip


def say_first(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Adds a stage: a message at the beginning."""
    program = program_of('say("I am on my way")', *body_of(task))
    yield from _more(task, "Before you do anything else, say that you are on your way.", program,
                     {"first": 'say("~way")'})  # fmt: skip


def stop_by(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Adds a stage: another room first."""
    body = body_of(task)
    at = next((i for i, one in enumerate(body) if not _is_start(one)), len(body))
    for room in _unnamed(task, place, chance):
        program = program_of(*body[:at], f"go_to({room!r})", *body[at:])
        yield from _more(task, f"Before anything else, drive to the {room}.", program,
                         {"first": f'go_to("{room}")'}, room=room)  # fmt: skip


def stay_there(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Removes a stage: the robot does not come back."""
    *body, last = body_of(task)
    starts = {ast.unparse(one.targets[0]) for one in body if _is_start(one)}  # type: ignore[attr-defined]
    if not body or ast.unparse(last) not in {f"go_to({name})" for name in starts}:
        return
    phrasings = [short for text in task["phrasings"] if (short := _without_return(text))]
    if phrasings:
        kept = _without(task, lambda one: "at_end" in one)
        yield Variant(changed(kept, phrasings=phrasings, program=program_of(*body)), {})


def try_again(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Adds a stage: the gripper fails once in every world, and the robot tries again."""
    tree = ast.parse(program_of(*body_of(task)))
    program = ast.unparse(ast.fix_missing_locations(_Again().visit(tree)))
    fails = [{"skill": "pick", "argument": "*", "times": 1, "code": "GRASP_FAILED"}]
    worlds = [{**world, "fails": fails} for world in task["worlds"] if not world.get("fails")]
    if "except" in program and len(worlds) == len(task["worlds"]):
        again = changed(task, worlds=worlds)
        yield from _more(again, "If the gripper misses a thing, try once more.", program)


def keep_out(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Tightens: a room is closed."""
    for room in _unnamed(task, place, chance):
        yield from _more(task, f"Do not drive into the {room}.", None,
                         {"never": f'go_to("{room}")'}, room=room)  # fmt: skip


def few_drives(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Tightens: no more drives than the reference's."""
    drives = _most_calls(body_of(task), "go_to")
    if drives:
        times = "once" if drives == 1 else f"{drives} times"
        yield from _more(task, f"Do not drive more than {times} in all.", None,
                         {"at_most": drives, "of": "go_to(...)"}, drives=drives)  # fmt: skip


def silent(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Tightens: no messages."""
    if "say(" not in task["program"]:
        yield from _more(task, "Say nothing on the way.", None, {"never": "say(...)"})


def ask_once(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Tightens: one question only."""
    if _most_calls(body_of(task), "ask") == 1:
        yield from _more(task, "Ask only once.", None, {"at_most": 1, "of": "ask(...)"})


def any_order(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Relaxes: the order does not matter."""
    shapes = ("first", "in_order", "before")
    yield from _less(task, "The order does not matter.", shapes)


def any_end(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Relaxes: where the robot ends does not matter."""
    yield from _less(task, "How it is left in the end does not matter.", ("at_end",))


def any_count(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Relaxes: how often something is done does not matter."""
    yield from _less(task, "Take as many turns as you like.", ("exactly", "at_most"))


OPERATORS: dict[str, Operator] = {
    "come-back": come_back,
    "say-done": say_done,
    "say-first": say_first,
    "stop-by": stop_by,
    "stay-there": stay_there,
    "try-again": try_again,
    "keep-out": keep_out,
    "few-drives": few_drives,
    "silent": silent,
    "ask-once": ask_once,
    "any-order": any_order,
    "any-end": any_end,
    "any-count": any_count,
}


class _Again(ast.NodeTransformer):
    """Wraps picks in a second try."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if not ast.unparse(node).startswith("pick("):
            return node
        caught = ast.ExceptHandler(ast.Name("SkillError"), None, [node])
        return ast.Try([node], [caught], [], [])


def _more(
    task: Task, sentence: str, program: str | None, condition: Condition | None = None, **told: Any
) -> Iterator[Variant]:
    """The task with a sentence and its condition; `program` None keeps the reference."""
    if condition is not None and condition in task.get("conditions", ()):
        return
    conditions = [*task.get("conditions", ()), *([condition] if condition is not None else [])]
    yield Variant(
        changed(
            task,
            phrasings=[f"{ended(text)} {sentence}" for text in task["phrasings"]],
            program=program or task["program"],
            conditions=conditions or None,
        ),
        told,
    )


def _less(task: Task, sentence: str, shapes: Sequence[str]) -> Iterator[Variant]:
    """The task with a sentence, and without the conditions of these shapes."""
    loose = _without(task, lambda one: any(shape in one for shape in shapes))
    if loose != task:
        yield from _more(loose, sentence, None, dropped=list(shapes))


def _without(task: Task, is_dropped: Any) -> dict[str, Any]:
    def kept(conditions: Sequence[Condition]) -> list[Condition]:
        return [one for one in conditions if not is_dropped(one)]

    worlds = [
        {**world, "conditions": kept(world["conditions"])} if "conditions" in world else world
        for world in task["worlds"]
    ]
    conditions = kept(task["conditions"]) if "conditions" in task else None
    return changed(task, worlds=worlds, conditions=conditions)


def _without_return(text: str) -> str:
    """The phrasing without a final request to come back; "" if it has none."""
    found = _BACK.search(text)
    if not found or _ONE_WAY.search(found.group()) or not found.group().strip(" .,;"):
        return ""
    return ended(text[: found.start()])


def _unnamed(task: Task, place: Place, chance: random.Random) -> list[str]:
    """Rooms that the task does not mention, in random order."""
    told = [task.get(field, "") for field in ("phrasings", "program", "conditions", "worlds")]
    said = "\n".join(texts(told)).lower()
    rooms = [
        room.name
        for room in place.rooms.rooms
        if not any(name.lower() in said for name in (room.name, *room.aliases))
        and way_to_name(room.name) == "the"
    ]
    return chance.sample(rooms, len(rooms))


def _is_start(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and (
        ast.unparse(statement.value) == "get_current_location()"
    )


def _most_calls(body: Sequence[ast.stmt], skill: str) -> int | None:
    """Most calls of a skill on any path; None if there is a loop."""
    most = 0
    for statement in body:
        if isinstance(statement, (ast.For, ast.While, ast.FunctionDef, ast.Try)):
            return None
        if isinstance(statement, ast.If):
            branches = [_most_calls(part, skill) for part in (statement.body, statement.orelse)]
            if None in branches:
                return None
            most += max(count or 0 for count in branches) + _calls(statement.test, skill)
        else:
            most += _calls(statement, skill)
    return most


def _calls(node: ast.AST, skill: str) -> int:
    calls = (one for one in ast.walk(node) if isinstance(one, ast.Call))
    return sum(ast.unparse(call.func) == skill for call in calls)
