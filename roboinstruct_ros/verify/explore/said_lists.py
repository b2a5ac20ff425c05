"""Finds lists that a program only fills and says, such as the rooms in which it found something.

Two runs that differ only in the items of such lists have the same future, except for the words that
they say. So they count as equal, and a report about all rooms costs a few worlds per room instead
of twice as many with each one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from roboinstruct_ros.domain.skills import Domain, Skill
from roboinstruct_ros.domain.whole_text import has_half_characters
from roboinstruct_ros.program.syntax import Parents, called
from roboinstruct_ros.verify.error_words import most_characters

_SCOPES = (
    ast.FunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp
)  # fmt: skip


@dataclass(frozen=True)
class SaidList:
    """How a program uses one of its lists.

    Attributes:
        counted: it looks at the number of items, and not only at whether there are any.
        separators: lengths of the separators with which it says them, one for each place.
    """

    counted: bool
    separators: tuple[int, ...]


@dataclass(frozen=True)
class SaidNow:
    """The items of such a list at one moment.

    Attributes:
        items: their number.
        characters: of all items together, at most.
    """

    of: SaidList
    items: int
    characters: int

    @classmethod
    def read(cls, of: SaidList, value: Any) -> SaidNow | None:
        """None if they are not all texts that can be said."""
        if type(value) is not list or not all(map(_can_be_said, value)):
            return None
        return cls(of, len(value), sum(map(most_characters, value)))

    @property
    def seen(self) -> object:
        """What the program sees of it."""
        return self.items if self.of.counted else bool(self.items)

    def longer_than(self, other: SaidNow) -> int:
        """By how many characters more a text may say this list than `other`, another state of the
        same one; items that both get later do not matter."""
        more, characters = self.items - other.items, self.characters - other.characters
        return sum(max(0, characters + more * length) for length in self.of.separators)


def said_lists(parents: Parents, domain: Domain) -> dict[ast.AST, dict[str, SaidList]]:
    """The lists of each function, by their names, which no other function uses."""
    uses: dict[str, list[ast.Name]] = {}
    for node in parents:
        if isinstance(node, ast.Name):
            uses.setdefault(node.id, []).append(node)
    strange = set(_bound_otherwise(parents))
    found: dict[ast.AST, dict[str, SaidList]] = {}
    for name in uses.keys() - strange:
        owners = {_owner(parents, node) for node in uses[name]}
        owner = owners.pop()
        said = None if owners else _said(parents, domain, uses[name])
        if said is not None and isinstance(owner, ast.FunctionDef):
            found.setdefault(owner, {})[name] = said
    return found


def _said(parents: Parents, domain: Domain, nodes: Iterable[ast.Name]) -> SaidList | None:
    """How the list is used; None if it is not only filled and said."""
    filled, counted, separators = False, False, list[int]()
    for node in nodes:
        match parents[node]:
            case ast.Assign(targets=[_], value=ast.List(elts=[])):
                filled = True
            case ast.AnnAssign(value=ast.List(elts=[])):
                filled = True
            case ast.Call(func=ast.Name(id="len"), args=[_]):
                counted = True
            case (
                ast.Call(
                    func=ast.Attribute(value=ast.Constant(value=str(separator)), attr="join")
                ) as call
            ) if _is_said(parents, domain, call):
                separators.append(len(separator))
            case ast.Attribute(attr="append"):
                pass
            case _ if not _is_tested(parents, node):
                return None
    return SaidList(counted, tuple(separators)) if filled else None


def _is_tested(parents: Parents, node: ast.AST) -> bool:
    """`if found`, `if not found and ...`"""
    parent = parents[node]
    while isinstance(parent, ast.BoolOp) or (
        isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)
    ):
        node, parent = parent, parents[parent]
    return isinstance(parent, (ast.If, ast.IfExp, ast.While)) and parent.test is node


def _is_said(parents: Parents, domain: Domain, node: ast.AST) -> bool:
    """Whether the text becomes part of what a skill only says."""
    while _is_part_of_text(parent := parents[node]):
        node = parent
    call = parents[parent] if isinstance(parent, ast.keyword) else parent
    if not isinstance(call, ast.Call) or called(call) not in domain.skill_names:
        return False
    skill = domain.skill(called(call))
    given: dict[ast.AST, str | None] = dict(zip(call.args, skill.parameter_names, strict=False))
    given.update({keyword: keyword.arg for keyword in call.keywords})
    return given.get(parent if isinstance(parent, ast.keyword) else node) in only_said(skill)


def _is_part_of_text(node: ast.AST) -> bool:
    """Whether its text and truth depend on those of its parts alone."""
    match node:
        case ast.BinOp(op=ast.Add()) | ast.BoolOp() | ast.IfExp() | ast.JoinedStr():
            return True
        case ast.FormattedValue(conversion=-1, format_spec=None):
            return True
    return False


def only_said(skill: Skill) -> frozenset[str]:
    """The parameters that a skill only says: texts on which neither facts nor answers depend."""
    if skill.returns != "nothing" or skill.adds or skill.books:
        return frozenset()
    needed = {word for one in skill.preconditions for word in one.pattern.arguments}
    changed = {word for one in skill.effects for word in one.pattern.arguments}
    advised = {word for one in skill.advice for word in one.pattern.arguments}
    named = needed | changed | advised
    return frozenset(p.name for p in skill.parameters if p.type == "text" and p.name not in named)


def _can_be_said(item: Any) -> bool:
    return isinstance(item, str) and bool(str.strip(item)) and not has_half_characters(item)


def _owner(parents: Parents, node: ast.AST) -> ast.AST | None:
    """The function, lambda or comprehension that the node is in; None outside of all."""
    found: ast.AST | None = parents.get(node)
    while found is not None and not isinstance(found, _SCOPES):
        found = parents.get(found)
    return found


def _bound_otherwise(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Names that are also parameters, functions, modules or errors, or shared by functions."""
    for node in nodes:
        match node:
            case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.alias(name=name):
                yield name
            case ast.ExceptHandler(name=str(name)):
                yield name
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from names
