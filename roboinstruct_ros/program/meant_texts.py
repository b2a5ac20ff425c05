"""The texts that an expression of a program may stand for, as far as its text tells."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator

from roboinstruct_ros.program.syntax import called, name_of, parents_in, text_of, walk

_SCOPES = (ast.Module, ast.FunctionDef, ast.Lambda)
_DEEPEST = 20
_Name = tuple[ast.AST, str]
"""A name and the function (or the module) that binds it."""


class MeantTexts:
    """Finds what each name is bound to, in the function that binds it.

    Args:
        known: the text that a call gives; None if that is not known.
    """

    def __init__(self, tree: ast.Module, known: Callable[[ast.Call], str | None]) -> None:
        self._known, self._parents = known, parents_in(tree)
        self._uses = Counter(map(name_of, self._parents))
        self._calls: dict[str, list[ast.Call]] = defaultdict(list)
        for node in self._parents:
            if isinstance(node, ast.Call):
                self._calls[called(node)].append(node)
        self._shared: set[str] = set()  # names that inner functions may bind too
        self._values: dict[_Name, list[ast.expr | None]] = defaultdict(list)
        for node in self._parents:
            for name, values in self._bound(node):
                self._values[name] += values
        self._texts: dict[_Name, list[str | None]] = {}

    def of(self, node: ast.expr | None, depth: int = 0) -> list[str | None]:
        """The texts, each once; only None where one of them is not known.

        Args:
            depth: of the names that have led here.
        """
        if isinstance(node, ast.Call):
            return [self._known(node)]
        if not isinstance(node, ast.Name):
            # None and "" name nothing that a skill could take
            nothing = isinstance(node, ast.Constant) and node.value in (None, "")
            return [] if nothing else [text_of(node)]
        name = self._binding(node)
        if depth == _DEEPEST or node.id in self._shared:
            return [None]
        if name not in self._texts:
            self._texts[name] = [None]  # for a name that is bound to itself
            values = self._values.get(name) or [None]
            texts = [text for one in values for text in self.of(one, depth + 1)]
            known = list(dict.fromkeys(texts))
            self._texts[name] = known if known and None not in known else [None]
        return self._texts[name]

    def _binding(self, node: ast.Name) -> _Name:
        scope = self._scope(node)
        while (scope, node.id) not in self._values and scope in self._parents:
            scope = self._scope(self._parents[scope])
        return scope, node.id

    def _scope(self, node: ast.AST) -> ast.AST:
        while not isinstance(node, _SCOPES):
            node = self._parents[node]
        return node

    def _bound(self, node: ast.AST) -> Iterator[tuple[_Name, list[ast.expr | None]]]:
        if isinstance(node, ast.Global | ast.Nonlocal):
            self._shared.update(node.names)
        elif isinstance(node, ast.FunctionDef | ast.Lambda):
            parameters = [one.arg for one in walk(node.args) if isinstance(one, ast.arg)]
            for index, name in enumerate(parameters):
                yield (node, name), self._passed(node, index)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield (self._scope(node), node.id), self._given(node)

    def _passed(self, function: ast.FunctionDef | ast.Lambda, index: int) -> list[ast.expr | None]:
        """What a parameter gets from all calls of its function, if these are plain ones."""
        name = getattr(function, "name", "")
        calls, whole = (
            self._calls[name],
            ast.arguments([], function.args.args, None, [], [], None, []),
        )
        plain = ast.dump(whole) == ast.dump(function.args) and all(
            len(one.args) == len(whole.args)
            and not one.keywords
            and not any(isinstance(value, ast.Starred) for value in one.args)
            for one in calls
        )
        outer = isinstance(self._parents[function], ast.Module)
        if not name or not outer or not plain or self._uses[name] > len(calls):
            return [None]
        return [one.args[index] for one in calls]

    def _given(self, target: ast.Name) -> list[ast.expr | None]:
        """What a name gets where it is bound: one value, or in a loop those of a list."""
        parent = self._parents[target]
        if isinstance(parent, ast.Assign):
            return [parent.value]
        listed = parent.iter if isinstance(parent, ast.For | ast.comprehension) else None
        return [*listed.elts] if isinstance(listed, ast.List | ast.Tuple) else [None]
