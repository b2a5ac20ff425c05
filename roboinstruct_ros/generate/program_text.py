"""Extracts the one `def task_program():` from a model's text, during and after writing.

A prompt ends with the function's head. A model either continues with the indented body or, if it
was trained to chat, restarts with prose, a Markdown fence and the complete function.
"""

from __future__ import annotations

import re

from roboinstruct_ros.domain.answer import Answer, answer_in

HEAD = "def task_program():\n"

_FUNCTION = re.compile(r"^def task_program\b.*$", re.MULTILINE)
# A line in column 0 ends the function, unless it closes a bracket that the body opened.
_TOP_LEVEL = re.compile(r"^[^\s)\]}]", re.MULTILINE)


def is_complete(text: str) -> bool:
    """Whether the function in `text` has ended, so that nothing later can belong to it."""
    start = _body_start(text)
    return start is not None and _TOP_LEVEL.search(text, start) is not None


def extract_program(text: str) -> str:
    """The text of the one function in `text`, from its head to its last line.

    Args:
        text: The model's text after a prompt that ended with the head.

    Returns:
        Program text that ends with a line break, or "" if there is neither a body nor a function.
    """
    start = _body_start(text)
    if start is None:
        return ""
    end = _TOP_LEVEL.search(text, start)
    body = text[start : end.start() if end else len(text)].rstrip()
    if not body.strip():
        return ""
    head = HEAD if start == 0 else _head_of(text)
    return head + body.lstrip("\n") + "\n"


def answer_of(text: str) -> Answer | None:
    """The answer in a body whose first line is complete; None if it is not an answer.

    Args:
        text: The model's text after a prompt that ended with the head.
    """
    return answer_in(_first_line(text))


def may_be_answer(text: str) -> bool:
    """Whether a body that begins like this may turn out to be an answer instead of a program."""
    first, ended, _ = text.lstrip("\n").partition("\n")
    return not ended and (not first.strip() or first.lstrip().startswith("#"))


def _first_line(text: str) -> str:
    return next((line for line in text.split("\n") if line.strip()), "")


def _body_start(text: str) -> int | None:
    """The index at which the body begins; None while the function's head has not appeared."""
    if _continues(text):
        return 0
    function = _FUNCTION.search(text)
    # Without its line break the head may still be growing.
    if function is None or function.end() == len(text):
        return None
    return function.end() + 1


def _continues(text: str) -> bool:
    return _first_line(text)[:1] in (" ", "\t")


def _head_of(text: str) -> str:
    function = _FUNCTION.search(text)
    return function.group().rstrip() + "\n" if function else HEAD
