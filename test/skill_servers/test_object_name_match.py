"""Names: what a program says, and what a detector calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.skill_servers.perception.object_name_match import load_object_names

FILE = shared_file("config/object_names.yaml")


@pytest.mark.parametrize(
    ("seen", "asked", "same"),
    [
        ("cup", "the Mugs", True),
        ("wine glass", "glass", True),
        ("glass", "wine glass", False),
        ("diningtable", "table", True),
        ("potted plant", "plant", True),
        ("woman", "person", True),
        ("person", "somebody", True),
        ("Alice", "person", True),
        ("person", "Alice", False),
        ("hot dog", "dog", False),
        ("red apple", "apple", False),
        ("boxes", "box", True),
    ],
)
def test_is_a(seen: str, asked: str, same: bool) -> None:
    assert load_object_names(FILE, ["Alice"]).is_a(seen, asked) is same


def test_numbered_classes_have_labels(tmp_path: Path) -> None:
    path = tmp_path / "names.yaml"
    path.write_text('labels: {"41": Mug}\nnames: [{name: cup, also: [mug], least_score: 0.3}]\n')
    names = load_object_names(path)
    assert names.of_label("41") == "cup"
    assert names.least_score("mugs") == 0.3
    assert names.known_to(["41"], "mug") and not names.known_to(["41"], "spoon")
    assert names.nearest("cupp", ["cup", "table"]) == "cup"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("names: [{name: cup, also: [mug]}, {name: mug}]", "names[1].name: 'mug' already means"),
        ("names: [{name: cup, also: [Cups]}]", "names[0].also[0]: 'Cups' already means 'cup'"),
        ("names: [{name: cup, least_score: 2}]", "names[0].least_score"),
        ("name: []", "did you mean 'names'?"),
    ],
)
def test_a_bad_file_gets_one_line(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "names.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as fault:
        load_object_names(path)
    assert said in str(fault.value) and "\n" not in str(fault.value)
