"""Ablation settings: a run without one part of the method, from the same tasks and programs.

Source: ROBO-INSTRUCT, Table 2 and Fig. 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.learn.pipeline.config import LearnConfig
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.programs.candidates import Candidates

AS_IT_IS = "as-it-is"
SHARED = (Step.TASKS, Step.PROGRAMS)
"""The steps that all settings share."""

_SOLVABLE = {"candidates": Candidates.FIRST_OF_SOLVABLE}
_NOT_ALIGNED = {"judge": False, "least_back": None}

SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "no-verifier": _SOLVABLE,
    "no-alignment": _NOT_ALIGNED,
    "neither": {**_SOLVABLE, **_NOT_ALIGNED},
    "self-instruct": {"candidates": Candidates.FIRST, **_NOT_ALIGNED},
    **{f"resamplings-{limit}": {"resamplings": limit} for limit in (0, 1, 3, 10)},
}
"""Each setting with the alignment options that it changes."""


def settings(config: LearnConfig, only: Sequence[str] = ()) -> dict[str, LearnConfig]:
    """The configuration of each setting, without those that are equal to another one.

    Args:
        only: these settings; empty is all.

    Raises:
        InputError: there is no such setting, it equals another one, or the run lacks a step.
    """
    if missing := [step.value for step in Step if step not in config.steps]:
        raise InputError(f"{config.name}: steps: ablations need all of them; add {missing[0]}")
    if unknown := [name for name in only if name not in SETTINGS]:
        raise InputError(f"{unknown[0]}: no setting; there are {', '.join(SETTINGS)}")
    found = {AS_IT_IS: config.options(Step.ALIGNMENT)}
    for name in SETTINGS:
        options = _alignment(config, name)
        same = next((known for known, one in found.items() if one == options), None)
        if same is None:
            found[name] = options
        elif name in only:
            raise InputError(f"{name}: comes to the same as {same} in this run; leave it out")
    wanted = [name for name in SETTINGS if name in found and (not only or name in only)]
    return {name: _changed(config, name, found[name]) for name in wanted}


def _alignment(config: LearnConfig, name: str) -> Any:
    """The alignment options of a setting; a limit that equals the resamplings is no limit."""
    change = dict(SETTINGS[name])
    if change.get("resamplings", -1) >= config.options(Step.PROGRAMS).resamplings:
        change["resamplings"] = None
    return config.options(Step.ALIGNMENT).model_copy(update=change)


def _changed(config: LearnConfig, name: str, alignment: Any) -> LearnConfig:
    """The base is evaluated once, by the run itself, and no setting is imported."""
    evaluation = config.options(Step.EVALUATION)
    changes = {
        "name": f"{config.name}-{name}",
        Step.ALIGNMENT.value: alignment,
        Step.EVALUATION.value: evaluation.model_copy(update={"before": False, "imported": False}),
    }
    return config.model_copy(update=changes)
