"""Cases that a reader has found."""

from __future__ import annotations

from roboinstruct_ros.evaluate.suite.case import Case, Suite


def case_that(found: Suite, words: str) -> Case:
    """The one that begins with these words."""
    (case,) = [case for case in found.cases if case.text.startswith(words)]
    return case
