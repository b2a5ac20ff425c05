"""Test tasks, which must not be learned from."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from roboinstruct_ros.evaluate.suite.open_suite import open_suite
from roboinstruct_ros.learn.near_duplicates import Known, Pattern, pattern_of
from roboinstruct_ros.learn.tasks.given import texts_of

_LINES = (".jsonl", ".json", ".txt")


class TestSets:
    """Test sets, verbatim and with placeholders for names.

    Args:
        names: suites as for `eval --suite`, or files of texts (lines, or JSONL).

    Raises:
        InputError: one of them cannot be read.
    """

    def __init__(self, names: Iterable[str]) -> None:
        plain: list[Pattern] = []
        masked: list[Pattern] = []
        self._texts: list[str] = []
        for text, program in (one for name in names for one in _tasks(name)):
            plain.append(pattern_of(text, ""))
            masked.append(pattern_of(text, program))
            self._texts.append(text)
        self._known = Known(plain), Known(masked)

    def nearest(self, instruction: str, program: str) -> tuple[float, str]:
        """The similarity to the nearest task, and that task."""
        patterns = pattern_of(instruction, ""), pattern_of(instruction, program)
        found = max(known.nearest(one) for known, one in zip(self._known, patterns, strict=True))
        return found[0], self._texts[found[1]] if found[1] >= 0 else ""


def _tasks(name: str) -> list[tuple[str, str]]:
    """Each instruction with a correct program, if there is one."""
    if Path(name).suffix in _LINES:
        return [(text, "") for text in texts_of(Path(name))]
    return [(case.text, case.reference) for case in open_suite(name).cases]
