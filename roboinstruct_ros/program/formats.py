"""String formatting with placeholders: `"{} of {}".format(a, b)` and `"%d of %d" % (a, b)`.

A format can read attributes of its values and produce gigabytes of blanks. A format that is a
literal in the program can be checked for both, and is then treated as the equivalent f-string.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from string import Formatter

from roboinstruct_ros.program.syntax import walk

LARGEST_WIDTH = 1000
"""Largest width of a placeholder in characters, and most digits that it may show."""

_OLD_PLACE = re.compile(
    r"%(?P<key>\([^()]*\))?[#0\- +]*(?P<width>\*|\d+)?(?:\.(?P<digits>\*|\d+)?)?[hlL]?(?P<kind>.)",
    re.DOTALL,
)


def is_format_call(node: ast.AST) -> bool:
    """Whether this is `.format(...)` of a string literal."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "format"
        and isinstance(node.func.value, ast.Constant)
        and isinstance(node.func.value.value, str)
    )


def format_fault(node: ast.AST) -> str:
    """What is wrong with a literal format; empty if nothing is, and for other nodes."""
    if is_format_call(node):
        assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        given = [*node.args, *node.keywords]
        if any(
            isinstance(g, ast.Starred) or (isinstance(g, ast.keyword) and not g.arg) for g in given
        ):
            return "'.format' takes its values one by one, without * and **"
        return _new_fault(_text(node.func.value))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return _old_fault(_text(node.left))
    if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
        parts = walk(node.format_spec)
        if any(isinstance(part, ast.FormattedValue) for part in parts):
            return "a place within a place leaves its width open; write it into the format"
        return _width_fault("".join(map(_text, parts)))
    return ""


def has_formats(tree: ast.Module) -> bool:
    """Whether `as_f_strings` would change the program."""
    return any(_f_string(node) for node in walk(tree))


def as_f_strings(tree: ast.Module) -> ast.Module:
    """Replace such formats by f-strings; modifies the tree in place and returns it.

    The result does not preserve the evaluation order of the values where it differs from that of an
    f-string.
    """
    changed: ast.Module = ast.fix_missing_locations(_Telling().visit(tree))
    return changed


def _text(node: ast.AST) -> str:
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return node.value if is_text else ""  # type: ignore[attr-defined]


def _new_fault(text: str) -> str:
    try:
        places = [place for place in Formatter().parse(text) if place[1] is not None]
    except ValueError as error:
        return f"this is no format: {error}"
    for _, name, spec, _ in places:
        assert name is not None
        if name and not name.isidentifier() and not (name.isascii() and name.isdigit()):
            return f"'{{{name}}}' looks into a value; a format may name values only"
        if "{" in (spec or ""):
            return f"'{{{name}:{spec}}}' has a place within a place"
        if _width_fault(spec or ""):
            return _width_fault(spec or "")
    return ""


def _old_fault(text: str) -> str:
    for place in _OLD_PLACE.finditer(text):
        if "*" in (place["width"], place["digits"]):
            return f"'{place[0]}' leaves its width open; write it into the format"
        wide = _width_fault(f"{place['width'] or ''} {place['digits'] or ''}")
        if wide:
            return wide
    return ""


def _width_fault(spec: str) -> str:
    for number in re.findall(r"\d+", spec):
        if len(number) > 9 or int(number) > LARGEST_WIDTH:
            return f"a place {number[:12]} wide; at most {LARGEST_WIDTH} characters are allowed"
    return ""


class _Telling(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return _f_string(node) or node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return _f_string(node) or node


def _f_string(node: ast.AST) -> ast.JoinedStr | None:
    """The equivalent f-string; None if values are missing, and for other nodes."""
    if format_fault(node):
        return None
    try:
        if is_format_call(node):
            assert isinstance(node, ast.Call)
            parts = list(_new_parts(node))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and _text(node.left):
            parts = list(_old_parts(_text(node.left), node.right))
        else:
            return None
    except LookupError:
        return None
    return ast.copy_location(ast.JoinedStr(parts), node)


def _new_parts(call: ast.Call) -> Iterator[ast.expr]:
    """Raises LookupError if a value is missing."""
    assert isinstance(call.func, ast.Attribute)
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    left = [*call.args, *named.values()]
    count = 0
    for text, name, spec, conversion in Formatter().parse(_text(call.func.value)):
        if text:
            yield ast.Constant(text)
        if name is None:
            continue
        value = named[name] if name.isidentifier() else call.args[int(name or count)]
        count += not name
        left = [other for other in left if other is not value]
        shape = ast.JoinedStr([ast.Constant(spec)]) if spec else None
        yield ast.FormattedValue(value, ord(conversion) if conversion else -1, shape)
    yield from (ast.FormattedValue(value, -1, None) for value in left)


def _old_parts(text: str, right: ast.expr) -> Iterator[ast.expr]:
    """Raises LookupError if a value is missing, left over, or named."""
    values = list(right.elts) if isinstance(right, ast.Tuple) else [right]
    if any(isinstance(value, ast.Starred) for value in values):
        raise LookupError
    begin = 0
    for place in _OLD_PLACE.finditer(text):
        before = text[begin : place.start()] + ("%" if place["kind"] == "%" else "")
        begin = place.end()
        if before:
            yield ast.Constant(before)
        if place["kind"] != "%":
            if place["key"] is not None:
                raise LookupError
            yield ast.FormattedValue(values.pop(0), -1, None)
    if values:
        raise LookupError
    if text[begin:]:
        yield ast.Constant(text[begin:])
