"""Static checks of a program's text: constructs, names and literal arguments that are not allowed.

The allow list is the first barrier and not the only one: an accepted program still runs in a
confined process.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import warnings
from collections.abc import Iterator
from itertools import islice

from roboinstruct_ros.domain.skills import Domain, Parameter, Skill
from roboinstruct_ros.domain.value_types import value_type_fault
from roboinstruct_ros.domain.whole_text import has_half_characters
from roboinstruct_ros.program.formats import format_fault, is_format_call
from roboinstruct_ros.program.identity import identity_fault
from roboinstruct_ros.program.imports import import_fault
from roboinstruct_ros.program.language import (
    BUILTINS,
    EXCEPTIONS,
    EXPRESSIONS,
    METHODS,
    MODULES,
    PARTS,
    STATEMENTS,
)
from roboinstruct_ros.program.scopes import own_names
from roboinstruct_ros.program.syntax import walk
from roboinstruct_ros.program.task_program import ENTRY_POINT, TaskProgram
from roboinstruct_ros.program.violation import Violation, ViolationCode

_ALLOWED = (*STATEMENTS, *EXPRESSIONS, *PARTS)
_TOP_LEVEL = (ast.FunctionDef, ast.Assign, ast.AnnAssign)

_FORMATS = (ast.Call, ast.BinOp, ast.FormattedValue)

_MOST = 50
"""Most violations of one kind that are reported; nobody repairs more at once."""

_MOST_NAMES = 500
"""Most names of a program among which the intended spelling of a name is sought."""

_PYTHON_NAMES = {*dir(builtins), "help", "exit", "quit", "copyright", "credits", "license"}
"""Includes the names that `site` adds, so that every process reports the same."""

_LONGEST_MESSAGE = 400  # characters; a name may be as long as the program
LONGEST_TEXT = 2000  # characters of an argument, all options together
_MOST_OPTIONS = 100


def check(program: TaskProgram, domain: Domain) -> tuple[Violation, ...]:
    """All violations that the text alone shows, in the order of the text."""
    if program.tree is None:
        assert program.fault is not None
        return (program.fault,)
    nodes = [program.tree, *program.parents]
    own = own_names(program.tree, nodes)
    kinds = (
        _entry_point(program.tree),
        _constructs(nodes, own),
        _hidden_skills(program.tree, nodes, domain),
        _second_meanings(nodes, own),
        _names(nodes, domain),
        _skill_calls(nodes, domain),
        _compiler_faults(program.source),
    )
    found = [violation for kind in kinds for violation in islice(kind, _MOST)]
    unique = {(violation.code, violation.line, violation.column): violation for violation in found}
    return tuple(sorted(unique.values(), key=lambda violation: (violation.line, violation.column)))


def _compiler_faults(source: str) -> Iterator[Violation]:
    """Errors that only the compiler finds, e.g. `break` outside of a loop: the parser accepts
    it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<task_program>", "exec", dont_inherit=True)
    except SyntaxError as error:
        place = ast.Pass(lineno=error.lineno or 0, col_offset=max((error.offset or 1) - 1, 0))
        yield _violation(ViolationCode.SYNTAX_ERROR, place, f"this is not Python: {error.msg}")
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        yield _violation(ViolationCode.SYNTAX_ERROR, None, f"this is not Python: {error}")


def _entry_point(tree: ast.Module) -> Iterator[Violation]:
    for node in tree.body:
        if not isinstance(node, (*_TOP_LEVEL, ast.Import, ast.ImportFrom)) and not _is_text(node):
            yield _violation(
                ViolationCode.FORBIDDEN_CONSTRUCT,
                node,
                "only functions and constants may stand outside task_program()",
            )
    entries = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == ENTRY_POINT]
    if len(entries) != 1:
        how_many = "no" if not entries else f"{len(entries)} times a"
        message = f"there is {how_many} 'def task_program():'; exactly one is needed"
        place = entries[1] if len(entries) > 1 else None
        yield _violation(ViolationCode.NO_TASK_PROGRAM, place, message)
    for entry in entries[:1]:
        arguments = entry.args
        if (
            arguments.args
            or arguments.posonlyargs
            or arguments.kwonlyargs
            or (arguments.vararg or arguments.kwarg)
        ):
            yield _violation(
                ViolationCode.TASK_PROGRAM_PARAMETERS, entry, "task_program() takes no parameters"
            )


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _constructs(nodes: list[ast.AST], own: frozenset[int]) -> Iterator[Violation]:
    leaving_finally = _leaving_finally(nodes)
    # a format is checked by the string in front of it, not by its name
    formats = {id(n.func) for n in nodes if isinstance(n, ast.Call) and is_format_call(n)}
    for node in nodes:
        if id(node) in formats:
            continue
        if isinstance(node, ast.Attribute):
            reason = _forbidden_attribute(node, own)
        else:
            reason = _forbidden(node, leaving_finally)
            if isinstance(node, _FORMATS):
                reason = reason or format_fault(node)
        if reason:
            yield _violation(ViolationCode.FORBIDDEN_CONSTRUCT, node, reason)


