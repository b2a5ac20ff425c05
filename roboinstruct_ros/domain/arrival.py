"""Bounds the size and depth of everything that arrives from another process, before it is used.

Every fault is a ValueError whose one line names the field, what is wrong, and what would be right.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import IO, Any, NoReturn, Protocol

from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.domain.whole_text import has_half_characters

LONGEST = {
    "task_id": 200, "instruction": 8000, "source": 64 * 1024, "program_sha256": 64,
    "approved_by": 200, "asked_by": 200, "language": 40, "follows": 200, "reason": 2000,
}  # fmt: skip
"""Most characters in each field of a goal or request; a reader may impose a lower limit."""

MOST_FOUND, LONGEST_FOUND = 500, 2000
"""Most sentences on what a robot has found out, and most characters of each."""

MOST_CALLS = 10_000
LONGEST_JSON = 1024 * 1024  # characters; enough for an answer that lists ten thousand rooms
DEEPEST_JSON = 32
_LONGEST_CALLS = 3 * 1024 * 1024  # characters of all calls together: they are one message

# An unterminated string runs to the end of the text: searching again for its quote is quadratic.
_MARKS = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)


class CallMessage(Protocol):
    """The fields of `roboinstruct_msgs/msg/SkillCall` that are read here."""

    index: int
    skill: str
    arguments: Iterable[str]
    result: str
    error_code: int
    error_msg: str
    line: int


def check_texts(message: object) -> None:
    """Check the lengths of all texts of a goal or a request. Raises ValueError."""
    for field, most in LONGEST.items():
        _check_text(field, getattr(message, field, ""), most)
    found = getattr(message, "found", ())
    if len(found) > MOST_FOUND:
        raise ValueError(f"'found' has {len(found)} entries; at most {MOST_FOUND} are read")
    for sentence in found:
        _check_text("found", sentence, LONGEST_FOUND)


def read_json(text: str, what: str) -> Any:
    """Parse JSON that is neither too long nor too deep. Raises ValueError, which names `what`."""
    if len(text) > LONGEST_JSON:
        raise ValueError(f"{what}: {len(text)} characters; at most {LONGEST_JSON} are read")
    if _depth(text) > DEEPEST_JSON:
        raise ValueError(f"{what}: nested more than {DEEPEST_JSON} deep")
    try:
        value = json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except ValueError as error:
        raise ValueError(f"{what}: not JSON: {str(error)[:200]}") from None
    if "\\u" in text and has_half_characters(json.dumps(value, ensure_ascii=False)):
        raise ValueError(f"{what}: half a character (a lone surrogate)")
    return value


def read_object(text: str, what: str) -> dict[str, Any]:
    """Parse a JSON object, such as the data of an event. Raises ValueError."""
    value = read_json(text, what)
    if not isinstance(value, dict):
        raise ValueError(f"{what}: no object of JSON")
    return value


def read_lines(source: IO[str]) -> Iterator[str]:
    """Yield the lines of a file, each truncated at the length that `read_json` refuses."""
    while line := source.readline(LONGEST_JSON + 2):
        rest = line
        while rest and not rest.endswith("\n"):
            rest = source.readline(LONGEST_JSON + 2)
        yield line


def read_calls(messages: Iterable[CallMessage], domain: Domain) -> tuple[SkillCall, ...]:
    """Convert skill calls that have been made. Raises ValueError."""
    calls, size = [], 0
    for number, message in enumerate(messages, 1):
        if number > MOST_CALLS:
            raise ValueError(f"there are more than {MOST_CALLS} calls; no more are read")
        what = f"call {number}"
        texts = [*message.arguments, message.result, message.error_msg]
        size += sum(map(len, texts))
        if size > _LONGEST_CALLS:
            raise ValueError(f"{what}: the calls have more than {_LONGEST_CALLS} characters")
        if message.skill not in domain.skill_names:
            raise ValueError(f"{what}: there is no skill {message.skill[:40]!r}")
        _check_text(f"{what}: error_msg", message.error_msg, LONGEST["reason"])
        calls.append(read_call(message, f"{what}: "))
    return tuple(calls)


def read_call(message: CallMessage, what: str = "") -> SkillCall:
    """Convert one call, without its times. Raises ValueError."""
    arguments = tuple(read_json(text, f"{what}an argument") for text in message.arguments)
    SkillErrorCode(message.error_code)
    result = read_json(message.result, f"{what}the result") if message.result else None
    return SkillCall(
        message.index,
        message.skill,
        arguments,
        message.line,
        result,
        message.error_code,
        message.error_msg,
    )


def _check_text(field: str, text: str, most: int) -> None:
    if len(text) > most:
        raise ValueError(f"'{field}' has {len(text)} characters; at most {most} are read")
    if has_half_characters(text):
        raise ValueError(f"'{field}' has half a character (a lone surrogate)")


def _depth(text: str) -> int:
    """The deepest nesting of brackets, those inside strings ignored."""
    depth = deepest = 0
    for mark in _MARKS.finditer(text):
        sign = mark.group()
        if sign[0] != '"':
            depth += 1 if sign in "[{" else -1
            deepest = max(deepest, depth)
    return deepest


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _no_number(digits)
