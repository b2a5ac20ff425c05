"""Commands to a smart home, which this robot cannot do: test sentences of Home Assistant's intents.

`--set home-assistant:CHECKOUT` reads `tests/en/` of https://github.com/home-assistant/intents (CC
BY 4.0). Lights, blinds, locks, timers, heating: a refusal or a reply is right, a program is not.
Sentences that this robot could carry out in its way (look for a person, carry a message, wait and
say so, stop) and sentences that are not commands to the home are left out.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import yaml

from roboinstruct_ros.evaluate.readers.written_rows import shipped_place
from roboinstruct_ros.evaluate.suite.case import IN_WORDS, Case, Suite

FOLDER = "tests/en"
LEFT_OUT = frozenset(
    {"HassBroadcast", "HassNevermind", "HassRespond", "HassGetState", "HassStartTimer"}
)  # intents
LEAST_WORDS = 3


def read(checkout: Path) -> Suite:
    """All sentences by intent, without duplicates.

    Raises:
        OSError: there is no such folder.
        ValueError: a file in it is not YAML.
        KeyError: it has another form.
    """
    files = sorted((checkout / FOLDER).rglob("*.yaml"))
    if not files:
        raise FileNotFoundError(f"there are no files in {checkout / FOLDER}")
    cases: dict[str, Case] = {}
    left_out = Counter[str]()
    for path in files:
        for sentence, intent in _sentences(path):
            if intent in LEFT_OUT:
                left_out[intent] += 1
            elif len(sentence.split()) < LEAST_WORDS:
                left_out["too short"] += 1
            else:
                kind = intent.removeprefix("Hass")
                cases[sentence] = Case(sentence, kind, shipped_place("home"), (), IN_WORDS)
    return Suite(tuple(cases.values()), left_out)


def _sentences(path: Path) -> list[tuple[str, str]]:
    """Each sentence with its intent, which a folder may give for all."""
    try:
        tests = yaml.safe_load(path.read_text("utf-8")).get("tests", ())
    except yaml.YAMLError as error:
        raise ValueError(f"{path}: {error}") from None
    folder = {"name": path.parent.name}
    return [
        (str(text), test.get("intent", folder)["name"])
        for test in tests
        for text in test["sentences"]
    ]
