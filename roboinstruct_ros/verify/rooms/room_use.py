"""How the text of a program handles names of rooms: which worlds differ for it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from roboinstruct_ros.domain.semantic_map import folded
from roboinstruct_ros.domain.skills import Domain, Skill
from roboinstruct_ros.program.syntax import Parents, children, walk
from roboinstruct_ros.verify.rooms.name_uses import NameUses, names_handed_on
from roboinstruct_ros.verify.rooms.room_filters import RoomFilter, room_filters
from roboinstruct_ros.verify.rooms.unseen_use import MOST_STATES, Reason, UnseenUse
from roboinstruct_ros.verify.rooms.value_flow import ValueFlow

_COLLECTING = frozenset(
    "append extend insert pop remove add discard update get keys values items copy index count "
    "choice sample setdefault strip".split()
)
"""Methods that give no text but those that are there."""


_WHOLE = frozenset("list tuple set frozenset sorted reversed dict enumerate zip filter max min "
                   "next iter len any all range True False None".split())  # fmt: skip
"""Builtins that give no text but one that they were given."""

_KEEPING = (
    ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Starred, ast.Call, ast.ListComp,
    ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.BoolOp, ast.NamedExpr, ast.Slice,
    ast.UnaryOp, ast.Compare, ast.keyword, ast.expr_context, ast.boolop, ast.operator, ast.unaryop,
    ast.cmpop,
)  # fmt: skip
"""Parts of an expression that make no new text."""


@dataclass(frozen=True)
class RoomUse:
    """Facts read from the syntax tree.

    Attributes:
        texts: string constants, in the order of the text; they decide which rooms differ.
        keys: texts that a set or a dict of the program holds; a name looked up there is not
            compared with them one by one.
        loose: texts that are not said, asked or named to a skill as they stand.
        locations: texts that stand in a location argument.
        places: texts that a variable may carry to a location argument.
        builds_places: a location may be put together from parts.
        goes_on_a_list: a location may come from the list of all rooms.
        counts_to: the largest whole number that is compared, assigned or counted to.
        examines_start: it does more with that room than go there, name it, or compare it with a
            text; then any two rooms may differ for it.
        asks: it asks for names of rooms.
        filters: a room that none of these takes may stand anywhere in the list of all rooms; None
            where every order may matter.
        only_filters: nothing else is done with that list.
    """

    texts: tuple[str, ...]
    keys: tuple[str, ...]
    loose: tuple[str, ...]
    locations: tuple[str, ...]
    places: tuple[str, ...]
    builds_places: bool
    goes_on_a_list: bool
    counts_to: int
    examines_start: bool
    filters: tuple[RoomFilter, ...] | None
    only_filters: bool
    asks: bool
    _reader: _Reader

    @cached_property
    def unseen(self) -> tuple[Reason, ...]:
        """Why made-up rooms are not all that the program could tell apart."""
        return tuple(dict.fromkeys(self._reader.unseen_use.reasons()))

    @cached_property
    def taken(self) -> dict[str, bool]:
        """Whether some filter takes a room, of those that were asked about."""
        return {}

    @property
    def is_spelled_twice(self) -> bool:
        """Whether the program goes to one room by two spellings of its name."""
        names = {*self.locations, *self.places}
        return len({folded(name) for name in names}) < len(names)

    @cached_property
    def counts(self) -> int:
        """How many rooms of a kind may make a difference; one more is tried."""
        return max(self.counts_to, min(self._reader.unseen_use.states, MOST_STATES) - 1)


def room_use(parents: Parents, domain: Domain) -> RoomUse:
    """Read the facts off the parts of a program."""
    return _Reader(parents, domain).read()


class _Reader:
    def __init__(self, parents: Parents, domain: Domain) -> None:
        self._domain = domain
        self._parents = parents
        self._skills = [n for n in self._parents if isinstance(n, ast.Call) and self._skill(n)]
        self._where = self._asking("current_location")
        self._listing = self._asking("all_locations")

    @cached_property
    def _flow(self) -> ValueFlow:
        return ValueFlow(self._parents)

    @cached_property
    def _uses(self) -> NameUses:
        return NameUses(self._parents, self._domain)

    @cached_property
    def unseen_use(self) -> UnseenUse:
        return UnseenUse(self._parents, self._domain, self._flow, self._uses)

    def read(self) -> RoomUse:
        asks = bool(self._where or self._listing)
        given = list(self._arguments(("location",)))
        moving = [argument for argument in given if not isinstance(argument, ast.Constant)]
        sources = [part for s in self._flow.sources(moving) for part in self._told_apart(s)]
        handed_on = list(names_handed_on(self._parents, self._domain))
        filters, only_filters = room_filters(self._listing, self._parents)
        return RoomUse(
            texts=_unique(text for node in self._parents for text in _text_of(node)),
            keys=_unique(t for n in self._parents for t in _keys(n)) if asks else (),
            loose=_unique(self._loose_texts()),
            locations=_unique(t for a in given for n in walk(a) for t in _text_of(n) if t),
            places=_unique(text for part in sources for text in _text_of(part) if text),
            builds_places=bool(handed_on) or not all(map(self._is_known, sources)),
            goes_on_a_list=any(part is call for part in sources for call in self._listing),
            counts_to=max((n for node in self._parents for n in _numbers(node)), default=0),
            examines_start=bool(handed_on)
            or (bool(self._where) and self._uses.strange(self._where) is not None),
            filters=filters,
            only_filters=only_filters,
            asks=asks,
            _reader=self,
        )

    def _told_apart(self, value: ast.expr) -> Iterator[ast.AST]:
        """The parts of an expression, of a question only its options."""
        if isinstance(value, ast.Call) and self._skill(value):
            yield value
            for argument in self._arguments(("options",), [value]):
                yield from walk(argument)
            return
        yield value
        for child in children(value):
            if isinstance(child, ast.expr):
                yield from self._told_apart(child)
            elif isinstance(child, (ast.comprehension, ast.keyword)):
                yield from walk(child)

    def _is_known(self, part: ast.AST) -> bool:
        """Whether a part of what becomes a place can be no text but one that stands there."""
        if isinstance(part, ast.Name):
            known = part.id in _WHOLE or part.id in self._domain.skill_names
            return known or self._flow.is_known(part.id)
        if isinstance(part, ast.Attribute):
            return part.attr in _COLLECTING
        if isinstance(part, ast.BinOp):
            return _adds_lists(part)
        if isinstance(part, ast.Subscript):
            return not self._may_be_text(part.value)
        if isinstance(part, ast.comprehension):
            return not self._may_be_text(part.iter)
        if isinstance(part, ast.Call) and _name(part) in _WHOLE:
            return not any(map(self._may_be_text, part.args))
        return isinstance(part, _KEEPING)

    def _may_be_text(self, value: ast.expr) -> bool:
        """Whether to take a part of it, or to run through it, may give a part of a text."""
        if isinstance(value, ast.Name):
            return any(map(_is_text, self._flow.direct(value.id)))
        return not isinstance(value, (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp,
                                      ast.Subscript, ast.Call, ast.GeneratorExp))  # fmt: skip

    def _skill(self, call: ast.Call) -> Skill | None:
        name = _name(call)
        return self._domain.skill(name) if name in self._domain.skill_names else None

    def _asking(self, returns: str) -> list[ast.Call]:
        return [c for c in self._skills if (s := self._skill(c)) and s.returns == returns]

    def _arguments(
        self, types: tuple[str, ...], calls: list[ast.Call] | None = None
    ) -> Iterator[ast.expr]:
        """What stands in the arguments of these types."""
        for call in self._skills if calls is None else calls:
            skill = self._skill(call)
            assert skill is not None
            given: dict[str, ast.expr] = dict(zip(skill.parameter_names, call.args, strict=False))
            given.update({k.arg: k.value for k in call.keywords if k.arg is not None})
            for parameter in skill.parameters:
                if parameter.type in types and parameter.name in given:
                    yield given[parameter.name]

    def _loose_texts(self) -> Iterator[str]:
        said = {
            id(part)
            for call in self._skills
            for given in (*call.args, *(keyword.value for keyword in call.keywords))
            for part in walk(given)
        }
        for node in self._parents:
            told = isinstance(self._parents.get(node), (ast.JoinedStr, ast.Expr))
            if id(node) not in said and not told:
                yield from (text for text in _text_of(node) if text)


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _numbers(node: ast.AST) -> Iterator[int]:
    parts: list[ast.AST | None] = []
    if isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
    elif isinstance(node, ast.Subscript):
        index = node.slice
        parts = [index.lower, index.upper] if isinstance(index, ast.Slice) else [index]
    elif isinstance(node, (ast.Assign, ast.BinOp)):
        parts = [node.value] if isinstance(node, ast.Assign) else [node.left, node.right]
    elif isinstance(node, ast.Call) and _name(node) == "range":
        parts = [*node.args]
    for part in parts:
        if isinstance(part, ast.Constant) and type(part.value) is int:
            yield part.value


def _adds_lists(part: ast.BinOp) -> bool:
    return isinstance(part.op, ast.Add) and any(
        isinstance(side, (ast.List, ast.ListComp, ast.Tuple)) for side in (part.left, part.right)
    )


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or bool(_text_of(node))


def _text_of(node: ast.AST | None) -> tuple[str, ...]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return (node.value,)
    return ()


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _keys(node: ast.AST) -> list[str]:
    parts: list[ast.expr | None] = []
    if isinstance(node, ast.Set):
        parts = [*node.elts]
    elif isinstance(node, ast.Dict):
        parts = [*node.keys]
    return [text for part in parts if part is not None for text in _text_of(part) if text]
