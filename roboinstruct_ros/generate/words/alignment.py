"""Notes on a program that uses what nobody named, or does not do what somebody said.

The verifier knows whether a program can run, but not whether it is the requested one. A small
model's usual mistake is a wrong name in a correct program, and names can be compared without a
model. Notes do not reject a program: they make the writer look for a better one while it may. A
correct program seldom has a note, so a name counts as said wherever the words may mean it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence, Set
from itertools import islice, pairwise

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.generate.words.alignment_shape import shape_notes
from roboinstruct_ros.generate.words.place_names import other_words
from roboinstruct_ros.generate.words.program_shape import parsed
from roboinstruct_ros.generate.words.said_names import SaidNames, words_of
from roboinstruct_ros.generate.words.stems import PRONOUNS, unified

ENTITY_SKILLS = frozenset({"go_to", "pick", "place", "is_in_room", "ask"})
"""Skills whose first argument names something that the instruction should name too."""


def alignment_notes(
    instruction: str, source: str, rooms: SemanticMap | None = None, context: str = ""
) -> tuple[str, ...]:
    """What in a program does not fit the instruction, one plain English sentence each.

    Args:
        instruction: The words.
        source: Text of a program that parses.
        rooms: Resolves rooms in the instruction, and aliases.
        context: Earlier words and what is held: the program may use names from here.
    """
    tree = parsed(source)
    names = _Names(instruction, context, rooms, tree)
    known = rooms.room_names if rooms else ()
    invented = (str(phrase("note.invented", name=name)) for name in names.invented())
    forgotten = (str(phrase("note.forgotten", name=name)) for name in names.forgotten())
    shape = shape_notes(instruction, tree, known, *((rooms.names,) if rooms else ()))
    return (*invented, *forgotten, *_repeats(tree), *shape)


class _Names:
    """Compares the names of a program with those of an instruction."""

    def __init__(
        self, instruction: str, context: str, rooms: SemanticMap | None, tree: ast.AST
    ) -> None:
        self._rooms = rooms
        self._words = unified(instruction)
        self._said = SaidNames(f"{instruction} {context}")
        self._used = tuple(dict.fromkeys(_entities(tree)))
        self._spelt_out = frozenset(_spelt_out(tree, self._said))
        self._literals = SaidNames(" ".join(_strings(tree)))

    def invented(self) -> Iterator[str]:
        """Names of the program that nothing in the words explains."""
        for name in self._used:
            of_a_kind = self._may_spell_out(name) or self._said.shares_a_word(name)
            if not self._is_named(name) and not (name in self._spelt_out and of_a_kind):
                yield name

    def forgotten(self) -> Iterator[str]:
        """What the words name last, and rooms and things of the map that they name, and the program
        does not use."""
        for name in _MEANT.findall(self._words):
            if not any(part in self._literals for part in words_of(name)):
                yield name
        if self._rooms is None:
            return
        used = {self._rooms.resolve(name) for name in self._used}
        for room in self._rooms.rooms:
            names = () if room.name in used else (room.name, *room.aliases)
            yield from islice(filter(self._is_forgotten, names), 1)
        yield from self._not_listed(used)
        yield from filter(self._is_forgotten, self._rooms.objects or ())

    def _not_listed(self, used: Set[str | None]) -> Iterator[str]:
        """Rooms that the words list by what tells them apart ("the chemistry and biology labs",
        "classrooms 1 and 3"), where the program goes to another of the list."""
        listed: dict[str, list[str]] = {}
        for name in self._rooms.room_names if self._rooms else ():
            kind, own = _kind_and_own(unified(name))
            number = rf"(?:[\d, &]|\band\b)*?\b{own}\b" if own.isdigit() else ""
            match = kind and re.search(rf"\b{kind}s\b{number}", self._words)
            if match and self._is_meant(re.escape(match[0]) if number else rf"\b{own}\b"):
                listed.setdefault(kind, []).append(name)
        for rooms in listed.values():
            if not used.isdisjoint(rooms):
                yield from (name for name in rooms if name not in used)

    def _is_forgotten(self, name: str) -> bool:
        if name in self._literals or unified(name) not in self._words:
            return False
        return self._is_meant(rf"\b{re.escape(unified(name))}\b")

    def _is_meant(self, name: str) -> bool:
        """Whether the words have a name, as a regular expression, and do not take it back."""
        return any(
            not _EXCEPTED.search(self._words[: match.start()])
            and not _CORRECTED.match(self._words[match.end() :])
            for match in re.finditer(name, self._words)
        )

    def _is_named(self, name: str) -> bool:
        if name.lower() in PRONOUNS:
            return False
        if name in self._said or any(other in self._said for other in other_words(name)):
            return True
        room = self._rooms.resolve(name) if self._rooms else None
        if self._rooms is None or room is None:
            return self._said.shares_a_word(name)
        known = self._rooms.room(room)
        if any(one in self._said for one in (known.name, *known.aliases)):
            return True
        others = {part for one in self._rooms.room_names if one != room for part in words_of(one)}
        return any(part in self._said for part in words_of(room) if part not in others)

    def _may_spell_out(self, name: str) -> bool:
        """Whether a general word may mean it: a thing, or a person whom the map knows."""
        if self._rooms and self._rooms.resolve(name):
            return False
        return name[:1].islower() or name in ((self._rooms and self._rooms.people) or ())


def entities_of(source: str) -> tuple[str, ...]:
    """Rooms, things and people that a program names, without duplicates; `source` must parse."""
    return tuple(dict.fromkeys(_entities(parsed(source))))


def _repeats(tree: ast.AST) -> Iterator[str]:
    """Identical consecutive statements: a sign that the model lost track, never a plan."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for first, second in pairwise(body) if isinstance(body, list) else ():
            if ast.dump(first) == ast.dump(second):
                yield str(phrase("note.twice", code=ast.unparse(first)))


