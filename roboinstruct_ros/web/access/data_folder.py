"""Where what is kept of devices stands."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """`roboinstruct` in the user's data folder (XDG base directories)."""
    named = os.environ.get("XDG_DATA_HOME", "")
    folder = Path(named) if os.path.isabs(named) else Path("~/.local/share").expanduser()
    return folder / "roboinstruct"
