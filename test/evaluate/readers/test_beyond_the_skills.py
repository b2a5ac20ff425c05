"""Sentences to assistants and smart homes want an answer in words."""

from __future__ import annotations

import json
from pathlib import Path

from roboinstruct_ros.evaluate.readers import home_assistant, slurp
from roboinstruct_ros.evaluate.suite.case import IN_WORDS

LINES = [
    ("wake me at noon", "alarm", "alarm_set"),
    ("tell me a riddle", "general", "general_joke"),
    ("brew me a coffee", "iot", "iot_coffee"),
    ("make it brighter", "iot", "iot_hue_lightup"),
    ("louder please", "audio", "audio_volume_up"),
]
WITH_INTENTS = """\
tests:
  - sentences: ["dim the attic lamp", "attic lamp dim"]
    intent: {name: HassLightSet}
  - sentences: ["tell them that tea is ready"]
    intent: {name: HassBroadcast}
"""
IN_A_FOLDER = """\
entities: []
tests:
  - sentences: ["lock the attic", "lock it"]
"""


def test_slurp_is_read_by_scenario(tmp_path: Path) -> None:
    path = tmp_path / slurp.FILE
    path.parent.mkdir(parents=True)
    entries = (dict(zip(("sentence", "scenario", "intent"), line, strict=True)) for line in LINES)
    path.write_text("".join(f"{json.dumps(entry)}\n" for entry in entries))
    found = slurp.read(tmp_path)
    assert [(case.text, case.kind) for case in found.cases] == [
        ("wake me at noon", "alarm"),
        ("make it brighter", "iot"),
    ]
    assert all(case.wanted == IN_WORDS for case in found.cases)
    assert found.left_out == {"small talk": 1, "what a robot may bring": 1, "too short": 1}


def test_home_assistant_is_read_by_intent_in_both_forms(tmp_path: Path) -> None:
    folder = tmp_path / home_assistant.FOLDER / "HassTurnOn"
    folder.mkdir(parents=True)
    (folder / "name.yaml").write_text(IN_A_FOLDER)
    (folder.parent / "light.yaml").write_text(WITH_INTENTS)
    found = home_assistant.read(tmp_path)
    assert [(case.text, case.kind) for case in found.cases] == [
        ("lock the attic", "TurnOn"),
        ("dim the attic lamp", "LightSet"),
        ("attic lamp dim", "LightSet"),
    ]
    assert all(case.wanted == IN_WORDS for case in found.cases)
    assert found.left_out == {"HassBroadcast": 1, "too short": 1}
