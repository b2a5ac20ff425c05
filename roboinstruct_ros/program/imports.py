"""Imports of modules that every program has anyway: they are allowed and do nothing."""

from __future__ import annotations

import ast

from roboinstruct_ros.program.language import MODULES


def is_needless(node: ast.AST) -> bool:
    """Whether this is `import time` or the like, without renaming the module."""
    return isinstance(node, ast.Import) and all(
        alias.name in MODULES and alias.asname in (None, alias.name) for alias in node.names
    )


def import_fault(node: ast.Import | ast.ImportFrom) -> str:
    """Why an import is refused, and what to write instead; empty for a needless import."""
    if is_needless(node):
        return ""
    names = ", ".join(alias.name for alias in node.names)
    module = node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
    if module in MODULES:
        example = f"{module}.{sorted(MODULES[module])[-1]}"
        if isinstance(node, ast.ImportFrom) and node.names[0].name in MODULES[module]:
            example = f"{module}.{node.names[0].name}"
        return (
            f"'{ast.unparse(node)}' is not allowed; write {example}, which is there without import"
        )
    return f"importing '{names}' is not allowed; time, math and random are there without import"


def without_imports(tree: ast.Module) -> ast.Module:
    """Replace needless imports by `pass`; modifies the tree in place and returns it."""
    changed: ast.Module = _Dropping().visit(tree)
    return changed


class _Dropping(ast.NodeTransformer):
    def visit_Import(self, node: ast.Import) -> ast.AST:
        return ast.copy_location(ast.Pass(), node) if is_needless(node) else node
