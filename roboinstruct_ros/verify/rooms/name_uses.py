"""Decides whether a program uses room names in known ways only: says them, goes there, or compares
them with its own texts.

Any other use counts as unknown: any two rooms may then differ for the program.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from enum import Enum

from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.program.syntax import Parents, called, text_of

_KEEPING = ("append", "extend", "insert")


class Form(Enum):
    """The form in which a name is used: itself, part of a text, or in a list of either."""

    NAME = "name"
    TEXT = "text"
    LIST = "list"


Use = tuple[ast.expr, Form]


class NameUses:
    """Follows values through the text of a program to their uses."""

    def __init__(self, parents: Parents, domain: Domain) -> None:
        self._parents = parents
        self._domain = domain
        self._loads: dict[str, list[ast.expr]] = {}
        self._calls: dict[str, list[ast.expr]] = {}
        self._functions: dict[str, ast.FunctionDef] = {}
        for node in parents:
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
                parent = parents[node]
                called = isinstance(parent, ast.Call) and parent.func is node
                table = self._calls if called else self._loads
                table.setdefault(node.id, []).append(parent if called else node)  # type: ignore[arg-type]
            elif isinstance(node, ast.FunctionDef):
                self._functions[node.name] = node

    def strange(self, values: Iterable[ast.expr], form: Form = Form.NAME) -> ast.expr | None:
        """The first unknown use; None if all are known."""
        left: list[Use] = [(value, form) for value in values]
        seen: set[tuple[int, Form]] = set()
        while left:
            value, form = left.pop()
            if (id(value), form) in seen:
                continue
            seen.add((id(value), form))
            next_uses = self._next(value, form)
            if next_uses is None:
                return value
            left += next_uses
        return None

    def _next(self, value: ast.expr, form: Form) -> list[Use] | None:
        """The next uses of the value; None for an unknown use."""
        parent = self._parents[value]
        match parent:
            case ast.Expr() | ast.If() | ast.While() | ast.UnaryOp(op=ast.Not()):
                return []  # a name is never empty, and the length of a list counts as a number
            case ast.NamedExpr(target=target):
                named = self._kept([target], form)
                return None if named is None else [(parent, form), *named]
            case ast.BoolOp() | ast.IfExp():
                return [(parent, form)]
            case ast.Assign(targets=targets):
                return self._kept(targets, form)
            case ast.AnnAssign(target=target):
                return self._kept([target], form)
            case ast.AugAssign(target=target, op=operator):
                form = Form.TEXT if form is Form.NAME else form
                return self._kept([target], form) if isinstance(operator, ast.Add) else None
            case ast.Return():
                return self._returned(parent, form)
            case ast.keyword(arg=name):
                call = self._parents[parent]
                return self._given(call, name, form) if isinstance(call, ast.Call) else None
            case ast.Call():
                return self._argument(parent, value, form)
            case ast.ListComp(elt=element) if form is Form.TEXT:
                return [(parent, Form.LIST)] if element is value else None
        return (
            self._of_list(parent, value)
            if form is Form.LIST
            else self._of_text(parent, value, form)
        )

    def _of_text(self, parent: ast.AST, value: ast.expr, form: Form) -> list[Use] | None:
        """A name or a text that becomes part of another one, enters a list, or is compared."""
        match parent:
            case ast.FormattedValue() | ast.JoinedStr() | ast.BinOp(op=ast.Add()):
                return [(parent, Form.TEXT)]
            case ast.List() | ast.Tuple() if form is Form.TEXT:
                return [(parent, Form.LIST)]
            case ast.Raise():
                return []  # an error that is re-raised
        return [] if form is Form.NAME and _is_plain_test(parent, value) else None

    def _kept(self, targets: Iterable[ast.expr], form: Form) -> list[Use] | None:
        """All uses of the names under which the value is stored."""
        uses: list[Use] = []
        for target in targets:
            if not isinstance(target, ast.Name) or target.id in self._calls:
                return None
            uses += [(load, form) for load in self._loads.get(target.id, [])]
        return uses

    def _returned(self, parent: ast.AST, form: Form) -> list[Use] | None:
        around: ast.AST | None = parent
        while around is not None and not isinstance(around, (ast.FunctionDef, ast.Lambda)):
            around = self._parents.get(around)
        if not isinstance(around, ast.FunctionDef) or around.name in self._loads:
            return None
        return [(call, form) for call in self._calls.get(around.name, [])]

    def _argument(self, call: ast.Call, value: ast.expr, form: Form) -> list[Use] | None:
        if call.func is value:
            return None
        if isinstance(call.func, ast.Attribute):
            return self._of_method(call, call.func, form)
        if any(isinstance(argument, ast.Starred) for argument in call.args):
            return None
        return self._given(call, call.args.index(value), form)

    def _of_method(self, call: ast.Call, method: ast.Attribute, form: Form) -> list[Use] | None:
        """`parts.append(text)` stores it; `", ".join(parts)` makes one text."""
        receiver = method.value
        if method.attr in _KEEPING and form is not Form.NAME and isinstance(receiver, ast.Name):
            return self._kept([receiver], Form.LIST)
        joins = method.attr == "join" and form is Form.LIST
        return [(call, Form.TEXT)] if joins and isinstance(receiver, ast.Constant) else None

    def _given(self, call: ast.Call, place: int | str | None, form: Form) -> list[Use] | None:
        """A value passed to a skill, `print`, `str`, `len`, or a function of the program."""
        name = called(call)
        if name == "print":
            return []
        if name == "str" and form is not Form.LIST:
            return [(call, form)]
        if name == "len" and form is Form.LIST:
            return []
        if name in self._domain.skill_names:
            parameters = self._domain.skill(name).parameters
            types = {p.type for n, p in enumerate(parameters) if place in (n, p.name)}
            unfit = {Form.NAME: types & {"options"}, Form.TEXT: types - {"text"}}.get(form, True)
            return None if unfit or not types else []
        function = self._functions.get(name)
        if function is None or place is None or name in self._loads or function.args.vararg:
            return None
        arguments = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        taken = [a.arg for n, a in enumerate(arguments) if place in (n, a.arg)]
        if any(parameter in self._calls for parameter in taken):
            return None
        return [(load, form) for parameter in taken for load in self._loads.get(parameter, [])]

    def _of_list(self, parent: ast.AST, value: ast.expr) -> list[Use] | None:
        """A list of texts that is iterated, concatenated, or appended to."""
        match parent:
            case ast.Starred():
                return [(self._parents[parent], Form.LIST)]  # type: ignore[list-item]
            case ast.For(iter=iterated, target=target) if iterated is value:
                return self._kept([target], Form.TEXT)
            case ast.Subscript(value=whole, slice=place) if whole is value:
                return [(parent, Form.LIST if isinstance(place, ast.Slice) else Form.TEXT)]
            case ast.BinOp(op=ast.Add()):
                return [(parent, Form.LIST)]
            case ast.Attribute(attr=method) if method in (*_KEEPING, "clear", "reverse"):
                return []
        return None


def _is_plain_test(parent: ast.AST, use: ast.expr) -> bool:
    """`name == "lab"`, `"lab" in name`, `name in ["lab", "den"]`."""
    match parent:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]):
            return text_of(right if use is left else left) is not None
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[right]):
            if use is right:
                return text_of(left) is not None
            texts = right.elts if isinstance(right, (ast.List, ast.Tuple, ast.Set)) else [None]
            return all(text_of(text) is not None for text in texts)
    return False


def names_handed_on(parents: Parents, domain: Domain) -> Iterator[ast.Name]:
    """Uses of skills that go to rooms or name them, other than calls with plain arguments."""
    about_rooms = {
        skill.name
        for skill in domain.skills
        if skill.returns in ("current_location", "all_locations")
        or any(parameter.type == "location" for parameter in skill.parameters)
    }
    for node in parents:
        if isinstance(node, ast.Name) and node.id in about_rooms:
            parent = parents[node]
            called = parent if isinstance(parent, ast.Call) and parent.func is node else None
            if called is None or _is_packed(called, len(domain.skill(node.id).parameters)):
                yield node


def _is_packed(call: ast.Call, parameters: int) -> bool:
    """Whether unpacking may pass an argument to a parameter other than its position says."""
    packed = parameters > 1 and any(isinstance(argument, ast.Starred) for argument in call.args)
    return packed or any(keyword.arg is None for keyword in call.keywords)
