"""Other words for a place than its name, read from `config/place_names.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from roboinstruct_ros.domain.files.shared_files import shared_file

_TABLES = yaml.safe_load(shared_file("config/place_names.yaml").read_text("utf-8"))

#: Other names for a room or a piece of furniture.
ALIASES = {
    name: tuple(one.strip() for one in others.split(","))
    for name, others in _TABLES["aliases"].items()
}
#: The room where a piece of furniture usually is.
FURNITURE: dict[str, str] = _TABLES["furniture"]


def other_words(place: str) -> Iterator[str]:
    """Words that may be used instead of the name: other names, and the usual furniture."""
    name = place.casefold().replace("_", " ")
    yield from ALIASES.get(name, ())
    for piece, usual in FURNITURE.items():
        if usual in name:
            yield from (piece, *ALIASES.get(piece, ()))
