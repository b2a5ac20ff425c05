"""Opens suites by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from roboinstruct_ros.domain.configuration import ConfigError, InputError, nearest_name
from roboinstruct_ros.domain.files.shared_files import shared_file
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
from roboinstruct_ros.evaluate.suite import suite_file
from roboinstruct_ros.evaluate.suite.case import Half, Suite

READERS: dict[str, Callable[[Path], Suite]] = {
    "alfred": alfred.read,
    "gpsr": gpsr.read,
    "huric": huric.read,
    "saycan": saycan.read,
    "slurp": slurp.read,
    "home-assistant": home_assistant.read,
    "roboeval": roboeval.read,
}
"""Third-party sets, read from a local checkout; each reader names the source and licence."""

_NOT_HALVED = frozenset(["roboeval"])
"""Sets of which nothing may be used for training."""


class UnknownSuite(InputError):
    """Not a suite; `str()` is one clear line."""


SUITES_FOLDER = "config/suites"


def open_suite(name: str) -> Suite:
    """The shipped suite of that name, a YAML file, or the measured half of `READER:CHECKOUT` (for
    `roboeval:CHECKOUT`, the complete set).

    Raises:
        UnknownSuite: there is no such suite or reader, or it cannot be read.
    """
    reader, colon, checkout = name.partition(":")
    if not colon and name.endswith((".yaml", ".yml")):
        return _read(name, _read_file, Path(name).expanduser())
    if not colon and name in (shipped := shipped_suites()):
        return _read(name, suite_file.read, shipped[name])
    if reader not in READERS or not checkout:
        raise UnknownSuite(_unknown(name))
    found = _read(name, READERS[reader], Path(checkout).expanduser())
    return found if reader in _NOT_HALVED else found.half(Half.MEASURE)


def shipped_suites() -> dict[str, Path]:
    """The suites that come with the stack, by name."""
    try:
        files = shared_file(SUITES_FOLDER).glob("*.yaml")
    except FileNotFoundError:
        return {}
    return {path.stem: path for path in sorted(files)}


def _unknown(name: str) -> str:
    shipped = tuple(shipped_suites())
    near = nearest_name(name, shipped)
    if near:
        return f"{name}: no suite; did you mean '{near}'?"
    readers = ", ".join(f"{one}:CHECKOUT" for one in READERS)
    told = f"{name}: no suite; give a YAML file, or {readers}"
    return f"{told}; shipped are {', '.join(shipped)}" if shipped else told


def _read_file(path: Path) -> Suite:
    """Read a suite; or rows, if the file is a list."""
    begins = next((line for line in path.read_text().splitlines() if line[:1] not in "# "), "")
    return written_rows.read(path) if begins.startswith("-") else suite_file.read(path)


def _read(name: str, read: Callable[[Path], Suite], path: Path) -> Suite:
    try:
        found = read(path)
    except ConfigError as error:
        raise UnknownSuite(str(error)) from None
    except OSError as error:
        fault = f"{error.filename}: {error.strerror}" if error.filename else error
        raise UnknownSuite(f"{name}: cannot be read: {fault}") from None
    except (ValueError, KeyError) as error:
        raise UnknownSuite(f"{name}: cannot be read: {' '.join(str(error).split())}") from None
    if not found.cases:
        raise UnknownSuite(f"{name}: nothing was found in {path}; give the folder of the checkout")
    return found
