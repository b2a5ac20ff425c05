"""`roboinstruct trace import`: converts another robot's bag to a world file and a timeline."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml

from roboinstruct_ros.domain.files.world_file import World
from roboinstruct_ros.domain.thing_names import means_anybody
from roboinstruct_ros.trace.bag import BagError
from roboinstruct_ros.trace.foreign.drive import APART, Drive
from roboinstruct_ros.trace.foreign.imported import OFTEN, Imported, read_foreign

WORLD, TIMELINE = "world.yaml", "timeline.csv"
_HALF = APART / 3  # m, half a side of a place: two places `APART` do not overlap
_MOST = 100  # objects of one name per place


def import_bag(
    bag: Annotated[str, typer.Argument(help="rosbag2 folder, .mcap or .db3 file of any robot.")],
    to: Annotated[str, typer.Option(help="Folder for world.yaml and timeline.csv.")],
) -> None:
    """Make a world from another robot's bag: the places where it stood, and what it saw there."""
    foreign, folder = Path(bag).expanduser(), Path(to).expanduser()
    imported = read_foreign(foreign)
    world = world_of(imported.drive, foreign.stem)
    _write(folder, imported, world)
    drive = imported.drive
    print(f"{folder / WORLD}: {len(world.rooms)} places, {len(world.objects)} things, "
          f"{len(world.people)} people; drove {drive.length:.0f} m")  # fmt: skip
    print(f"{folder / TIMELINE}: {len(imported.moments)} lines")
    print("\n".join(imported.missing))


def world_of(drive: Drive, name: str) -> World:
    """A world without walls: the places where the robot stood, with the objects seen there."""
    rooms = [
        {
            "name": f"place {number}",
            "pose": {"x": round(one.x, 2), "y": round(one.y, 2), "yaw": round(one.yaw, 2)},
            "polygon": _square(round(one.x, 2), round(one.y, 2)),
        }
        for number, one in enumerate(drive.places(), 1)
    ]
    seen = [(thing, f"place {at + 1}", count) for thing, at, count in drive.sightings(OFTEN)]
    return World.model_validate(
        {
            "name": name[:80].strip() or "imported",
            "start": rooms[0]["name"],
            "rooms": rooms,
            "objects": [
                {"name": thing, "room": room, "count": min(count, _MOST)}
                for thing, room, count in seen
                if not means_anybody(thing)
            ],
            "people": [
                {"name": f"somebody in {room}", "room": room}
                for room in dict.fromkeys(room for thing, room, _ in seen if means_anybody(thing))
            ],
        }
    )


def _square(x: float, y: float) -> list[tuple[float, float]]:
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return [(round(x + a * _HALF, 2), round(y + b * _HALF, 2)) for a, b in corners]


def _write(folder: Path, imported: Imported, world: World) -> None:
    """Write the files. Raises BagError: the folder is not writable or already has one of them."""
    plain: dict[str, Any] = world.model_dump(mode="json", exclude_defaults=True)
    head = "".join(f"# {line}\n" for line in imported.missing)
    text = yaml.safe_dump(plain, allow_unicode=True, sort_keys=False, default_flow_style=None)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in (folder / WORLD, folder / TIMELINE):
            if path.exists():
                raise BagError(f"{path}: is there already; name another folder with --to")
        with (folder / WORLD).open("x", encoding="utf-8") as file:
            file.write(head + text)
        with (folder / TIMELINE).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("at", "what", "told", "x", "y"))
            writer.writerows(_rows(imported))
    except OSError as error:
        where = error.filename or folder
        raise BagError(f"{where}: cannot be written: {error.strerror}") from None


def _rows(imported: Imported) -> Iterator[tuple[str, ...]]:
    for one in imported.moments:
        at = (f"{one.spot.x:.2f}", f"{one.spot.y:.2f}") if one.spot else ("", "")
        yield f"{one.at:.1f}", one.what, one.told, *at
