"""The condition language of policies: skill calls and literals, combined by `and`, `or` and `not`.

In `holding("*knife*") and not in_room("child", here)` the terms are skill calls and literals. A
text may contain the wildcards * and ?. A text of the form `"~words"` matches a message that has
these words (see `said_words.py`); `"/regular expression/"` is searched for in the message. `here`
is the robot's room, `start` the room in which the task began. `...` stands for all remaining
arguments.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from roboinstruct_ros.domain.configuration import FieldFault
from roboinstruct_ros.domain.said_words import has_words
from roboinstruct_ros.domain.semantic_map import folded
from roboinstruct_ros.domain.skills import HERE, Domain
from roboinstruct_ros.domain.thing_names import plain_name

WORDS = ("here", "start")
"""Names in a condition that are not texts."""


@dataclass(frozen=True)
class Word:
    """The word `here` or `start`."""

    name: str


@dataclass(frozen=True)
class Term:
    """A skill call or a literal.

    Attributes:
        arguments: texts (wildcards allowed) or words; with `open_end` only the first arguments.
        keywords: arguments by parameter name.
    """

    name: str
    arguments: tuple[str | Word, ...] = ()
    keywords: tuple[tuple[str, str | Word], ...] = ()
    open_end: bool = False

    def typed(self, domain: Domain) -> tuple[tuple[str | Word, str], ...]:
        """Each argument with its type in the domain."""
        if self.name not in domain.skill_names:
            kinds = domain.predicate(self.name).arguments
            return tuple(zip(self.arguments, kinds, strict=False))
        types = {parameter.name: parameter.type for parameter in domain.skill(self.name).parameters}
        given = (*zip(types, self.arguments, strict=False), *self.keywords)
        return tuple((value, types[name]) for name, value in given)


@dataclass(frozen=True)
class Not:
    inner: Condition


@dataclass(frozen=True)
class Both:
    """Left and right; the right one is evaluated only if the left one holds."""

    left: Condition
    right: Condition


@dataclass(frozen=True)
class Either:
    """Left or right; the right one is evaluated only if the left one does not hold."""

    left: Condition
    right: Condition


Condition = Term | Not | Both | Either


def parse_condition(text: str) -> Condition:
    """Parse a condition.

    Raises:
        ValueError: what is wrong, and what a condition looks like.
    """
    try:
        tree = ast.parse(text.strip(), mode="eval")
        return _condition(tree.body)
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"'{text}' is not a condition{_EXAMPLE}") from None


_EXAMPLE = '; write it as go_to("kitchen") or holding("knife") and in_room("child", here)'


def _condition(node: ast.expr) -> Condition:
    if isinstance(node, ast.BoolOp):
        kind = Both if isinstance(node.op, ast.And) else Either
        parts = [_condition(value) for value in node.values]
        whole = parts[-1]
        for part in reversed(parts[:-1]):
            whole = kind(part, whole)
        return whole
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return Not(_condition(node.operand))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return _term(node, node.func.id)
    raise ValueError(f"'{ast.unparse(node)}' is no skill call and no literal{_EXAMPLE}")


def _term(node: ast.Call, name: str) -> Term:
    given = list(node.args)
    open_end = bool(given) and isinstance(given[-1], ast.Constant) and given[-1].value is ...
    if open_end:
        given.pop()
    keywords = []
    for keyword in node.keywords:
        if keyword.arg is None:
            raise ValueError(f"'**' has no place in {name}(...)")
        keywords.append((keyword.arg, _argument(keyword.value)))
    return Term(name, tuple(map(_argument, given)), tuple(keywords), open_end)


def _argument(node: ast.expr) -> str | Word:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        _check_pattern(node.value)
        return node.value
    if isinstance(node, ast.Name) and node.id in WORDS:
        return Word(node.id)
    shown = ast.unparse(node)
    raise ValueError(f"'{shown}' is no text in quotes, nor here, start or ... at the end")


_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
"""What no message has, but what `\\b` and `\\1` are in a text in quotes."""


def _check_pattern(text: str) -> None:
    if found := _CONTROL.search(text):
        shown = repr(found[0])[1:-1]
        told = "in a regular expression, write each backslash twice"
        raise ValueError(f"{text!r} has the control character {shown}; {told}")
    try:
        fits_text(text, "")
    except re.error as error:
        raise ValueError(f"'{text}' has no regular expression: {error}") from None


def is_pattern(text: str | Word) -> bool:
    """Whether a text of a condition is of the form `"~words"` or `"/regular expression/"`."""
    return isinstance(text, str) and (text.startswith("~") or _is_regex(text))


def _is_regex(text: str) -> bool:
    return len(text) > 2 and text[0] == text[-1] == "/"


def fits_text(text: str, said: str) -> bool:
    """Whether a message matches a text of a condition (wildcards or pattern); case is ignored."""
    if text.startswith("~"):
        return has_words(said, text[1:])
    if _is_regex(text):
        return re.search(text[1:-1], said, re.IGNORECASE) is not None
    return alike(text, said)


def has_wildcards(text: str) -> bool:
    """Whether a text of a condition can match more than one name."""
    return "*" in text or "?" in text


def alike(text: str, name: str) -> bool:
    """Whether a name matches a text of a condition; case and spacing are ignored."""
    return fnmatchcase(folded(name), folded(text).replace("[", "[[]"))


def alike_thing(text: str, name: str) -> bool:
    """As `alike`, for things and people: articles and the plural are ignored too."""
    return alike(text, name) or alike(plain_name(text), plain_name(name))


def terms(condition: Condition) -> Iterator[Term]:
    """All terms, left to right."""
    if isinstance(condition, Term):
        yield condition
    elif isinstance(condition, Not):
        yield from terms(condition.inner)
    else:
        yield from terms(condition.left)
        yield from terms(condition.right)


def condition_text(condition: Condition) -> str:
    """The condition as source text, with brackets where they may be needed."""
    match condition:
        case Not(inner):
            return f"not {_in_brackets(inner)}"
        case Both(left, right):
            return f"{_in_brackets(left)} and {_in_brackets(right)}"
        case Either(left, right):
            return f"{_in_brackets(left)} or {_in_brackets(right)}"
    given = [_argument_text(value) for value in condition.arguments]
    given += [f"{name}={_argument_text(value)}" for name, value in condition.keywords]
    return f"{condition.name}({', '.join([*given, *(['...'] if condition.open_end else [])])})"


def _in_brackets(condition: Condition) -> str:
    text = condition_text(condition)
    return text if isinstance(condition, (Term, Not)) else f"({text})"


def _argument_text(value: str | Word) -> str:
    return value.name if isinstance(value, Word) else f'"{value}"'


def check_names(condition: Condition, domain: Domain) -> None:
    """Check every term of a condition against the domain.

    Raises:
        FieldFault: names what the domain does not have, and the nearest name that it has.
    """
    for term in terms(condition):
        _check_term(term, domain)


def _check_term(term: Term, domain: Domain) -> None:
    predicates = {p.name: len(p.arguments) for p in domain.predicates}
    if term.name in predicates and term.name not in domain.skill_names:  # of both: the call
        if term.keywords:
            raise FieldFault((), f"a literal takes no names of arguments: {term.name}")
        _check_count(term, predicates[term.name], exactly=not term.open_end)
        if HERE not in predicates and any(isinstance(a, Word) for a in term.arguments):
            raise FieldFault((), f"'here' and 'start' need a predicate {HERE}(location)")
        return
    known = (*domain.skill_names, *predicates)
    if term.name not in domain.skill_names:
        message = f"there is no skill or literal '{term.name}'; known are {', '.join(known)}"
        raise FieldFault((), message, term.name, known)
    names = domain.skill(term.name).parameter_names
    for name, _ in term.keywords:
        if name not in names or name in names[: len(term.arguments)]:
            message = f"{term.name}({', '.join(names)}) has no free argument '{name}'"
            raise FieldFault((), message, name, names)
    given = len(term.arguments) + len(term.keywords)
    _check_count(term, len(names), exactly=not (term.open_end or term.keywords or not given))


def _check_count(term: Term, wanted: int, exactly: bool) -> None:
    given = len(term.arguments)
    if given > wanted or (exactly and given != wanted):
        raise FieldFault((), f"{term.name} takes {wanted} arguments, not {given}")
