"""What a person is told before an approval: what moves, and what to look at twice, at its step."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache

from pydantic import BaseModel, ConfigDict

from roboinstruct_ros.domain.phrase import Phrase, Said, joined, listed, phrase
from roboinstruct_ros.program.task_program import lines_of
from roboinstruct_ros.program.wording import called
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


class Doubt(BaseModel):
    """One sentence.

    Attributes:
        text: in English.
        phrase: the same for other languages; None where only the text is known.
        step: index of the step that it is about, -1 for the whole plan.
    """

    model_config = ConfigDict(frozen=True)
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


def _moves(tree: ast.AST) -> Iterator[Said]:
    for skill, key in _MOVES.items():
        calls = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            and node.func.id == skill and node.args
        ]  # fmt: skip
        if not calls:
            continue
        names, returns = _names_meant(tree, [call.args[0] for call in calls])
        if names is None:
            yield phrase(f"{key}_found")
        elif not names:
            yield phrase("approve.back")
        elif len(names) > MOST_NAMED:
            yield phrase(f"{key}_many", n=len(names))
        else:
            told = [called(name) for name in names]
            yield phrase(key, names=joined("plan.and", [*told, *returns]))


def _names_meant(tree: ast.AST, given: list[ast.expr]) -> tuple[list[str] | None, list[Said]]:
    """The names that arguments stand for, None if one stands for what the robot finds; and "back",
    if the last drive leads to where the robot started."""
    bound = Counter(
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    starts, listed_in = Counter[str](), dict[str, list[str]]()
    loops = Counter[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and ast.unparse(node.value) == "get_current_location()":
            starts.update(map(ast.unparse, node.targets))
        elif isinstance(node, ast.For) and isinstance(node.iter, ast.List | ast.Tuple):
            loops[word := ast.unparse(node.target)] += 1
            listed_in.setdefault(word, []).extend(map(_text, node.iter.elts))
    names: list[str] = []
    back: list[ast.expr] = []
    for one in given:
        word = ast.unparse(one)
        if 0 < starts[word] == bound[word]:
            back.append(one)
        else:
            names += listed_in[word] if 0 < loops[word] == bound[word] else [_text(one)]
    returns: list[Said] = [phrase("approve.and_back")] if _ends_there(tree, given, back) else []
    return None if "" in names else list(dict.fromkeys(names)), returns


def _ends_there(tree: ast.AST, given: list[ast.expr], back: list[ast.expr]) -> bool:
    """Whether the last of the drives is one of those back, whichever branch is taken."""
    last = max(given, key=lambda one: (one.lineno, one.col_offset))
    branching = (n for n in ast.walk(tree) if isinstance(n, ast.If) and last in list(ast.walk(n)))
    return last in back and all(
        any(one in back for statement in branch for one in ast.walk(statement))
        for node in branching
        for branch in (node.body, node.orelse)
    )


def _text(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ""
