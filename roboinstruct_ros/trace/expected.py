"""The expected result of replaying a regression case, kept beside its bag."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from roboinstruct_ros.trace.bag import BagError

FILE = "expected.json"


_EXPECTED = TypeAdapter(dict[str, str])
"""Expected difference by depth; empty for a replay without difference."""


def read_expected(folder: Path) -> dict[str, str]:
    """Expectations of a bag; a depth that is absent is expected to have no difference.

    Raises:
        BagError: the file cannot be read or is malformed.
    """
    path = folder / FILE
    if not path.exists():
        return {}
    try:
        return _EXPECTED.validate_json(path.read_bytes())
    except OSError as error:
        raise BagError(f"{path}: cannot be read: {error.strerror}") from None
    except ValidationError as error:
        fault = error.errors()[0]["msg"]
        raise BagError(f"{path}: not the name of a depth and a text for each: {fault}") from None


def write_expected(folder: Path, told: dict[str, str]) -> None:
    """Set the expectations of these depths; those of other depths are kept.

    Raises:
        BagError: the file cannot be read or written.
    """
    path = folder / FILE
    whole = {**read_expected(folder), **told}
    try:
        path.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise BagError(f"{path}: cannot be written: {error.strerror}") from None
