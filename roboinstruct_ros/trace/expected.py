"""What a replay of a regression case is expected to tell, kept beside its bag."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import RootModel, ValidationError

from roboinstruct_ros.trace.bag import BagError

FILE = "expected.json"


class Expected(RootModel[dict[str, str]]):
    """By depth, the difference that is told; an empty one goes as recorded."""


def read_expected(folder: Path) -> dict[str, str]:
    """What is expected of a bag; of a depth that is not there, that it goes as recorded.

    Raises:
        BagError: the file cannot be read, or is not one of these.
    """
    path = folder / FILE
    if not path.exists():
        return {}
    try:
        return Expected.model_validate_json(path.read_bytes()).root
    except OSError as error:
        raise BagError(f"{path}: cannot be read: {error.strerror}") from None
    except ValidationError as error:
        fault = error.errors()[0]["msg"]
        raise BagError(f"{path}: not the name of a depth and a text for each: {fault}") from None


def write_expected(folder: Path, told: dict[str, str]) -> None:
    """Expect this from now on; of depths that are not named, what was expected before.

    Raises:
        BagError: the file cannot be read or written.
    """
    path = folder / FILE
    whole = {**read_expected(folder), **told}
    try:
        path.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise BagError(f"{path}: cannot be written: {error.strerror}") from None
