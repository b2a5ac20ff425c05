"""A recorded program that a model writes again is compared by what it does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from recorded_runs import recorded
from scripted_backend import ScriptedBackend
from stage import FakeSkills

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.generate.backends.backend import BackendError
from roboinstruct_ros.trace.replay import CannotReplay, Skipped
from roboinstruct_ros.trace.run_trace import RunTrace, read_trace
from roboinstruct_ros.trace.written_again import OtherProgram, Rewriter

WORDS = "say hello if there is an apple in the kitchen"
BODY = 'go_to("kitchen")\nif is_in_room("apple"):\n    say("Hello!")'


@pytest.fixture
def trace(tmp_path: Path) -> RunTrace:
    skills = FakeSkills({"is_in_room": SkillOutcome(False)})
    path, _ = recorded(tmp_path / "bag", BODY, skills, words=WORDS)
    return read_trace(path)


def compared(trace: RunTrace, *bodies: str) -> tuple[OtherProgram | None, ScriptedBackend]:
    texts = ["".join(f"    {line}\n" for line in body.split("\n")) for body in bodies]
    backend = ScriptedBackend(texts, "robot_task")
    return Rewriter(lambda: backend).compare(trace), backend


def test_the_model_is_given_what_it_was_given_then(trace: RunTrace) -> None:
    same, backend = compared(trace, BODY)
    assert same is None
    prompt = str(backend.requests[0].prompt)
    assert WORDS in prompt and "Here: hallway" in prompt and "kitchen" in prompt


def test_other_text_that_does_the_same_is_the_same(trace: RunTrace) -> None:
    other = 'x = "kitchen"\ngo_to(x)\nfound = is_in_room("apple")\nif found:\n    say("hello")'
    assert compared(trace, other)[0] is None


def test_another_call_in_the_recorded_world_is_told(trace: RunTrace) -> None:
    found, _ = compared(trace, BODY.replace("kitchen", "study"))
    assert str(found) == "call 1 was go_to('kitchen') and is go_to('study')"


def test_another_call_in_another_world_is_told(trace: RunTrace) -> None:
    found, _ = compared(trace, BODY.replace("Hello!", "Nothing here"))
    assert found is not None and "others where the answers are others" in str(found)
    assert "Nothing here" in found.source


def test_a_model_that_writes_no_program_is_told(trace: RunTrace) -> None:
    found, _ = compared(trace, "# Cannot: there is no apple")
    assert str(found).startswith("the model writes no program now:")


def test_what_cannot_be_written_again_is_one_line(trace: RunTrace) -> None:
    assert trace.words is not None
    for other, told in (
        (replace(trace, words=None), "no model wrote the program"),
        (replace(trace, words=replace(trace.words, sha256="0")), "no model wrote the program"),
        (replace(trace, words=replace(trace.words, follows="t0")), "changed an earlier task"),
    ):
        with pytest.raises(Skipped, match=told):
            compared(other, BODY)

    def missing() -> ScriptedBackend:
        raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, "no such model")

    with pytest.raises(CannotReplay, match="no such model") as raised:
        Rewriter(missing).compare(trace)
    assert not isinstance(raised.value, Skipped)
