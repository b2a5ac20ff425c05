"""Uses of rooms' names that made-up names cannot note, and ways to count rooms beyond those tried.

What is not known to be harmless is told with its line. Python looks into a name without asking it
where the name is an argument of a text's method, is looked for in a text, or has become a part.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.program.language import BUILTINS, MODULES
from roboinstruct_ros.program.syntax import Parents
from roboinstruct_ros.verify.rooms.name_uses import Form, NameUses, names_handed_on
from roboinstruct_ros.verify.rooms.value_flow import ValueFlow

Reason = tuple[int, str]
"""Line and what is done there."""

MOST_STATES = 4
"""States of a loop over rooms for which enough rooms are tried."""

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
    """Reads one program."""

    def __init__(self, parents: Parents, domain: Domain, flow: ValueFlow, uses: NameUses) -> None:
        self._parents, self._domain = parents, domain
        self._flow, self._uses = flow, uses
        calls = [node for node in parents if isinstance(node, ast.Call)]
        self._asking = {id(call): call for call in calls if self._gives_names(call)}
        self._listing = [c for c in self._asking.values() if self._returns(c) == "all_locations"]

    def reasons(self) -> Iterator[Reason]:
        """Everything that is not known to be harmless."""
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
        """Of a loop over rooms: what a flag may be, times what may be in the hand."""
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

    # names that are looked at unseen -------------------------------------------------------------

    def _unseen(self, node: ast.expr) -> str:
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
                inside = isinstance(operator, (ast.In, ast.NotIn)) and self._may_name(left)
                if inside and not self._is_collection(right):
                    return "a room's name is looked for in a text"
        if isinstance(node, ast.Attribute):
            return self._unseen_method(node)
        if isinstance(node, ast.Call):
            return self._unseen_call(node)
        joined = isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)
        )
        return self._looked_at(node) if joined else ""

    def _unseen_method(self, node: ast.Attribute) -> str:
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        if node.attr in MODULES.get(owner, ()) or node.attr in ("code", "message"):
            return ""
        parent = self._parents[node]
        if not isinstance(parent, ast.Call) or parent.func is not node:
            return f"{node.attr} is handed on as a value"
        return f"{owner}.{node.attr} is asked of names" if owner in ("str", *_LISTS) else ""

    def _unseen_call(self, node: ast.Call) -> str:
        if isinstance(node.func, ast.Attribute):
            method, text = node.func.attr, node.func.value
            if method == "sort" and self._may_name(text):
                return _ORDERED
            if method not in _TEXT_METHODS or self._is_collection(text):
                return ""
            if method == "join":
                return self._looked_at(node)
            given = [part for part in node.args if not isinstance(part, ast.Constant)]
            return f"{method} takes a room's name" if any(map(self._may_name, given)) else ""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "sorted":
            return self._put_in_order(node)
        return self._looked_at(node) if name in ("ord", "repr", "chr") else ""

    def _put_in_order(self, node: ast.Call) -> str:
        """Made-up names are in the order of the alphabet as they are listed; real ones may not be.

        That does no harm where the list is only told, or is never seen in the robot's own order.
        """
        parent = self._parents[node]
        joins = parent.func if isinstance(parent, ast.Call) else None
        told = isinstance(joins, ast.Attribute) and joins.attr == "join"
        if told or not any(map(self._may_name, node.args)) or self._hides_the_order(node):
            return ""
        return _ORDERED

    def _hides_the_order(self, node: ast.Call) -> bool:
        """Whether it takes the only list of rooms, and nothing of the program sees them before."""
        inside = [part for value in node.args for part in ast.walk(value)]
        calls = [part for part in inside if isinstance(part, ast.Call)]
        kept = any(isinstance(part, ast.NamedExpr) for part in inside)
        others = [call for call in calls if call not in self._listing and not _is_plain(call)]
        return not (kept or others) and [c for c in calls if c in self._listing] == self._listing

    def _looked_at(self, text: ast.expr) -> str:
        """Whether more is done with a text than to tell it, and names may be in it."""
        if self._uses.strange([text], Form.TEXT) is None or not self._may_name(text):
            return ""
        return "a text with a room's name in it is not only told"

    def _may_name(self, value: ast.expr) -> bool:
        """Whether a room's name may be in this value."""
        for source in self._flow.sources([value]):
            for part in ast.walk(source):
                if id(part) in self._asking:
                    return True
                if isinstance(part, ast.Name) and part.id in self._flow.unknown:
                    return True
        return False

    def _is_collection(self, value: ast.expr, most: int = 4) -> bool:
        """Whether this is certainly no text."""
        if isinstance(value, _DISPLAYS):
            return True
        if isinstance(value, ast.Call):
            if isinstance(value.func, ast.Attribute):
                return value.func.attr in _LIST_METHODS
            listing = self._returns(value) == "all_locations"
            return listing or (isinstance(value.func, ast.Name) and value.func.id in _LISTS)
        if isinstance(value, (ast.BinOp, ast.BoolOp)):
            sides = [value.left, value.right] if isinstance(value, ast.BinOp) else value.values
            return all(self._is_collection(side, most) for side in sides)
        if isinstance(value, ast.Name) and most and self._flow.is_known(value.id):
            values = self._flow.direct(value.id)
            kept = [v for v in values if not self._grows(value.id, v)]
            return bool(kept) and all(self._is_collection(v, most - 1) for v in kept)
        return isinstance(value, ast.Subscript) and (
            isinstance(value.slice, ast.Slice) and self._is_collection(value.value, most)
        )

    def _grows(self, name: str, value: ast.expr) -> bool:
        """Whether the value only goes into a collection of this name, as by `append`."""
        parent = self._parents.get(value)
        if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute):
            return isinstance(parent.func.value, ast.Name) and parent.func.value.id == name
        return False

    def _gives_names(self, call: ast.Call) -> bool:
        return self._returns(call) in ("all_locations", "current_location")

    def _returns(self, call: ast.Call) -> str:
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        return self._domain.skill(name).returns if name in self._domain.skill_names else ""

    # rooms that are counted ----------------------------------------------------------------------

    def _counted(self, node: ast.expr) -> str:
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for left, right in pairwise(sides):
                constant = isinstance(left, ast.Constant) or isinstance(right, ast.Constant)
                if not constant and (self._is_number(left) or self._is_number(right)):
                    return "numbers of rooms are compared"
        if isinstance(node, ast.BinOp) and not isinstance(
            node.op, (ast.Add, ast.BitOr, ast.BitAnd)
        ):
            known = isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant)
            numeric = self._is_number(node.left) or self._is_number(node.right)
            if numeric and not known and self._uses.strange([node], Form.TEXT) is not None:
                return "a number is worked out"
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Store):
            return self._indexed(node)
        if isinstance(node, ast.Call):
            return self._paired(node)
        return ""

    def _paired(self, node: ast.Call) -> str:
        if isinstance(node.func, ast.Attribute):
            return "what is left is used up" if node.func.attr in ("pop", "popitem") else ""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in _PAIRING and not (node.args and isinstance(node.args[0], ast.GeneratorExp)):
            return f"{name} may count rooms"
        if name == "range" and not all(self._is_plain_end(part) for part in node.args):
            return "it counts to a number that is worked out"
        return ""

    def _is_plain_end(self, end: ast.expr) -> bool:
        """A constant, the length of a list, or an answer as a number."""
        if isinstance(end, ast.UnaryOp):
            return self._is_plain_end(end.operand)
        called = end.func if isinstance(end, ast.Call) else None
        if isinstance(end, ast.Call) and isinstance(called, ast.Name) and called.id == "int":
            return all(map(self._is_answer, end.args))
        return isinstance(end, ast.Constant) or (
            isinstance(called, ast.Name) and called.id == "len"
        )

    def _is_answer(self, value: ast.expr) -> bool:
        if isinstance(value, ast.Name):
            sources = self._flow.direct(value.id)
            return self._flow.is_known(value.id) and all(map(self._is_answer, sources))
        return isinstance(value, ast.Call) and self._returns(value) == "one_of_options"

    def _indexed(self, node: ast.Subscript) -> str:
        """By a constant, or by where a loop over all places of a list stands."""
        parts = [node.slice]
        if isinstance(node.slice, ast.Slice):
            parts = [p for p in (node.slice.lower, node.slice.upper, node.slice.step) if p]
        for part in parts:
            if isinstance(part, ast.UnaryOp):
                part = part.operand
            if isinstance(part, ast.Name):
                sources = self._flow.direct(part.id)
                if sources and all(self._is_count(source) for source in sources):
                    continue
                if not any(self._is_number(source) for source in sources):
                    continue  # a key
            if not isinstance(part, ast.Constant) and not self._is_answer(part):
                return "a place in a list is worked out"
        return ""

    def _is_count(self, value: ast.expr) -> bool:
        called = value.func if isinstance(value, ast.Call) else None
        return isinstance(called, ast.Name) and called.id in ("range", "enumerate")

    def _is_number(self, value: ast.expr, most: int = 3) -> bool:
        """Whether this may be a number that depends on rooms."""
        if isinstance(value, ast.Constant):
            return type(value.value) in (int, float)
        if isinstance(value, ast.Call):
            if isinstance(value.func, ast.Attribute):
                return value.func.attr in _NUMBER_METHODS
            return isinstance(value.func, ast.Name) and value.func.id in _NUMBERS
        if isinstance(value, ast.BinOp):
            return self._is_number(value.left, most) or self._is_number(value.right, most)
        if isinstance(value, ast.Name) and most:
            sources = self._flow.direct(value.id)
            return any(self._is_count(s) or self._is_number(s, most - 1) for s in sources)
        return False

    # what is carried from room to room -----------------------------------------------------------

    def _flags(self) -> dict[str, set[object]]:
        """Names that are given several constants, with these."""
        values: dict[str, set[object]] = {}
        for node in self._parents:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        values.setdefault(target.id, set()).add(repr(node.value.value))
        grown = {n.target.id for n in self._parents
                 if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)}  # fmt: skip
        return {name: kept for name, kept in values.items() if len(kept) > 1 and name not in grown}

    def _carried(self) -> Iterator[Reason]:
        """Variables that may count in a way of their own, from one room to the next."""
        if self.states > MOST_STATES:
            yield 0, "what is remembered from room to room may count further than is tried"
        assigned: dict[str, int] = {}
        for node in self._parents:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                assigned[node.id] = assigned.get(node.id, 0) + 1
        for node in self._parents:
            if isinstance(node, ast.AugAssign):
                one = isinstance(node.value, ast.Constant) and node.value.value in (1, True)
                text = self._uses.strange([node.value], Form.TEXT) is None
                listed = self._is_collection(node.value)
                if not (one or text or listed):
                    yield node.lineno, "it counts by more than one"
            elif isinstance(node, ast.Assign):
                names = [p.id for t in node.targets for p in ast.walk(t) if isinstance(p, ast.Name)]
                again = any(assigned.get(name, 0) > 1 for name in names)
                if again and not self._is_fresh(node.value):
                    yield node.lineno, "what is remembered follows from what was remembered"

    def _is_fresh(self, value: ast.expr) -> bool:
        """Whether a value is a constant, a room, or an answer, and follows from no other state."""
        if isinstance(value, (ast.Constant, *_DISPLAYS)):
            parts = [p for p in ast.walk(value) if isinstance(p, ast.Name)]
            return isinstance(value, ast.Constant) or not parts or not self._listing
        if isinstance(value, ast.Call):
            return isinstance(value.func, ast.Name) and value.func.id in self._domain.skill_names
        if isinstance(value, ast.Name):
            sources = self._flow.direct(value.id)
            around = [self._parents.get(source) for source in sources]
            return bool(around) and all(isinstance(n, (ast.For, ast.comprehension)) for n in around)
        return self._uses.strange([value], Form.TEXT) is None


def _is_plain(call: ast.Call) -> bool:
    """Whether it is a function of Python, or asks a text, and so leaves nothing behind."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr in (*_TEXT_METHODS, "lower", "upper", "casefold")
    return isinstance(call.func, ast.Name) and call.func.id in BUILTINS
