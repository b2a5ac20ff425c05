"""Other words for a place than its name: `config/place_names.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from roboinstruct_ros.domain.shared_files import shared_file

_TABLES = yaml.safe_load(shared_file("config/place_names.yaml").read_text("utf-8"))

#: What people also call a room or a piece of furniture.
ALIASES = {
    name: tuple(one.strip() for one in others.split(","))
    for name, others in _TABLES["aliases"].items()
}
#: The room where a piece of furniture usually stands.
FURNITURE: dict[str, str] = _TABLES["furniture"]


def other_words(place: str) -> Iterator[str]:
    """What may be said instead of the name: other names, and what usually stands there."""
    name = place.casefold().replace("_", " ")
    yield from ALIASES.get(name, ())
    for piece, usual in FURNITURE.items():
        if usual in name:
            yield from (piece, *ALIASES.get(piece, ()))
