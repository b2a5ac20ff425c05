"""What a program has asked of made-up names, and whether names with every answer were tried."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import product
from typing import NamedTuple

_MOST_TESTS = 5
"""Tests whose answers are tried together in every way."""


class NameTest(NamedTuple):
    """One yes-or-no question about a name.

    Attributes:
        view: methods without arguments that are applied to the name first, in order.
        test: "contains", "starts", "ends" or "equals".
    """

    view: tuple[str, ...]
    test: str
    text: str

    def holds(self, name: str) -> bool:
        """The answer for this name."""
        for method in self.view:
            name = getattr(name, method)()
        if self.test == "equals":
            return name == self.text
        if self.test == "contains":
            return self.text in name
        return name.startswith(self.text) if self.test == "starts" else name.endswith(self.text)


def all_tried(tests: Collection[NameTest], names: Iterable[str]) -> bool:
    """Whether every combination of answers that some name may give is given by one of these."""
    asked = sorted(tests)
    if len(asked) > _MOST_TESTS:
        return False
    tried = {tuple(test.holds(name) for test in asked) for name in names}
    return all(
        answers in tried or not _is_possible(dict(zip(asked, answers, strict=True)))
        for answers in product((False, True), repeat=len(asked))
    )


def _is_possible(answers: dict[NameTest, bool]) -> bool:
    """Not whether there is such a name, but whether no simple reason stands against one."""
    for test, holds in answers.items():
        if not holds:
            continue
        if test.test == "equals":
            if any(other.holds(test.text) != said for other, said in answers.items()):
                return False
        elif not all(_fits(test, other, said) for other, said in answers.items()):
            return False
    return True


def _fits(test: NameTest, other: NameTest, said: bool) -> bool:
    """Whether a name for which the test holds may have this answer to the other one."""
    if test.view != other.view:
        return True
    if other.test == "contains" and other.text in test.text:
        return said
    if test.test != other.test or test.test == "contains":
        return True
    small, large = sorted((test.text, other.text), key=len)
    within = large.startswith(small) if test.test == "starts" else large.endswith(small)
    if said:
        return within
    return not (within and large == test.text)
