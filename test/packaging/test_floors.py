"""The folders of the package are floors: imports go down, and ROS stays at the edge."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "roboinstruct_ros"

# Lowest first; rooms of one floor do not import each other.
FLOORS = (
    {"domain", "names", "spread"},
    {"program", "security"},
    {"sandbox"},
    {"verify"},
    {"generate", "execute"},
    {"library", "trace"},
    {"evaluate"},
    {"learn"},
    {"web", "nodes", "skill_servers"},
    {"bringup"},
    {"commands"},
    {"cli"},
    {"entry"},
)
FLOOR_OF = {room: height for height, rooms in enumerate(FLOORS) for room in rooms}

# A node is the thin edge of what stands beside it on its own floor; a skill server is a node, and
# sends goals and heartbeats as they do.
ALLOWED = {("nodes", "web"), ("skill_servers", "nodes")}

ROS_ROOMS = {"nodes", "skill_servers"}
ROS_MODULES = {"commands/doctor/doctor.py"}  # tries whether ROS works at all
MESSAGES = {"roboinstruct_msgs", "builtin_interfaces", "rcl_interfaces", "lifecycle_msgs"}

MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of every import, wherever in the module it stands."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            if node.module == PACKAGE.name:
                yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, str(node.module)


def is_ros(name: str) -> bool:
    top = name.partition(".")[0]
    return top in MESSAGES or top.startswith(("rclpy", "tf2_")) or top.endswith("_msgs")


def named(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def test_every_room_stands_on_a_floor() -> None:
    assert {room_of(path) for path in MODULES} <= {*FLOOR_OF, "__init__", "__main__"}


def test_imports_go_down() -> None:
    wrong = [
        f"{named(path)}:{line} imports {name}"
        for path in MODULES
        for line, name in imports_of(path)
        if name.startswith(f"{PACKAGE.name}.") and not may(room_of(path), name.split(".")[1])
    ]
    assert not wrong


def may(here: str, there: str) -> bool:
    if here == there or (here, there) in ALLOWED:
        return True
    return FLOOR_OF.get(there, len(FLOORS)) < FLOOR_OF[here]


def test_ros_stays_at_the_edge() -> None:
    wrong = [
        f"{named(path)}:{line} imports {name}"
        for path in MODULES
        for line, name in imports_of(path)
        if is_ros(name) and room_of(path) not in ROS_ROOMS and named(path) not in ROS_MODULES
    ]
    assert not wrong
