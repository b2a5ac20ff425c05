"""How a program's text handles room names, which decides the worlds that differ for it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from roboinstruct_ros.domain.semantic_map import folded
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.program.syntax import Parents, called, children, text_of, walk
from roboinstruct_ros.verify.rooms.name_uses import NameUses, names_handed_on
from roboinstruct_ros.verify.rooms.room_filters import RoomFilter, room_filters
from roboinstruct_ros.verify.rooms.unseen_use import MOST_STATES, Reason, UnseenUse
from roboinstruct_ros.verify.rooms.value_flow import ValueFlow

_COLLECTING = frozenset(
    "append extend insert pop remove add discard update get keys values items copy index count "
    "choice sample setdefault strip".split()
)
"""Methods that return only texts that already exist."""

_WHOLE = frozenset("list tuple set frozenset sorted reversed dict enumerate zip filter max min "
                   "next iter len any all range True False None".split())  # fmt: skip
"""Builtins that return only texts that they were given."""

_KEEPING = (
    ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Starred, ast.Call, ast.ListComp,
    ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.BoolOp, ast.NamedExpr, ast.Slice,
    ast.UnaryOp, ast.Compare, ast.keyword, ast.expr_context, ast.boolop, ast.operator, ast.unaryop,
    ast.cmpop,
)  # fmt: skip
"""Parts of an expression that make no new text."""

_COLLECTIONS = (
    ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.Subscript, ast.Call, ast.GeneratorExp,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class RoomUse:
    """The room names of one program; each fact is read from its syntax tree at the first use."""

    parents: Parents
    domain: Domain

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """String constants, in the order of the text; they decide which rooms differ."""
        return _texts(self.parents)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Texts that a set or a dict of the program holds; looking a name up there does not
        compare it with each of them."""
        nodes = self.parents if self.asks else ()
        held = (n.elts if isinstance(n, ast.Set) else n.keys
                for n in nodes if isinstance(n, (ast.Set, ast.Dict)))  # fmt: skip
        return _named(part for parts in held for part in parts)

    @cached_property
    def loose(self) -> tuple[str, ...]:
        """Texts with a use other than being said, asked or passed to a skill unchanged."""
        arguments = (a for c in self._skills for a in (*c.args, *(k.value for k in c.keywords)))
        said = {part for argument in arguments for part in walk(argument)}
        told = (ast.JoinedStr, ast.Expr)
        return _named(
            node
            for node, parent in self.parents.items()
            if node not in said and not isinstance(parent, told)
        )

    @cached_property
    def locations(self) -> tuple[str, ...]:
        """Texts passed directly as a location argument."""
        return _named(part for argument in self._going for part in walk(argument))

    @cached_property
    def places(self) -> tuple[str, ...]:
        """Texts that a variable may carry to a location argument."""
        return _named(self._sources)

    @cached_property
    def builds_places(self) -> bool:
        """Whether a location may be concatenated from parts."""
        return bool(self._handed_on) or not all(map(self._is_known, self._sources))

    @cached_property
    def goes_on_a_list(self) -> bool:
        """Whether a location may come from the list of all rooms."""
        return not set(self._listing).isdisjoint(self._sources)

    @cached_property
    def counts_to(self) -> int:
        """The largest whole number that is compared, assigned or counted to."""
        return max((n for node in self.parents for n in _numbers(node)), default=0)

    @cached_property
    def examines_start(self) -> bool:
        """Whether the program uses the start room other than by going there, naming it, or
        comparing it with a text; then any two rooms may differ for it."""
        where = self._asking("current_location")
        return bool(self._handed_on or (where and self._uses.strange(where) is not None))

    @cached_property
    def asks(self) -> bool:
        """Whether the program asks for room names."""
        return bool(self._listing or self._asking("current_location"))

    @property
    def filters(self) -> tuple[RoomFilter, ...] | None:
        """The filters on the list of all rooms: a room that none takes may be anywhere in the
        list; None if every order may matter."""
        return self._filters[0]

    @property
    def only_filters(self) -> bool:
        """Whether the list has no use besides the filters."""
        return self._filters[1]

    @cached_property
    def unseen(self) -> tuple[Reason, ...]:
        """Reasons why made-up rooms may not cover all that the program can distinguish."""
        return tuple(dict.fromkeys(self._unseen_use.reasons()))

    @cached_property
    def taken(self) -> dict[str, bool]:
        """Cache: whether some filter takes a room."""
        return {}

    @cached_property
    def is_spelled_twice(self) -> bool:
        """Whether the program goes to one room by two spellings of its name."""
        names = {*self.locations, *self.places}
        return len({folded(name) for name in names}) < len(names)

    @cached_property
    def counts(self) -> int:
        """How many rooms of a kind may make a difference; one more is tried."""
        return max(self.counts_to, min(self._unseen_use.states, MOST_STATES) - 1)

    # reading the syntax tree ----------------------------------------------------------------------

    @cached_property
    def _flow(self) -> ValueFlow:
        return ValueFlow(self.parents)

    @cached_property
    def _uses(self) -> NameUses:
        return NameUses(self.parents, self.domain)

    @cached_property
    def _unseen_use(self) -> UnseenUse:
        return UnseenUse(self.parents, self.domain, self._flow, self._uses)

    @cached_property
    def _filters(self) -> tuple[tuple[RoomFilter, ...] | None, bool]:
        return room_filters(self._listing, self.parents)

    @cached_property
    def _skills(self) -> list[ast.Call]:
        names = self.domain.skill_names
        return [n for n in self.parents if isinstance(n, ast.Call) and called(n) in names]

    @cached_property
    def _listing(self) -> list[ast.Call]:
        return self._asking("all_locations")

    @cached_property
    def _handed_on(self) -> tuple[ast.Name, ...]:
        return tuple(names_handed_on(self.parents, self.domain))

    @cached_property
    def _going(self) -> list[ast.expr]:
        return list(self._arguments("location", self._skills))

    @cached_property
    def _sources(self) -> list[ast.AST]:
        """All expressions that may make up a location other than a literal in the call itself."""
        moving = [argument for argument in self._going if not isinstance(argument, ast.Constant)]
        sources = self._flow.sources(moving) if moving else ()
        return [part for source in sources for part in self._told_apart(source)]

    def _asking(self, returns: str) -> list[ast.Call]:
        return [call for call in self._skills if self.domain.skill(called(call)).returns == returns]

    def _arguments(self, kind: str, calls: Iterable[ast.Call]) -> Iterator[ast.expr]:
        """The arguments for parameters of this type."""
        for call in calls:
            skill = self.domain.skill(called(call))
            given: dict[str | None, ast.expr] = {k.arg: k.value for k in call.keywords}
            given = {**dict(zip(skill.parameter_names, call.args, strict=False)), **given}
            for parameter in skill.parameters:
                if parameter.type == kind and parameter.name in given:
                    yield given[parameter.name]

    def _told_apart(self, value: ast.expr) -> Iterator[ast.AST]:
        """The parts of an expression; of a question, only its options."""
        yield value
        if called(value) in self.domain.skill_names:
            assert isinstance(value, ast.Call)
            yield from (n for part in self._arguments("options", [value]) for n in walk(part))
            return
        for child in children(value):
            if isinstance(child, ast.expr):
                yield from self._told_apart(child)
            elif isinstance(child, (ast.comprehension, ast.keyword)):
                yield from walk(child)

    def _is_known(self, part: ast.AST) -> bool:
        """Whether a part of a location can only be a text that is in the program."""
        match part:
            case ast.Name(id=name):
                known = name in _WHOLE or name in self.domain.skill_names
                return known or self._flow.is_known(name)
            case ast.Attribute(attr=method):
                return method in _COLLECTING
            case ast.BinOp(left=left, op=operator, right=right):
                lists = (ast.List, ast.ListComp, ast.Tuple)
                adds = isinstance(left, lists) or isinstance(right, lists)
                return isinstance(operator, ast.Add) and adds
            case ast.Subscript(value=whole) | ast.comprehension(iter=whole):
                return not self._may_be_text(whole)
            case ast.Call(func=ast.Name(id=name), args=given) if name in _WHOLE:
                return not any(map(self._may_be_text, given))
        return isinstance(part, _KEEPING)

    def _may_be_text(self, value: ast.expr) -> bool:
        """Whether indexing or iterating the value may yield a part of a text."""
        if isinstance(value, ast.Name):
            return any(isinstance(source, ast.JoinedStr) or text_of(source) is not None
                       for source in self._flow.direct(value.id))  # fmt: skip
        return not isinstance(value, _COLLECTIONS)


def _numbers(node: ast.AST) -> Iterator[int]:
    parts: list[ast.expr | None] = []
    match node:
        case ast.Compare(left=left, comparators=others):
            parts = [left, *others]
        case ast.Subscript(slice=ast.Slice(lower=lower, upper=upper)):
            parts = [lower, upper]
        case ast.Subscript(slice=value) | ast.Assign(value=value):
            parts = [value]
        case ast.BinOp(left=left, right=right):
            parts = [left, right]
        case ast.Call(func=ast.Name(id="range"), args=given):
            parts = [*given]
    for part in parts:
        if isinstance(part, ast.Constant) and type(part.value) is int:
            yield part.value


def _texts(nodes: Iterable[ast.AST | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in map(text_of, nodes) if text is not None))


def _named(nodes: Iterable[ast.AST | None]) -> tuple[str, ...]:
    return tuple(text for text in _texts(nodes) if text)
