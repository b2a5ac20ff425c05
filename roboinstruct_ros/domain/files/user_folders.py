"""The user's folders for data that outlives a run (XDG base directories)."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """`roboinstruct` below `$XDG_DATA_HOME`, else below `~/.local/share`."""
    return _folder("XDG_DATA_HOME", "~/.local/share")


def cache_folder() -> Path:
    """`roboinstruct` below `$XDG_CACHE_HOME`, else below `~/.cache`."""
    return _folder("XDG_CACHE_HOME", "~/.cache")


def _folder(variable: str, otherwise: str) -> Path:
    named = os.environ.get(variable, "")
    # the standard says to ignore a relative path
    return Path(named if os.path.isabs(named) else otherwise).expanduser() / "roboinstruct"