def _leaving_finally(nodes: list[ast.AST]) -> set[ast.AST]:
    """Statements that may leave a `finally:` and thereby drop the exception being propagated."""
    return {
        inner
        for node in nodes
        if isinstance(node, ast.Try)
        for statement in node.finalbody
        for inner in walk(statement)
        if isinstance(inner, (ast.Return, ast.Break, ast.Continue))
    }


def _forbidden(node: ast.AST, leaving_finally: set[ast.AST]) -> str:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return import_fault(node)
    if isinstance(node, ast.Compare):
        return identity_fault(node)
    if isinstance(node, (ast.match_case, ast.pattern)):
        return ""  # the `match` around it is named
    if not isinstance(node, _ALLOWED):
        return f"'{_construct_name(node)}' is not part of the task language"
    if isinstance(node, ast.FunctionDef) and node.decorator_list:
        return "decorators are not part of the task language"
    if isinstance(node, ast.ExceptHandler) and _forbidden_handler(node):
        return _forbidden_handler(node)
    if isinstance(node, (ast.Return, ast.Break, ast.Continue)) and node in leaving_finally:
        return f"'{_construct_name(node).lower()}' in a 'finally:' would swallow a stop"
    if isinstance(node, ast.Constant) and has_half_characters(node.value):
        return "a text with half a character (a lone surrogate) can be neither said nor stored"
    name = _identifier(node)
    if name.startswith("__"):
        return f"the name '{name}' is not allowed"
    return ""


def _forbidden_handler(node: ast.ExceptHandler) -> str:
    if node.type is None:
        return "a bare 'except:' would also catch a stop; write 'except SkillError:'"
    names = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    # an expression here would be evaluated, and could fail, while a stop propagates
    if not all(isinstance(name, ast.Name) and name.id in EXCEPTIONS for name in names):
        return "only names of exceptions may stand after 'except', such as 'except SkillError:'"
    return ""


def _forbidden_attribute(node: ast.Attribute, own: frozenset[int]) -> str:
    if not isinstance(node.ctx, ast.Load):
        return f"attributes cannot be assigned, as '.{node.attr}' is here"
    name = node.value.id if isinstance(node.value, ast.Name) else ""
    if name in MODULES and id(node.value) not in own:
        allowed = MODULES[name]
        if node.attr not in allowed:
            return f"'{name}.{node.attr}' is not allowed{_nearest(node.attr, allowed)}"
        return ""
    if node.attr in MODULES.get(name, ()):
        return f"'{name}' is a variable here; '{name}.{node.attr}' needs another name for it"
    if node.attr == "format":
        return "'.format' needs its text before it, in quotes, as in 'Hello {}'.format(name)"
    if node.attr not in METHODS:
        return f"the attribute '.{node.attr}' is not allowed{_nearest(node.attr, METHODS)}"
    return ""


def _construct_name(node: ast.AST) -> str:
    names = {
        "ClassDef": "class", "With": "with", "Yield": "yield", "YieldFrom": "yield from",
        "AsyncFunctionDef": "async def", "Await": "await", "Match": "match",
        "AsyncFor": "async for", "AsyncWith": "async with", "TryStar": "except*",
    }  # fmt: skip
    return names.get(type(node).__name__, type(node).__name__)


def _identifier(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.FunctionDef):
        return node.name
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, ast.ExceptHandler):
        return node.name or ""
    return ""


def _hidden_skills(tree: ast.Module, nodes: list[ast.AST], domain: Domain) -> Iterator[Violation]:
    """Skills that would be called while the module is loaded, where no plan shows them."""
    functions = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    for place in _outside_bodies(tree, nodes):
        for node in walk(place):
            name = node.id if isinstance(node, ast.Name) else ""
            if name in functions or name in domain.skill_names:
                message = f"'{name}' may be used in the body of a function only"
                yield _violation(ViolationCode.FORBIDDEN_CONSTRUCT, node, message)


def _outside_bodies(tree: ast.Module, nodes: list[ast.AST]) -> Iterator[ast.AST]:
    """Code that is evaluated outside of functions or while functions are defined."""
    yield from (statement for statement in tree.body if not isinstance(statement, ast.FunctionDef))
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            yield node.args
        if isinstance(node, ast.FunctionDef) and node.returns is not None:
            yield node.returns


def _second_meanings(nodes: list[ast.AST], own: frozenset[int]) -> Iterator[Violation]:
    """Names that the plan reads as functions but that have another meaning at run time."""
    called = {
        node.func.id
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and id(node.func) in own
    }
    functions = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    met: set[str] = set()
    for node in nodes:
        name = _identifier(node) if _binds(node) else ""
        defines = isinstance(node, ast.FunctionDef) and name not in met
        twice = isinstance(node, ast.FunctionDef) and not defines
        reason = ""
        if name in EXCEPTIONS or name in BUILTINS & called:
            reason = f"'{name}' is Python's own name; call yours something else"
        elif twice or (name in functions and not defines):
            reason = f"'{name}' is the name of a function; it cannot be given another meaning"
        if reason:
            yield _violation(ViolationCode.FORBIDDEN_CONSTRUCT, node, reason)
        if defines:
            met.add(name)


