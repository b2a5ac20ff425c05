"""What the variables of a program stand for at the place that is being told.

A variable is told by a meaning only where all assignments that reach the place give it that meaning
and nothing later has taken over the words: "the answer" is that of the last question. Elsewhere it
is told by its name, and the steps that assign it give that name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from roboinstruct_ros.domain.phrase import Said, text_of
from roboinstruct_ros.program.syntax import called, children, name_of, walk

Source = tuple[str, object]
"""A call whose result words such as "the answer" mean: the name of the function, and which call."""

_CHANGING = frozenset("append clear extend insert pop remove reverse sort shuffle".split())


@dataclass(frozen=True)
class Meaning:
    """What a variable stands for.

    Attributes:
        assigned: the nodes that may have assigned it.
        said: the words for it; None if only its name tells it.
        denied: for a condition, the words for its opposite.
        source: if the words are those of the last such call only.
        is_list: it collects things.
        about: the variables that the words mention, as they were then.
        text: that it holds; the words quote it.
    """

    assigned: frozenset[ast.AST]
    said: Said | None = None
    denied: Said | None = None
    source: Source | None = None
    is_list: bool = False
    about: tuple[tuple[str, Meaning], ...] = ()
    text: str | None = None

    def joined(self, other: Meaning) -> Meaning:
        """The meaning where either may hold."""
        assigned = self.assigned | other.assigned
        same = replace(self, assigned=assigned) == replace(other, assigned=assigned)
        return replace(self, assigned=assigned) if same else Meaning(assigned)


class Meanings:
    """The meanings at one place; told statements change them.

    Args:
        named: the nodes whose variables are told by name; grows with every use that needs it.
        functions: of the program, by name.
        shared: names of variables that a function may change for others; none is told in words.
    """

    def __init__(
        self,
        named: set[ast.AST],
        functions: Mapping[str, ast.FunctionDef],
        shared: Collection[str] = (),
    ) -> None:
        self.named = named
        self._shared = shared
        self.ended = False
        """Whether no run goes on from here, after a `return` for example."""
        self._functions = functions
        self._known: dict[str, Meaning] = {}
        self._last: dict[str, Meaning] = {}

    def copy(self) -> Meanings:
        other = self.inside(self, ())
        other.ended = self.ended
        return other

    def get(self, name: str) -> Meaning | None:
        """The meaning by which the variable can be told; None if only its name tells it."""
        meaning = self._known.get(name)
        if meaning is None:
            return None
        last = self._last.get(text_of(meaning.said)) if meaning.source else meaning
        true = last is not None and last.source == meaning.source
        if meaning.said is not None and true and not any(self._is_past(*a) for a in meaning.about):
            return meaning
        self.named |= meaning.assigned | (last.assigned if last is not None else frozenset())
        return None

    def inside(self, outer: Meanings, own: Iterable[str]) -> Meanings:
        """At the beginning of a function that sees the variables of `outer` but for its own."""
        hidden = set(own)
        other = Meanings(self.named, self._functions, self._shared)
        other._known = {name: one for name, one in outer._known.items() if name not in hidden}
        other._last = dict(self._last)
        return other

    def show(self, name: str) -> None:
        """The name appears in code: the steps that assign it have to give it."""
        meaning, label = self.get(name), name.replace("_", " ")
        if meaning is None:
            return
        told = "" if meaning.denied is not None else text_of(meaning.said)
        by_kind = meaning.source is not None and re.search(rf"\b{re.escape(label)}\b", told)
        if not by_kind and f"“{label}”" not in told:
            self.named |= meaning.assigned

    def about(self, node: ast.AST) -> tuple[tuple[str, Meaning], ...]:
        """The variables that the words for an expression mention."""
        parts = walk(node)
        inner = (part.target for part in parts if isinstance(part, ast.comprehension))
        own = {name_of(one) for target in inner for one in walk(target)}
        names = {name_of(part) for part in parts} & self._known.keys() - own
        met = [(name, self._known[name]) for name in sorted(names)]
        flat = [(name, replace(meaning, about=())) for name, meaning in met]
        return (*dict.fromkeys([*flat, *(one for _, meaning in met for one in meaning.about)]),)

    def _is_past(self, name: str, then: Meaning) -> bool:
        last = self._last.get(text_of(then.said)) if then.source else then
        changed = self._known.get(name, then).assigned != then.assigned
        return changed or last is None or last.source != then.source

    def known(self, name: str) -> Meaning | None:
        """As `get`, without the intention to tell it."""
        return self._known.get(name)

    def assign(self, name: str, meaning: Meaning) -> None:
        if name in self._shared:
            meaning = Meaning(meaning.assigned)
        self._known[name] = meaning
        if meaning.source is not None:
            self._last[text_of(meaning.said)] = meaning

    def forget(self, nodes: Iterable[ast.AST]) -> None:
        """These nodes assign variables what only their names tell."""
        for name, node in assignments(nodes):
            self.assign(name, Meaning(frozenset({node})))

    def take(self, said: Said) -> None:
        """The words stand for something else now, which no variable stores."""
        self._last.pop(text_of(said), None)

    def join(self, other: Meanings) -> None:
        """Go on from here or from there."""
        if other.ended or self.ended:
            kept = self if other.ended else other
            self._known, self._last, self.ended = kept._known, kept._last, kept.ended
            return
        for name, meaning in other._known.items():
            if (known := self._known.get(name, meaning)) is not meaning:
                meaning = known.joined(meaning)
            self._known[name] = meaning
        self._last = {
            text: meaning if meaning is other._last[text] else meaning.joined(other._last[text])
            for text, meaning in self._last.items()
            if text in other._last and other._last[text].source == meaning.source
        }

    def loosen(
        self, body: Iterable[ast.AST], meant: Callable[[str, ast.AST], Meaning] | None = None
    ) -> None:
        """Any part of these statements may have been done, any number of times.

        Args:
            meant: what a node would assign to the name, whatever is known here.
        """
        body = list(body)
        first = []
        for name, node in assignments(body):
            meaning = meant(name, node) if meant is not None else Meaning(frozenset({node}))
            known = self._known.get(name, meaning)
            if isinstance(node, ast.AugAssign) and known.is_list:
                continue
            if name not in self._known:
                first.append(meaning)
            self._known[name] = known.joined(meaning)
        new = [source(call, name) for name, call in self._stored(body)]
        known_last = {text_of(one.said): one for one in first if one.source} | self._last
        self._last = {
            text: meaning
            for text, meaning in known_last.items()
            if all(one == meaning.source or one[0] != (meaning.source or one)[0] for one in new)
        }

    def _stored(self, body: list[ast.AST]) -> Iterator[tuple[str, ast.Call]]:
        """The questions, and the calls with the variable that stores each, also of functions."""
        left, met = [("", body)], set()
        for scope, nodes in left:  # grows during the iteration
            values = {
                id(getattr(node, "value", 0)): scope + name for name, node in assignments(nodes)
            }
            for part in (part for node in nodes for part in walk(node)):
                function = self._functions.get(name_of(part))
                if function is not None and function.name not in met:
                    met.add(function.name)
                    left.append((f"{function.name}.", [*function.body]))
                if isinstance(part, ast.Call) and (id(part) in values or called(part) == "ask"):
                    yield values.get(id(part), ""), part


def source(call: ast.Call, variable: str) -> Source:
    """The call as the source of the words for what the variable stores."""
    what = ast.dump(call) if called(call) == "is_in_room" else called(call)
    return what, (variable, ast.dump(call)) if is_closed(call) else call


def is_closed(call: ast.AST) -> bool:
    """Whether the text of a call fixes its arguments."""
    names = [name for part in walk(call) if (name := name_of(part))]
    return isinstance(call, ast.Call) and names == [called(call)]


def assignments(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    """Each name that the nodes assign in their own scope, with the node that does it."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name, node
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        if not isinstance(node, ast.comprehension) and targets != [None]:
            for one in (part for target in targets for part in walk(target)):
                if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
                    yield one.id, node
        yield from assignments(children(node))


def changed_names(tree: ast.AST) -> set[str]:
    """Names of variables whose list the program changes."""
    found: set[str] = set()
    for node in walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in _CHANGING:
                found |= {name_of(one) for one in (node.func.value, *node.args)}
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            found.add(name_of(node.value))
        elif isinstance(node, ast.AugAssign):
            found.add(name_of(node.target))
    return found


def shared_names(tree: ast.AST, functions: Mapping[str, ast.FunctionDef]) -> set[str]:
    """Names of variables whose value may have another name too."""
    found: set[str] = set()
    for node in walk(tree):
        if called(node) in functions:
            found |= {name_of(part) for part in walk(node)}
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and name_of(node.value):
            found |= {name_of(node.value), *dict(assignments([node]))}
    return found
