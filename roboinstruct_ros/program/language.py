"""The part of Python that a task program may use, as data."""

from __future__ import annotations

import ast

from roboinstruct_ros.domain.program_names import BUILTINS as BUILTINS
from roboinstruct_ros.domain.program_names import MODULES as MODULES

STATEMENTS: tuple[type[ast.AST], ...] = (
    ast.FunctionDef, ast.Return, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.For, ast.While,
    ast.If, ast.Expr, ast.Pass, ast.Break, ast.Continue, ast.Try, ast.Raise, ast.Assert,
    ast.Delete, ast.Nonlocal, ast.Global,
)  # fmt: skip

EXPRESSIONS: tuple[type[ast.AST], ...] = (
    ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp, ast.Dict, ast.Set, ast.ListComp,
    ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Compare, ast.Call, ast.FormattedValue,
    ast.JoinedStr, ast.Constant, ast.Attribute, ast.Subscript, ast.Starred, ast.Name, ast.List,
    ast.Tuple, ast.Slice, ast.NamedExpr,
)  # fmt: skip

PARTS: tuple[type[ast.AST], ...] = (
    ast.Module, ast.arguments, ast.arg, ast.keyword, ast.comprehension, ast.ExceptHandler,
    ast.alias, ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop,
)  # fmt: skip

EXCEPTIONS: frozenset[str] = frozenset(
    name for name in BUILTINS if name.endswith(("Error", "Exception", "StopIteration"))
)
"""Exceptions that a program may catch. All derive from `Exception`, so none catches a stop."""

METHODS: frozenset[str] = frozenset(
    # str
    "capitalize casefold count endswith find index isalpha isdigit isnumeric isspace isupper "
    "islower join lower lstrip partition removeprefix removesuffix replace rfind rpartition "
    "rsplit rstrip split splitlines startswith strip swapcase title upper zfill ljust rjust center "
    # list, dict, set
    "append clear copy extend insert pop remove reverse sort get items keys setdefault update "
    "values popitem add discard difference intersection issubset issuperset union "
    "symmetric_difference "
    # SkillError
    "code message".split()
)
"""Attributes of values. `format` is absent: it is allowed for string literals only (`formats`)."""