def _entities(tree: ast.AST) -> Iterator[str]:
    """Names of rooms, things and people: first arguments, rooms of a loop, kinds of room."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ENTITY_SKILLS:
            yield from _constants(node.args[:1])
        elif isinstance(node, ast.For) and isinstance(node.iter, ast.List | ast.Tuple):
            yield from _constants(node.iter.elts)
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            yield from _constants([node.left])


def _spelt_out(tree: ast.AST, said: SaidNames) -> Iterator[str]:
    """Lists with names that were not said: they spell out "fruit", or "each of the labs"."""
    for node in ast.walk(tree):
        if isinstance(node, ast.List | ast.Tuple):
            names = tuple(_constants(node.elts))
            if len(names) > 1 and not all(name in said for name in names):
                yield from names


def _kind_and_own(name: str) -> tuple[str, str]:
    """The kind of a room and what tells it apart: "lab" and "chemistry", "classroom" and "3"; both
    empty for other names."""
    *first, last = (re.escape(word) for word in name.split())
    if first and last.isdigit():
        return " ".join(first), last
    return (last, first[0]) if len(first) == 1 else ("", "")


def _constants(nodes: Sequence[ast.expr]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _strings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


_EXCEPTED = re.compile(
    r"(?:\b(?:no|not|except|but|without|skip|instead of|here|next to|besides|forget|forget about"
    r"|never mind|that's|that is)\b|n't\b)[^.,;:?!]{0,20}$"
)
"""Before a name: it is only mentioned, or tells where something is, perhaps beside the robot."""
_CORRECTED = re.compile(
    r".*\b(?:no|not|sorry|wait|rather|i mean|actually|correction|hang on|hold on)\b", re.DOTALL
)
"""After a name: it may be taken back."""
_MEANT = re.compile(
    r"\b(?:no|sorry|oops)\b[^.;:?!]{0,15}\bi mean(?:t)? (?:the|an?|my) "
    r"([\w' -]+?)(?=[,.;:!?]| (?:from|to|in|on|and|at)\b|$)"
)
"""What a person says after a slip of the tongue: "the guide, no, I mean the book"."""
