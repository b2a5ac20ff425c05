"""Requests to a home assistant, which this robot cannot do: the text of SLURP.

`--set slurp:CHECKOUT` reads `dataset/slurp/test.jsonl` of https://github.com/pswietojanski/slurp;
the text is CC BY 4.0 (E. Bastianelli, A. Vanzo, P. Swietojanski, V. Rieser, 2020). Music, mail,
alarms, weather, lights and the like: a refusal or a reply is right, a program is not. Small talk is
left out (jokes can be told), and so are food and drink (they can be brought) and sentences too
short to say what they mean.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from roboinstruct_ros.evaluate.readers.written_rows import shipped_place
from roboinstruct_ros.evaluate.suite.case import IN_WORDS, Case, Suite

FILE = "dataset/slurp/test.jsonl"
FETCHED = frozenset({"takeaway", "iot_coffee"})
"""Scenario and intent of things that a robot may bring: "I want a coffee"."""
LEAST_WORDS = 3


def read(checkout: Path) -> Suite:
    """All sentences of the test set by scenario, without duplicates.

    Raises:
        OSError: there is no such file.
        ValueError: a line is not JSON.
        KeyError: it has another form.
    """
    cases: dict[str, Case] = {}
    left_out = Counter[str]()
    for line in (checkout / FILE).read_text("utf-8").splitlines():
        entry = json.loads(line)
        text, scenario = str(entry["sentence"]), str(entry["scenario"])
        if scenario == "general":
            left_out["small talk"] += 1
        elif FETCHED.intersection((scenario, entry["intent"])):
            left_out["what a robot may bring"] += 1
        elif len(text.split()) < LEAST_WORDS:
            left_out["too short"] += 1
        else:
            cases[text] = Case(text, scenario, shipped_place("home"), (), IN_WORDS)
    return Suite(tuple(cases.values()), left_out)
