"""Notes on a program that touches what nobody named, or leaves out a room that somebody did.

The verifier knows whether a program can run, not whether it is the one that was asked for. A small
model's usual slip is a wrong name in a right program; names can be compared without a model. Notes
do not reject: they make the writer look for a better program while it may.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import pairwise

from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.generate.alignment_shape import shape_notes
from roboinstruct_ros.generate.stems import COMMANDS, WORD, stem, stems, unified

ENTITY_SKILLS = frozenset({"go_to", "pick", "place", "is_in_room", "ask"})
"""Skills whose first argument names something that the instruction should name too."""

HANDLING_SKILLS = frozenset({"pick", "place"})

UNNAMED = frozenset(
    {"person", "people", "somebody", "someone", "anybody", "anyone", "human", "office"}
)
"""Words of an entity that nobody needs to have said; a person alone is looked for in the office."""

PRONOUNS = frozenset(
    {"he", "him", "she", "her", "they", "them", "it", "me", "i", "you", "us", "we"}
)


def alignment_notes(
    instruction: str, source: str, rooms: SemanticMap | None = None, context: str = ""
) -> tuple[str, ...]:
    """What in a program does not fit the instruction, one plain English sentence each.

    Args:
        instruction: The words.
        source: Text of a program that parses.
        rooms: Tells which words of the instruction are rooms, and which names mean the same room.
        context: Words of earlier: the program may name what they name, and need not.
    """
    tree = ast.parse(source)
    said = stems(instruction)
    known = (*said, *stems(context))
    as_said = {stem(word): word for word in WORD.findall(unified(instruction))}
    owners = _owners(instruction)
    entities = dict.fromkeys(_entities(tree))
    invented = [
        f"The program uses '{entity}', which the instruction does not name."
        for entity in entities
        if not _is_named(entity, known, rooms)
    ]
    literals = [stems(text) for text in _strings(tree)]
    rooms_said = tuple(_mentioned_rooms(said, rooms))
    forgotten = [
        f"The instruction names '{' '.join(map(as_said.__getitem__, words))}', "
        "which the program never uses."
        for words, room in rooms_said
        if not any(_contains(literal, words) for literal in literals)
        and not any(rooms and rooms.resolve(entity) == room for entity in entities)
    ]
    objects = [
        f"The program handles '{thing}', which is nobody's name for a thing here."
        for thing in dict.fromkeys(_first_arguments(tree, HANDLING_SKILLS))
        if stem(unified(thing)) in owners
    ]
    spoken = {*COMMANDS, *(word for literal in literals for word in literal)}
    silent = [
        f"The instruction says '{as_said[word]}', which the program never mentions."
        for word in dict.fromkeys(said)
        if word not in spoken and not any(word in words for words, _ in rooms_said)
    ]
    shape = shape_notes(instruction, tree)
    return (*invented, *objects, *forgotten, *silent, *_repeats(tree), *shape)


def is_named(instruction: str, entity: str, rooms: SemanticMap | None = None) -> bool:
    """Whether the words of the instruction name an entity."""
    return _is_named(entity, stems(instruction), rooms)


def entities_of(source: str) -> tuple[str, ...]:
    """Rooms, things and people that a program names, each once; source: text that parses."""
    return tuple(dict.fromkeys(_entities(ast.parse(source))))


def content_words(text: str) -> frozenset[str]:
    """Stems of the words that carry content: no commands, no pronouns."""
    return frozenset(stems(text)) - COMMANDS - _PRONOUNS


def _repeats(tree: ast.AST) -> Iterator[str]:
    """Statements that stand twice in a row: a model that lost its way, never a plan."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for first, second in pairwise(body) if isinstance(body, list) else ():
            if ast.dump(first) == ast.dump(second):
                yield f"The program does '{ast.unparse(first)}' twice in a row."


def _entities(tree: ast.AST) -> Iterator[str]:
    """Names of rooms, things and people: first arguments, rooms of a loop, kinds of room."""
    yield from _first_arguments(tree, ENTITY_SKILLS)
    for node in ast.walk(tree):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.List | ast.Tuple):
            yield from _constants(node.iter.elts)
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            yield from _constants([node.left])


def _first_arguments(tree: ast.AST, skills: frozenset[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in skills:
            yield from _constants(node.args[:1])


def _constants(nodes: Sequence[ast.expr]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _strings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _is_named(entity: str, said: Sequence[str], rooms: SemanticMap | None) -> bool:
    words = stems(entity)
    if set(words) <= {*said, *_UNNAMED} - _PRONOUNS:
        return True
    room = rooms.resolve(entity) if rooms else None
    if rooms is None or room is None:
        return False
    known = rooms.room(room)
    return any(_contains(said, stems(name)) for name in (known.name, *known.aliases))


def _mentioned_rooms(
    said: Sequence[str], rooms: SemanticMap | None
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Words of the instruction that name a room of the map; the longest name wins."""
    if rooms is None:
        return
    names = {stems(n): room.name for room in rooms.rooms for n in (room.name, *room.aliases)}
    longest = max(map(len, names))
    at = 0
    while at < len(said):
        for length in range(min(longest, len(said) - at), 0, -1):
            words = tuple(said[at : at + length])
            if words in names:
                yield words, names[words]
                at += length
                break
        else:
            at += 1


def _contains(text: Sequence[str], words: Sequence[str]) -> bool:
    count = len(words)
    return any(tuple(text[at : at + count]) == tuple(words) for at in range(len(text) - count + 1))


def _owners(text: str) -> set[str]:
    """Words that stand in the possessive only: "Bob" in "Bob's book"."""
    words = [unified(word) for word in WORD.findall(unified(text))]
    return {stem(word) for word in words if word.endswith("'s")} - {
        stem(word) for word in words if not word.endswith("'s")
    }


_UNNAMED = frozenset(map(stem, UNNAMED))
_PRONOUNS = frozenset(map(stem, PRONOUNS))
