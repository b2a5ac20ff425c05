"""A task program: the text of one `def task_program():`, its hash and its parsed form."""

from __future__ import annotations

import ast
import copy
import hashlib
import re
import warnings
from dataclasses import dataclass, field
from functools import cached_property

from roboinstruct_ros.program.formats import as_f_strings, has_formats
from roboinstruct_ros.program.imports import is_needless, without_imports
from roboinstruct_ros.program.syntax import Parents, parents_in
from roboinstruct_ros.program.violation import Violation, ViolationCode

MAX_CHARACTERS = 20_000
"""Longest program text that is examined, in characters."""

MAX_NESTING = 100
"""Deepest nesting of the syntax tree; its readers recurse, also within nodes."""

ENTRY_POINT = "task_program"


def sha256_of(source: str) -> str:
    """Hash of the UTF-8 program text, lower-case hex; an approval is bound to it."""
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()


def lines_of(source: str) -> list[str]:
    """The lines as Python counts them: form feeds and Unicode's separators end none."""
    lines = re.split(r"\r\n?|\n", source)
    return lines if lines[-1] else lines[:-1]


@dataclass(frozen=True)
class TaskProgram:
    """Program text and the result of parsing it.

    Attributes:
        tree: None if the text is not Python; `fault` then says why.
    """

    source: str
    sha256: str
    tree: ast.Module | None = field(compare=False, default=None)
    fault: Violation | None = field(compare=False, default=None)

    @cached_property
    def told(self) -> ast.Module | None:
        """The normalised tree that is narrated and verified: without imports, formats as
        f-strings."""
        tree = self.tree
        formats = "%" in self.source or "format" in self.source
        if tree is not None and (self.needless_imports or (formats and has_formats(tree))):
            return as_f_strings(without_imports(copy.deepcopy(tree)))
        return tree

    @cached_property
    def needless_imports(self) -> tuple[ast.Import, ...]:
        """Imports without effect: `time`, `math` and `random` are available without them."""
        nodes = self.parents if "import" in self.source else ()
        return tuple(n for n in nodes if isinstance(n, ast.Import) and is_needless(n))

    @cached_property
    def parents(self) -> Parents:
        """All nodes of the tree with their parents."""
        return parents_in(self.tree) if self.tree is not None else {}

    @classmethod
    def from_text(cls, source: str) -> TaskProgram:
        """Parse program text; never raises."""
        digest = sha256_of(source)
        if len(source) > MAX_CHARACTERS:
            message = f"the program has {len(source)} characters; at most {MAX_CHARACTERS} are read"
            return cls(source, digest, None, _fault(ViolationCode.TOO_LONG, 0, 0, message))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(source, filename="<task_program>")
        except SyntaxError as error:
            column = max((error.offset or 1) - 1, 0)
            message = f"this is not Python: {error.msg}"
            return cls(source, digest, None, _syntax(error.lineno or 0, column, message))
        except (ValueError, RecursionError, MemoryError) as error:
            return cls(source, digest, None, _syntax(0, 0, f"this is not Python: {error}"))
        program = cls(source, digest, tree)
        deep = _too_deep(program.parents)
        if deep:
            message = f"this is nested more than {MAX_NESTING} deep"
            code = ViolationCode.FORBIDDEN_CONSTRUCT
            return cls(source, digest, None, _fault(code, deep, 0, message))
        return program


def _too_deep(parents: Parents) -> int:
    """Line at which the tree is nested too deeply; 0 if it is not."""
    deepest = next(reversed(parents), None)
    around = [] if deepest is None else [deepest]
    while around and around[-1] in parents:
        around.append(parents[around[-1]])
    too_deep = around[::-1][MAX_NESTING:]
    lines = (node.lineno for node in too_deep if isinstance(node, (ast.stmt, ast.expr)))
    return next(lines, len(too_deep) and 1)


def _syntax(line: int, column: int, message: str) -> Violation:
    return _fault(ViolationCode.SYNTAX_ERROR, line, column, message)


def _fault(code: ViolationCode, line: int, column: int, message: str) -> Violation:
    return Violation(code=code, line=line, column=column, message=message)
