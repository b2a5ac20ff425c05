"""What a person is told before an approval: what moves, and what to look at twice, at its step."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache

from roboinstruct_ros.domain.phrase import Phrase, Said, joined, listed, phrase
from roboinstruct_ros.domain.thing_names import ARTICLES, plain_name
from roboinstruct_ros.program.language import BUILTINS, MODULES
from roboinstruct_ros.program.meant_texts import MeantTexts
from roboinstruct_ros.program.most_calls import most_calls
from roboinstruct_ros.program.remembered_places import BEGINNING, RememberedPlaces
from roboinstruct_ros.program.syntax import called, name_of, text_of
from roboinstruct_ros.program.task_program import ENTRY_POINT, TaskProgram
from roboinstruct_ros.program.way_back import WayBack
from roboinstruct_ros.program.wording import called as in_sentence
from roboinstruct_ros.web.api_models import Value
from roboinstruct_ros.web.own_sentences import own_phrase

MOST_NAMED = 3
"""Rooms or things that are named; of more the number is told."""
_MOVES = {"go_to": "approve.rooms", "pick": "approve.things"}
_STILL = {"ask", "get_all_rooms", "get_current_location", "is_in_room", "say"}


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
    tree = TaskProgram.from_text(source).tree
    texts = [one for one in ast.walk(tree or ast.Module([], [])) if isinstance(one, ast.Constant)]
    names = [(one.lineno, str(one.value)) for one in texts if _is_name(one)]
    touched = [[name for there, name in names if there == line] for line in steps]
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
    moves = list(_moves(tree))
    if not moves and not _is_still(tree):
        return count
    moves = moves or [phrase("approve.nothing")]
    return phrase("approve.moves", steps=count, moves=listed(moves))


def _is_name(node: ast.AST) -> bool:
    """Whether it is a text that a sentence could name."""
    text = text_of(node) or ""
    return text.lower() not in ARTICLES and any(map(str.isalnum, text))


def _place(text: str, touched: list[list[str]]) -> int:
    found = (
        (match.start(), index)
        for index, names in enumerate(touched)
        for name in names
        if (match := re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE))
    )
    return min(found, default=(0, -1))[1]


def _moves(tree: ast.Module) -> Iterator[Said]:
    functions = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}
    nested = {one.name: one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)}
    texts = MeantTexts(tree, RememberedPlaces(nested | functions, ENTRY_POINT).of)
    for skill, key in _MOVES.items():
        calls = [
            one for one in ast.walk(tree) if isinstance(one, ast.Call) and called(one) == skill
        ]
        calls.sort(key=lambda one: (one.lineno, one.col_offset))
        meant = {one: texts.of(_first(one)) for one in calls}
        # what is made of the skill without calling it by its name may go anywhere
        hidden = sum(name_of(one) == skill for one in ast.walk(tree)) > len(calls)
        back = [one for one in calls if meant[one] == [BEGINNING]]
        to = [one for one in calls if one not in back]
        if to or hidden:
            entry = functions.get(ENTRY_POINT)
            only_one = not hidden and entry is not None and most_calls(entry, to) <= 1
            names = [name for one in to for name in meant[one]] + [None] * hidden
            where = _joined(names, key, only_one)
            if back and WayBack(functions, back).ends_there(ENTRY_POINT):
                where = phrase("plan.and", first=where, second=phrase("approve.and_back"))
            yield phrase(key, names=where)
        elif back:
            yield phrase("approve.back")


def _first(call: ast.Call) -> ast.expr | None:
    return next(iter([*call.args, *(one.value for one in call.keywords)]), None)


def _joined(names: list[str | None], key: str, only_one: bool) -> Said:
    """One or all of these names; what the robot finds has none."""
    known: dict[str, str] = {}
    for name in filter(None, names):
        known.setdefault(plain_name(name), name)
    told: list[Said] = [in_sentence(name) for name in known.values()]
    if len(known) > MOST_NAMED:
        told = [phrase(f"{key}_one_of" if only_one else f"{key}_many", n=len(known))]
    if not known or None in names or BEGINNING in names:
        told.insert(0, phrase(f"{key}_found_one" if only_one else f"{key}_found"))
    return joined("plan.or" if only_one else "plan.and", told)


def _is_still(tree: ast.Module) -> bool:
    """Whether it names no skill but those that are known to leave everything where it is."""
    nodes = list(ast.walk(tree))
    own = {one.name for one in nodes if isinstance(one, ast.FunctionDef | ast.ExceptHandler)}
    own |= {one.arg for one in nodes if isinstance(one, ast.arg)}
    own |= {name_of(one) for one in nodes if isinstance(getattr(one, "ctx", None), ast.Store)}
    return {*map(name_of, nodes)} <= own | BUILTINS | MODULES.keys() | _STILL | {""}
