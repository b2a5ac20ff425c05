"""The pages of perception, manipulation and speech name every parameter, and no others."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from roboinstruct_ros.skill_servers.moveit import parameters as moveit_parameters
from roboinstruct_ros.skill_servers.perception import parameters as perception_parameters
from roboinstruct_ros.skill_servers.speech import parameters as speech_parameters

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize(
    ("page", "module"),
    [
        ("perception.md", perception_parameters),
        ("manipulation.md", moveit_parameters),
        ("speech.md", speech_parameters),
    ],
)
def test_every_parameter_is_on_its_page(page: str, module: ModuleType) -> None:
    text = (DOCS / page).read_text()
    table = text.partition("## Parameters")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    shown = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    declared = {*module.TEXTS, *module.LISTS, *module.NUMBERS, *module.COUNTS}
    assert shown == declared | {*getattr(module, "SWITCHES", ())}
