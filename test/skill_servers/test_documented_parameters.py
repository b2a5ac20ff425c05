"""The pages of perception, manipulation and speech name every parameter, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from roboinstruct_ros.skill_servers.kit.parameter import parameters_of
from roboinstruct_ros.skill_servers.moveit.parameters import MoveItParameters
from roboinstruct_ros.skill_servers.perception.parameters import PerceptionParameters
from roboinstruct_ros.skill_servers.speech.parameters import SpeechParameters

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize(
    ("page", "parameters"),
    [
        ("perception.md", PerceptionParameters),
        ("manipulation.md", MoveItParameters),
        ("speech.md", SpeechParameters),
    ],
)
def test_every_parameter_is_on_its_page(page: str, parameters: type) -> None:
    text = (DOCS / page).read_text()
    table = text.partition("## Parameters")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    shown = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert shown == set(parameters_of(parameters))
