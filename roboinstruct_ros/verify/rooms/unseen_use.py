"""Finds uses of room names that made-up names cannot record, and counts of rooms beyond those
tried.

Every use that is not known to be harmless is reported with its line. Python reads a name without
calling its methods if the name is an argument of a string method, is searched for in a text, or has
become part of a text.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.program.language import BUILTINS, MODULES
from roboinstruct_ros.program.syntax import Parents, called, name_of
from roboinstruct_ros.verify.rooms.name_uses import Form, NameUses, names_handed_on
from roboinstruct_ros.verify.rooms.value_flow import ValueFlow

Reason = tuple[int, str]
"""The line, and what is done there."""

MOST_STATES = 4
"""Most states of a loop over rooms for which enough rooms are tried."""

_LISTS = frozenset("list tuple set frozenset dict sorted range filter map zip enumerate".split())
_LIST_METHODS = frozenset("split rsplit splitlines keys values items copy union".split())
_DISPLAYS = (
    ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp,
    ast.GeneratorExp,
)  # fmt: skip
_TEXT_METHODS = frozenset(
    "find rfind index rindex count startswith endswith replace split rsplit partition rpartition "
    "strip lstrip rstrip removeprefix removesuffix join center ljust rjust".split()
)
_ORDERED = "names of rooms are put in order"
_NUMBERS = frozenset("len sum int abs round ord max min float".split())
_NUMBER_METHODS = frozenset("count index find rfind".split())
_HARMLESS = (ast.Add, ast.BitOr, ast.BitAnd)
_PAIRING = frozenset("zip next iter divmod pow".split())


class UnseenUse:
    """Analyses one program."""

    def __init__(self, parents: Parents, domain: Domain, flow: ValueFlow, uses: NameUses) -> None:
        self._parents, self._domain = parents, domain
        self._flow, self._uses = flow, uses
        calls = [node for node in parents if isinstance(node, ast.Call)]
        self._asking = {id(call): call for call in calls if self._gives_names(call)}
        self._listing = [c for c in self._asking.values() if self._returns(c) == "all_locations"]

    def reasons(self) -> Iterator[Reason]:
        """Every use that is not known to be harmless."""
        for name in names_handed_on(self._parents, self._domain):
            yield name.lineno, f"{name.id} is handed on as a value"
        for node in self._parents:
            if isinstance(node, ast.expr):
                reason = self._unseen(node) or (self._counted(node) if self._listing else "")
                if reason:
                    yield node.lineno, reason
        if self._listing:
            yield from self._carried()

    @property
    def states(self) -> int:
        """The states of a loop over rooms: values of a flag, times what the hand may hold."""
        hand = any(
            self._domain.predicate(effect.pattern.predicate).initially is not None
            for node in self._parents
            if isinstance(node, ast.Name) and node.id in self._domain.skill_names
            for effect in self._domain.skill(node.id).effects
        )
        states = 2 if hand else 1
        for values in self._flags().values():
            states *= len(values)
        return states

    # names that are read unseen -------------------------------------------------------------------

    def _unseen(self, node: ast.expr) -> str:
        match node:
            case ast.Compare(left=left, ops=operators, comparators=others):
                for one, operator, other in zip([left, *others], operators, others, strict=False):
                    inside = isinstance(operator, (ast.In, ast.NotIn)) and self._may_name(one)
                    if inside and not self._is_collection(other):
                        return "a room's name is looked for in a text"
            case ast.Attribute():
                return self._unseen_method(node)
            case ast.Call(func=ast.Attribute(attr=method, value=text), args=given):
                return self._unseen_text(node, method, text, given)
            case ast.Call(func=ast.Name(id="sorted")):
                return self._put_in_order(node)
            case ast.Call(func=ast.Name(id="ord" | "repr" | "chr")):
                return self._looked_at(node)
            case ast.JoinedStr() | ast.BinOp(op=ast.Mod()):
                return self._looked_at(node)
        return ""

    def _unseen_method(self, node: ast.Attribute) -> str:
        owner, parent = name_of(node.value), self._parents[node]
        if node.attr in MODULES.get(owner, ()) or node.attr in ("code", "message"):
            return ""
        if not isinstance(parent, ast.Call) or parent.func is not node:
            return f"{node.attr} is handed on as a value"
        return f"{owner}.{node.attr} is asked of names" if owner in ("str", *_LISTS) else ""

    def _unseen_text(
        self, node: ast.Call, method: str, text: ast.expr, given: list[ast.expr]
    ) -> str:
        if method == "sort" and self._may_name(text):
            return _ORDERED
        if method not in _TEXT_METHODS or self._is_collection(text):
            return ""
        if method == "join":
            return self._looked_at(node)
        named = any(self._may_name(part) for part in given if not isinstance(part, ast.Constant))
        return f"{method} takes a room's name" if named else ""

    def _put_in_order(self, node: ast.Call) -> str:
        """Report room names that are sorted.

        Made-up names are listed in alphabetical order; real ones may not be. This does no harm if
        the list is only said, or never seen in the robot's own order.
        """
        match self._parents[node]:
            case ast.Call(func=ast.Attribute(attr="join")):
                return ""
        seen = any(map(self._may_name, node.args)) and not self._hides_the_order(node)
        return _ORDERED if seen else ""

    def _hides_the_order(self, node: ast.Call) -> bool:
        """Whether it sorts the only list of rooms, before the program sees them."""
        inside = [part for value in node.args for part in ast.walk(value)]
        calls = [part for part in inside if isinstance(part, ast.Call)]
        kept = any(isinstance(part, ast.NamedExpr) for part in inside)
        others = [call for call in calls if call not in self._listing and not _is_plain(call)]
        return not (kept or others) and [c for c in calls if c in self._listing] == self._listing

    def _looked_at(self, text: ast.expr) -> str:
        """Whether a text that may contain names is used other than by saying it."""
        if self._uses.strange([text], Form.TEXT) is None or not self._may_name(text):
            return ""
        return "a text with a room's name in it is not only told"

    def _may_name(self, value: ast.expr) -> bool:
        """Whether a room name may be in this value."""
        return any(
            id(part) in self._asking or name_of(part) in self._flow.unknown
            for source in self._flow.sources([value])
            for part in ast.walk(source)
        )

    def _is_collection(self, value: ast.expr, most: int = 4) -> bool:
        """Whether this is certainly not a text."""
        match value:
            case ast.Call(func=ast.Attribute(attr=method)):
                return method in _LIST_METHODS
            case ast.Call():
                return self._returns(value) == "all_locations" or called(value) in _LISTS
            case ast.BinOp(left=left, right=right):
                return self._is_collection(left, most) and self._is_collection(right, most)
            case ast.BoolOp(values=values):
                return all(self._is_collection(side, most) for side in values)
            case ast.Name(id=name) if most and self._flow.is_known(name):
                kept = [v for v in self._flow.direct(name) if not self._grows(name, v)]
                return bool(kept) and all(self._is_collection(v, most - 1) for v in kept)
            case ast.Subscript(slice=ast.Slice(), value=whole):
                return self._is_collection(whole, most)
        return isinstance(value, _DISPLAYS)

    def _grows(self, name: str, value: ast.expr) -> bool:
        """Whether the value only enters a collection of this name, as by `append`."""
        match self._parents.get(value):
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner))):
                return owner == name
        return False

    def _gives_names(self, call: ast.Call) -> bool:
        return self._returns(call) in ("all_locations", "current_location")

    def _returns(self, value: ast.expr) -> str:
        name = called(value)
        return self._domain.skill(name).returns if name in self._domain.skill_names else ""

    # counting of rooms ----------------------------------------------------------------------------

    def _counted(self, node: ast.expr) -> str:
        match node:
            case ast.Compare(left=left, comparators=others):
                for pair in pairwise([left, *others]):
                    constant = any(isinstance(side, ast.Constant) for side in pair)
                    if not constant and any(map(self._is_number, pair)):
                        return "numbers of rooms are compared"
            case ast.BinOp(left=left, op=operator, right=right):
                known = isinstance(left, ast.Constant) and isinstance(right, ast.Constant)
                if isinstance(operator, _HARMLESS) or known or not self._is_number(node):
                    return ""
                if self._uses.strange([node], Form.TEXT) is not None:
                    return "a number is worked out"
            case ast.Subscript(ctx=ast.Load() | ast.Del()):
                return self._indexed(node)
            case ast.Call(func=ast.Attribute(attr="pop" | "popitem")):
                return "what is left is used up"
            case ast.Call(func=ast.Name(id="range"), args=ends):
                if not all(map(self._is_plain_end, ends)):
                    return "it counts to a number that is worked out"
            case ast.Call(func=ast.Name(id=name), args=given) if name in _PAIRING:
                if not (given and isinstance(given[0], ast.GeneratorExp)):
                    return f"{name} may count rooms"
        return ""

    def _is_plain_end(self, end: ast.expr) -> bool:
        """A constant, the length of a list, or an answer as a number."""
        match end:
            case ast.UnaryOp(operand=operand):
                return self._is_plain_end(operand)
            case ast.Call(func=ast.Name(id="int"), args=given):
                return all(map(self._is_answer, given))
        return isinstance(end, ast.Constant) or called(end) == "len"

    def _is_answer(self, value: ast.expr) -> bool:
        if isinstance(value, ast.Name):
            sources = self._flow.direct(value.id)
            return self._flow.is_known(value.id) and all(map(self._is_answer, sources))
        return self._returns(value) == "one_of_options"

    def _indexed(self, node: ast.Subscript) -> str:
        """Indexing by a constant, or by the variable of a loop over all indices of a list."""
        parts: list[ast.expr | None] = [node.slice]
        if isinstance(node.slice, ast.Slice):
            parts = [node.slice.lower, node.slice.upper, node.slice.step]
        for part in filter(None, parts):
            place = part.operand if isinstance(part, ast.UnaryOp) else part
            if isinstance(place, ast.Name):
                sources = self._flow.direct(place.id)
                counted = bool(sources) and all(map(_is_count, sources))
                if counted or not any(map(self._is_number, sources)):
                    continue  # or it is a key
            if not isinstance(place, ast.Constant) and not self._is_answer(place):
                return "a place in a list is worked out"
        return ""

    def _is_number(self, value: ast.expr, most: int = 3) -> bool:
        """Whether this may be a number that depends on rooms."""
        match value:
            case ast.Constant(value=constant):
                return type(constant) in (int, float)
            case ast.Call(func=ast.Attribute(attr=method)):
                return method in _NUMBER_METHODS
            case ast.BinOp(left=left, right=right):
                return self._is_number(left, most) or self._is_number(right, most)
            case ast.Name(id=name) if most:
                sources = self._flow.direct(name)
                return any(_is_count(s) or self._is_number(s, most - 1) for s in sources)
        return called(value) in _NUMBERS

    # state carried from room to room --------------------------------------------------------------

    def _flags(self) -> dict[str, set[str]]:
        """Names to which several constants are assigned, with the constants."""
        values: dict[str, set[str]] = {}
        grown = set()
        for node in self._parents:
            match node:
                case ast.Assign(targets=targets, value=ast.Constant(value=value)):
                    for name in filter(None, map(name_of, targets)):
                        values.setdefault(name, set()).add(repr(value))
                case ast.AugAssign(target=ast.Name(id=name)):
                    grown.add(name)
        return {name: kept for name, kept in values.items() if len(kept) > 1 and name not in grown}

    def _carried(self) -> Iterator[Reason]:
        """Variables that may count in some other way from one room to the next."""
        if self.states > MOST_STATES:
            yield 0, "what is remembered from room to room may count further than is tried"
        assigned = Counter(
            node.id
            for node in self._parents
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        )
        for node in self._parents:
            match node:
                case ast.AugAssign(value=ast.Constant(value=1 | True)):
                    continue
                case ast.AugAssign(value=value):
                    text = self._uses.strange([value], Form.TEXT) is None
                    if not (text or self._is_collection(value)):
                        yield node.lineno, "it counts by more than one"
                case ast.Assign(targets=targets, value=value):
                    names = (name_of(part) for target in targets for part in ast.walk(target))
                    again = any(assigned[name] > 1 for name in names)
                    if again and not self._is_fresh(value):
                        yield node.lineno, "what is remembered follows from what was remembered"

    def _is_fresh(self, value: ast.expr) -> bool:
        """Whether a value is a constant, a room, or an answer, and depends on no other state."""
        if isinstance(value, _DISPLAYS):
            return not (self._listing and any(map(name_of, ast.walk(value))))
        match value:
            case ast.Constant():
                return True
            case ast.Call():
                return called(value) in self._domain.skill_names
            case ast.Name(id=name):
                around = [self._parents.get(source) for source in self._flow.direct(name)]
                return bool(around) and all(
                    isinstance(node, (ast.For, ast.comprehension)) for node in around
                )
        return self._uses.strange([value], Form.TEXT) is None


def _is_count(value: ast.expr) -> bool:
    return called(value) in ("range", "enumerate")


def _is_plain(call: ast.Call) -> bool:
    """Whether the call is a Python function or a text method, which leaves no state behind."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr in (*_TEXT_METHODS, "lower", "upper", "casefold")
    return called(call) in BUILTINS
