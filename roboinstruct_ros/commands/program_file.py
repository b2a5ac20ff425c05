"""The program that a command is given."""

from __future__ import annotations

import sys
from pathlib import Path

from roboinstruct_ros.domain.configuration import ConfigError


def read_program(place: str) -> str:
    """Program text from a file, or from standard input for `-`.

    Raises:
        ConfigError: it cannot be read as text.
    """
    try:
        data = sys.stdin.buffer.read() if place == "-" else Path(place).read_bytes()
        return data.decode("utf-8")
    except OSError as error:
        raise ConfigError(place, 0, "", f"cannot be read: {error.strerror}", None) from error
    except UnicodeDecodeError as error:
        raise ConfigError(place, 0, "", "is not UTF-8 text; Python is needed", None) from error
