"""Tasks that need no model: those of a file, and those composed of parts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.instruction import Instruction, InstructionError
from roboinstruct_ros.learn.pairs.draw_pair import make_pair
from roboinstruct_ros.learn.pipeline.work import LearnError

TEXT_FIELDS = ("instruction", "text", "task", "prompt")


def composed(seed: int) -> Iterator[str]:
    """Endless instructions for a service robot, none of which needs a map; the same for a seed."""
    for number in count():
        pair = make_pair(seed, number, source="composed")
        if not pair.scene.told:
            yield pair.instruction


def texts_of(path: Path) -> list[str]:
    """The instructions of a file: plain lines, or JSON objects with the instruction in one field.

    Raises:
        LearnError: it cannot be read, or a line is neither.
    """
    try:
        lines = path.expanduser().read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is no UTF-8 text"
        raise LearnError(f"{path}: cannot be read: {reason}") from None
    json_lines = path.suffix in (".jsonl", ".json")
    found = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            text = _text(line) if json_lines else line
            found.append(_checked(text, f"{path}, line {number}"))
    return found


def _text(line: str) -> str:
    try:
        value: Any = json.loads(line)
    except ValueError:
        return ""
    if isinstance(value, str):
        return value
    fields = (value.get(name) for name in TEXT_FIELDS) if isinstance(value, dict) else ()
    return next((field for field in fields if isinstance(field, str) and field.strip()), "")


def _checked(text: str, where: str) -> str:
    try:
        return Instruction.checked(text).text
    except InstructionError as error:
        fields = ", ".join(TEXT_FIELDS)
        raise LearnError(
            f"{where}: {error}; an instruction is wanted, in JSON as {fields}"
        ) from None
