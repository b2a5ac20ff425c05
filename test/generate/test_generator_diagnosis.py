"""What the generator says of its health."""

from __future__ import annotations

import pytest

from roboinstruct_ros.domain.diagnosis import Level
from roboinstruct_ros.generate.generator_diagnosis import (
    ModelState,
    generator_diagnoses,
)


@pytest.mark.parametrize(
    ("state", "level"),
    [
        (ModelState.LOADED, Level.OK),
        (ModelState.INACTIVE, Level.WARN),
        (ModelState.LOADING, Level.WARN),
        (ModelState.NOT_LOADED, Level.WARN),
        (ModelState.FAILED, Level.ERROR),
    ],
)
def test_a_model_that_is_not_loaded_is_no_success(state: ModelState, level: Level) -> None:
    model, _ = generator_diagnoses("small", state, library="/x")
    assert (model.level, model.values["model"], model.values["state"]) == (
        level, "small", state.value,
    )  # fmt: skip


def test_why_there_is_no_model_is_the_message_and_the_speed_is_text() -> None:
    model, library = generator_diagnoses(
        "small", ModelState.FAILED, "no such file", 57.04, "memory", "locked"
    )
    assert model.message == "no such file"
    assert model.values["tokens per second"] == "57.0"
    assert (library.level, library.message) == (Level.WARN, "locked")
    assert library.values["place"] == "memory"
