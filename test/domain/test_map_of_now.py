"""Rooms are those that their file has now."""

from __future__ import annotations

from pathlib import Path

import pytest

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.map_of_now import MapOfNow

ROOMS = """\
rooms:
  - name: kitchen
    pose: {x: 1.0, y: 1.0, yaw: 0.0}
"""
LAB = """\
  - name: lab
    pose: {x: 5.0, y: 1.0, yaw: 0.0}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "map.yaml"
    path.write_text(ROOMS)
    return path


def test_a_changed_file_is_read_again_and_a_broken_one_changes_nothing(path: Path) -> None:
    warnings: list[str] = []
    rooms = MapOfNow(path, warnings.append)
    assert rooms().room_names == ("kitchen",)
    path.write_text(ROOMS + LAB)
    assert rooms().room_names == ("kitchen", "lab")
    path.write_text("rooms: [")
    assert rooms().room_names == rooms().room_names == ("kitchen", "lab")
    path.unlink()
    assert rooms().room_names == ("kitchen", "lab")
    assert len(warnings) == 2 and all(str(path) in line for line in warnings)
    path.write_text(ROOMS)
    assert rooms().room_names == ("kitchen",)


def test_a_file_that_cannot_be_used_at_the_start_is_refused(path: Path) -> None:
    path.write_text("rooms: 3")
    with pytest.raises(ConfigError):
        MapOfNow(path, print)
