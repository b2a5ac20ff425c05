"""JSON from elsewhere: what cannot be read is one kind of error, whatever is wrong with it."""

from __future__ import annotations

import json
from typing import Any


def read_json(text: str) -> Any:
    """Reads one JSON value.

    Raises:
        ValueError: it is none, or is nested deeper than Python's reader goes.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
