"""Measures the contribution of each part of the writer: the same evaluation without it.

Source: CLAIRIFY, Table III, for the feedback on a rejected program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from roboinstruct_ros.evaluate.runs.asked import Asked
from roboinstruct_ros.generate.prompts.prompt import FeedbackDesign

FULL = "full"

SETTINGS: Mapping[str, Mapping[str, Any]] = {
    FULL: {},
    "no-verify": {"verify": False},
    "no-repair": {"repair": False},
    "no-grammar": {"grammar": False},
    "model-alone": {"verify": False, "grammar": False},
    **{f"feedback-{one.value.replace('_', '-')}": {"feedback": one} for one in FeedbackDesign},
}
"""Each setting with the options that it changes."""


def ablations(asked: Asked, only: Sequence[str] = ()) -> dict[str, Asked]:
    """The evaluations by setting; one that changes nothing is not repeated.

    Args:
        only: run only these settings.

    Raises:
        KeyError: there is no such setting.
    """
    wanted = [(name, SETTINGS[name]) for name in (only or SETTINGS)]
    changed = {name: replace(asked.writing, **change) for name, change in wanted}
    return {
        name: replace(asked, writing=writing)
        for name, writing in changed.items()
        if name == FULL or only or writing != asked.writing
    }
