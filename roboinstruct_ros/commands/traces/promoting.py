"""`roboinstruct trace promote`: keeps a recorded run as a test."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from roboinstruct_ros.commands.arguments import Bag
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.trace.promoted import promote
from roboinstruct_ros.trace.run_trace import bag_named, bags_under


def promote_bag(
    bag: Bag,
    name: Annotated[str, typer.Argument(help="Name of the case.")],
    to: Annotated[str, typer.Option(help="Folder of the cases.")] = "bags",
    rename: Annotated[
        list[str] | None,
        typer.Option(help="NAME=OTHER: replace a name everywhere; repeatable."),
    ] = None,
) -> None:
    """Make a regression case of a run: what a replay needs, and its expected result."""
    pairs = [one.partition("=") for one in rename or ()]
    for old, _, new in pairs:
        if not old.strip() or not new.strip():
            raise InputError(f"--rename {old}: expected NAME=OTHER, such as Alice=Ada")
    if not name or Path(name).name != name:
        raise InputError(f"'{name}' is not the name of a folder")
    try:
        (recorded,) = bags_under(bag_named(bag))
    except ValueError:
        raise InputError(f"{bag}: not one bag, but a folder of bags or none") from None
    case = Path(to).expanduser() / name
    results = promote(recorded, case, {old.strip(): new.strip() for old, _, new in pairs})
    print(f"{case}: {sum(path.stat().st_size for path in case.iterdir()) / 1000:.0f} KB")
    for one in results:
        print(f"expected, {one.depth.value}: {one.now or 'goes as recorded'}")
