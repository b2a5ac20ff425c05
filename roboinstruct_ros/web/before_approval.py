"""What a person is told before an approval: what moves, and what to look at twice, at its step."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from enum import Enum
from functools import lru_cache

from roboinstruct_ros.domain.phrase import Phrase, Said, joined, listed, phrase
from roboinstruct_ros.program.most_calls import most_calls
from roboinstruct_ros.program.remembered_places import BEGINNING, RememberedPlaces
from roboinstruct_ros.program.syntax import called as skill_of
from roboinstruct_ros.program.syntax import name_of, text_of
from roboinstruct_ros.program.task_program import ENTRY_POINT, lines_of
from roboinstruct_ros.program.wording import called
from roboinstruct_ros.web.api_models import Value
from roboinstruct_ros.web.own_sentences import own_phrase

MOST_NAMED = 3
"""Rooms or things that are named; of more the number is told."""
_QUOTED = re.compile(r"\"([^\"]+)\"|'([^']+)'")
_MOVES = {"go_to": "approve.rooms", "pick": "approve.things"}


class DoubtKind(str, Enum):
    """LOOK_TWICE: words and program differ, or the model is not sure. ASSUMPTION: what the program
    neither checks nor handles."""

    LOOK_TWICE = "look_twice"
    ASSUMPTION = "assumption"


class Doubt(Value):
    """One sentence.

    Attributes:
        text: in English.
        phrase: the same for other languages; None where only the text is known.
        step: index of the step that it is about, -1 for the whole plan.
    """

    kind: DoubtKind
    text: str
    phrase: Phrase | None = None
    step: int = -1


@lru_cache(maxsize=64)
def doubts_of(
    source: str, steps: tuple[int, ...], notes: tuple[str, ...], assumptions: tuple[str, ...]
) -> tuple[Doubt, ...]:
    """Each doubt at the first step that touches what its sentence names first.

    Args:
        steps: the line of each.
    """
    lines = lines_of(source)
    touched = [_names(lines[line - 1]) if 0 < line <= len(lines) else () for line in steps]
    told = [(DoubtKind.LOOK_TWICE, text) for text in notes]
    told += [(DoubtKind.ASSUMPTION, text) for text in assumptions]
    return tuple(
        Doubt(kind=kind, text=text, phrase=own_phrase(text), step=_place(text, touched))
        for kind, text in told
    )


@lru_cache(maxsize=64)
def approving(source: str, steps: int) -> Phrase:
    """What an approval of this program is for: "3 steps: drives to the kitchen, takes the cup"."""
    count = phrase("approve.steps", n=steps)
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return count
    moves = list(_moves(tree)) or [phrase("approve.nothing")]
    return phrase("approve.moves", steps=count, moves=listed(moves))


def _names(line: str) -> tuple[str, ...]:
    return tuple(double or single for double, single in _QUOTED.findall(line))


def _place(text: str, touched: list[tuple[str, ...]]) -> int:
    found = (
        (match.start(), index)
        for index, names in enumerate(touched)
        for name in names
        if (match := re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE))
    )
    return min(found, default=(0, -1))[1]


def _moves(tree: ast.Module) -> Iterator[Said]:
    functions = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}
    meant = _meanings(tree, RememberedPlaces(functions, ENTRY_POINT))
    for skill, key in _MOVES.items():
        made = (one for one in ast.walk(tree) if isinstance(one, ast.Call) and one.args)
        calls = [one for one in made if skill_of(one) == skill]
        calls.sort(key=lambda one: (one.lineno, one.col_offset))
        back = [one for one in calls if meant(one) == [BEGINNING]]
        to = [one for one in calls if one not in back]
        if to:
            entry = functions.get(ENTRY_POINT)
            only_one = entry is not None and most_calls(entry, to) <= 1
            where = _joined([name for one in to for name in meant(one)], key, only_one)
            if _ends_there(tree, calls, back):
                where = phrase("plan.and", first=where, second=phrase("approve.and_back"))
            yield phrase(key, names=where)
        elif back:
            yield phrase("approve.back")


def _joined(names: list[str | None], key: str, only_one: bool) -> Said:
    """One or all of these names; what the robot finds has none."""
    known = list(dict.fromkeys(name for name in names if name))
    told: list[Said] = [called(name) for name in known]
    if len(known) > MOST_NAMED:
        told = [phrase(f"{key}_one_of" if only_one else f"{key}_many", n=len(known))]
    if len(known) < len(set(names)):
        told.insert(0, phrase(f"{key}_found_one" if only_one else f"{key}_found"))
    return joined("plan.or" if only_one else "plan.and", told)


def _meanings(tree: ast.Module, places: RememberedPlaces) -> Callable[[ast.Call], list[str | None]]:
    """The names that the first argument of a call stands for: BEGINNING for where the robot has
    started, None for what it finds."""
    bound = Counter(
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    stored = [one for one in ast.walk(tree) if skill_of(one) == "get_current_location"]
    read, named = Counter[str](), dict[str, list[str | None]]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            words, values = node.targets, [node.value]
        elif isinstance(node, ast.For) and isinstance(node.iter, ast.List | ast.Tuple):
            words, values = [node.target], node.iter.elts
        else:
            continue
        names = [
            places.of(value) if value in stored else text_of(value) or None for value in values
        ]
        for word in map(ast.unparse, words):
            read[word] += 1
            named.setdefault(word, []).extend(names)

    def meant(call: ast.Call) -> list[str | None]:
        given = call.args[0]
        word = name_of(given)
        if not word:
            return [text_of(given)]
        return named[word] if 0 < read[word] == bound[word] else [None]

    return meant


def _ends_there(tree: ast.AST, drives: list[ast.Call], back: list[ast.Call]) -> bool:
    """Whether the last of the drives is one of those back, whichever branch is taken."""
    last = drives[-1]
    branching = (n for n in ast.walk(tree) if isinstance(n, ast.If) and last in list(ast.walk(n)))
    return last in back and all(
        any(one in back for statement in branch for one in ast.walk(statement))
        for node in branching
        for branch in (node.body, node.orelse)
    )