def _names(nodes: list[ast.AST], domain: Domain) -> Iterator[Violation]:
    """Undefined names, and skills that the program would overwrite."""
    defined = {_identifier(node) for node in nodes if _binds(node)} | _imported(nodes)
    known = defined | {*domain.skill_names, *MODULES} | BUILTINS
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        name = _identifier(node)
        if _binds(node) and name in domain.skill_names:
            yield _violation(
                ViolationCode.FORBIDDEN_CONSTRUCT, node, f"'{name}' cannot be given another meaning"
            )
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and name not in known:
            yield _unknown_name(node, id(node) in called, known)


def _unknown_name(node: ast.Name, is_called: bool, known: set[str]) -> Violation:
    if node.id.startswith("__") or node.id in _PYTHON_NAMES:
        code = ViolationCode.FORBIDDEN_CONSTRUCT
        return _violation(code, node, f"'{node.id}' is not part of the task language")
    what = "skill or function" if is_called else "name"
    code = ViolationCode.UNKNOWN_SKILL if is_called else ViolationCode.UNKNOWN_NAME
    message = f"there is no {what} '{node.id}'{_nearest(node.id, known)}"
    return _violation(code, node, message)


def _imported(nodes: list[ast.AST]) -> set[str]:
    """Imported names: the import itself is reported, so their uses need not be."""
    aliases = [node for node in nodes if isinstance(node, ast.alias)]
    return {(alias.asname or alias.name).split(".")[0] for alias in aliases}


def _binds(node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return isinstance(node.ctx, ast.Store)
    if isinstance(node, ast.ExceptHandler):
        return node.name is not None
    return isinstance(node, (ast.FunctionDef, ast.arg))


def _skill_calls(nodes: list[ast.AST], domain: Domain) -> Iterator[Violation]:
    for node in nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id in domain.skill_names:
            yield from _arguments(node, domain.skill(node.func.id))


def _arguments(call: ast.Call, skill: Skill) -> Iterator[Violation]:
    if any(isinstance(a, ast.Starred) for a in call.args) or any(
        keyword.arg is None for keyword in call.keywords
    ):
        return  # known only at run time
    given: dict[str, ast.expr] = dict(zip(skill.parameter_names, call.args, strict=False))
    signature = f"{skill.name}({', '.join(skill.parameter_names)})"
    for extra in call.args[len(skill.parameters) :]:
        yield _wrong(extra, f"one argument too many; it is {signature}")
    for keyword in call.keywords:
        if keyword.arg not in skill.parameter_names or keyword.arg in given:
            yield _wrong(keyword.value, f"no argument '{keyword.arg}' fits; it is {signature}")
        elif keyword.arg is not None:
            given[keyword.arg] = keyword.value
    for parameter in skill.parameters:
        if parameter.name not in given:
            yield _wrong(call, f"the argument '{parameter.name}' is missing; it is {signature}")
        else:
            reason = literal_fault(given[parameter.name], parameter)
            if reason:
                yield _wrong(given[parameter.name], f"{skill.name}: {reason}")


def literal_fault(node: ast.expr, parameter: Parameter) -> str:
    """What is wrong with a literal argument; empty if it is right, or known only at run time."""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ""
    return value_fault(value, parameter)


def value_fault(value: object, parameter: Parameter) -> str:
    """Why a value does not fit the parameter; empty if it does."""
    reason = value_type_fault(value, parameter.type)
    if reason:
        return f"'{parameter.name}' {reason}"
    if isinstance(value, str) and not value.strip() and not parameter.may_be_empty:
        return f"'{parameter.name}' must not be empty"
    texts = value if isinstance(value, (list, tuple)) else [value]
    if len(texts) > _MOST_OPTIONS:
        return f"'{parameter.name}' has {len(texts)} entries; at most {_MOST_OPTIONS} are allowed"
    if sum(len(text) for text in texts if isinstance(text, str)) > LONGEST_TEXT:
        return f"'{parameter.name}' is longer than {LONGEST_TEXT} characters"
    if any(map(has_half_characters, texts)):
        return f"'{parameter.name}' has half a character (a lone surrogate)"
    return ""


def _wrong(node: ast.AST, message: str) -> Violation:
    return _violation(ViolationCode.WRONG_ARGUMENTS, node, message)


def _violation(code: ViolationCode, node: ast.AST | None, message: str) -> Violation:
    line = getattr(node, "lineno", 0)
    column = getattr(node, "col_offset", 0)
    if len(message) > _LONGEST_MESSAGE:
        message = f"{message[:_LONGEST_MESSAGE]}..."
    return Violation(code=code, line=line, column=column, message=message)


def _nearest(name: str, known: frozenset[str] | set[str]) -> str:
    if len(known) > _MOST_NAMES:
        return ""
    close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    return f"; did you mean '{close[0]}'?" if close else ""
