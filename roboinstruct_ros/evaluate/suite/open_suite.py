"""The test sets by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from roboinstruct_ros.evaluate.readers import (
    alfred,
    gpsr,
    home_assistant,
    huric,
    saycan,
    slurp,
    written_rows,
)
from roboinstruct_ros.evaluate.readers.roboeval import checkout as roboeval
from roboinstruct_ros.evaluate.suite.case import Half, Suite

READERS: dict[str, Callable[[Path], Suite]] = {
    "alfred": alfred.read,
    "gpsr": gpsr.read,
    "huric": huric.read,
    "saycan": saycan.read,
    "slurp": slurp.read,
    "home-assistant": home_assistant.read,
}
"""Sets that others have made, read from a local checkout; see each reader for where and licence."""


class UnknownSuite(Exception):
    """Not a test set; `str()` is one clear line."""


def open_suite(name: str) -> Suite:
    """The measured half of `READER:CHECKOUT`, all of `roboeval:CHECKOUT`, or all rows of a YAML
    file.

    Raises:
        UnknownSuite: there is no such reader, or nothing that it can read.
    """
    reader, colon, checkout = name.partition(":")
    if not colon and name.endswith((".yaml", ".yml")):
        return _read(name, written_rows.read, Path(name))
    if reader == "roboeval":  # nothing of it may be learned, so there are no halves
        return _read(name, roboeval.read, Path(checkout).expanduser())
    if reader not in READERS:
        known = ", ".join(f"{one}:CHECKOUT" for one in (*READERS, "roboeval"))
        raise UnknownSuite(f"{name}: no test set; give a YAML file of instructions, or {known}")
    return _read(name, READERS[reader], Path(checkout).expanduser()).half(Half.MEASURE)


def _read(name: str, read: Callable[[Path], Suite], path: Path) -> Suite:
    try:
        found = read(path)
    except (OSError, ValueError, KeyError) as error:
        raise UnknownSuite(f"{name}: cannot be read: {' '.join(str(error).split())}") from None
    if not found.cases:
        raise UnknownSuite(f"{name}: nothing was found in {path}; give the folder of the checkout")
    return found
