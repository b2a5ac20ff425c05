"""Programs: what the verifier accepts, within a limit, the same whoever writes them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_server import ModelServer
from scripted_server import says
from steps import Killed, config_of, files_of, killed_after, processes, run_step

from roboinstruct_ros.learn.pipeline.record_file import RecordFile
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.programs.figures import agreement, chosen, thrown_away
from roboinstruct_ros.learn.records import Dropped, Sample, Why

RIGHT = '    go_to("den")\n    say("hello")\n\n'
WRONG = '    go_to("den")\n    place("cup")\n\n'


def samples_of(run: Path) -> list[Sample]:
    return list(RecordFile(run / "programs" / "records.jsonl", Sample))


def dropped_of(run: Path) -> list[Dropped]:
    return list(RecordFile(run / "programs" / "dropped.jsonl", Dropped))


def small(count: int = 4, **programs: Any) -> Any:
    return config_of(tasks={"count": count}, programs={"samples": 2, **programs})


def served(server: ModelServer, count: int = 1, **programs: Any) -> Any:
    writer = {"model": server.address, "tries": 1, "at_once": 3}
    return config_of(tasks={"count": count}, programs={"writer": writer, **programs})


def sample(number: int, accepted: bool, behaviour: str = "", task: str = "t") -> Sample:
    return Sample(task, number, f"program {number}", accepted, behaviour=behaviour)


def test_the_same_programs_come_of_one_process_of_two_and_of_one_that_is_killed(
    tmp_path: Path,
) -> None:
    config = small()
    for name in ("one", "two", "killed"):
        run_step(tmp_path / name, Step.TASKS, config)
    run_step(tmp_path / "one", Step.PROGRAMS, config)
    run_step(tmp_path / "two", Step.PROGRAMS, config, processes(2))
    for _ in range(2):
        with pytest.raises(Killed):
            run_step(tmp_path / "killed", Step.PROGRAMS, config, killed_after(2))
        records = tmp_path / "killed" / "programs" / "records.jsonl"
        records.write_bytes(records.read_bytes()[:-9])
    run_step(tmp_path / "killed", Step.PROGRAMS, config)
    made = files_of(tmp_path / "one", Step.PROGRAMS)
    assert files_of(tmp_path / "two", Step.PROGRAMS) == made
    assert files_of(tmp_path / "killed", Step.PROGRAMS) == made
    assert {one.task for one in samples_of(tmp_path / "one")} == {
        f"seed-{number:06}" for number in range(4)
    }


def test_many_tasks_are_written_at_once_by_a_server(tmp_path: Path, server: ModelServer) -> None:
    says(server, lambda asked: RIGHT if asked["seed"] % 2 else WRONG)
    config = served(server, 7, resamplings=6)
    run_step(tmp_path, Step.TASKS, config)
    run_step(tmp_path, Step.PROGRAMS, config)
    assert len({one.task for one in samples_of(tmp_path) if one.accepted}) == 7
    assert all(one.behaviour for one in samples_of(tmp_path) if one.accepted)


def test_a_task_without_an_accepted_program_is_dropped_with_the_reason(
    tmp_path: Path, server: ModelServer
) -> None:
    says(server, lambda asked: f'    say("{asked["seed"]}")\n{WRONG}')
    config = served(server, resamplings=2)
    run_step(tmp_path, Step.TASKS, config)
    run_step(tmp_path, Step.PROGRAMS, config)
    found = samples_of(tmp_path)
    assert [one.number for one in found] == [0, 1, 2]
    assert {one.codes for one in found} == {("hand_empty",)}
    (dropped,) = dropped_of(tmp_path)
    assert dropped.why is Why.REJECTED and found[-1].reason in dropped.text


def test_what_is_no_program_is_a_sample_too(tmp_path: Path, server: ModelServer) -> None:
    says(server, lambda asked: "I am sorry, but I cannot.")
    config = served(server, resamplings=1)
    run_step(tmp_path, Step.TASKS, config)
    run_step(tmp_path, Step.PROGRAMS, config)
    assert [one.codes for one in samples_of(tmp_path)] == [("no_program",)] * 2
    assert dropped_of(tmp_path)[0].why is Why.UNREADABLE


def test_a_rejected_program_is_shown_to_the_model_where_that_is_asked_for(
    tmp_path: Path, server: ModelServer
) -> None:
    says(server, lambda asked: RIGHT if "Please fix the errors" in asked["prompt"] else WRONG)
    config = served(server, resamplings=3, repair=True)
    run_step(tmp_path, Step.TASKS, config)
    run_step(tmp_path, Step.PROGRAMS, config)
    assert [one.accepted for one in samples_of(tmp_path)] == [False, True]


def test_another_robot_is_told_its_own_skills(tmp_path: Path, server: ModelServer) -> None:
    says(server, lambda asked: '    rotate("left hand", 0.1)\n\n')
    writer = {"model": server.address}
    config = config_of(domain="arm", tasks={"count": 2}, programs={"writer": writer})
    run_step(tmp_path, Step.TASKS, config)
    run_step(tmp_path, Step.PROGRAMS, config)
    assert all(one.accepted for one in samples_of(tmp_path))
    prompt = server.last("POST /v1/completions")["prompt"]
    assert "def rotate(gripper: str, radians: float)" in prompt
    assert 'pick("right hand", "spoon")' in prompt and "go_to" not in prompt


def test_the_curve_counts_what_no_attempt_up_to_the_limit_was_accepted_for() -> None:
    samples = [
        *(sample(number, number == 0, task="first") for number in (0,)),
        *(sample(number, number == 2, task="third") for number in (0, 1, 2)),
        *(sample(number, False, task="never") for number in (0, 1, 2)),
    ]
    curve = [one.value for one in thrown_away(samples, 2)]
    assert curve == pytest.approx([2 / 3, 2 / 3, 1 / 3])
    assert thrown_away([], 2) == ()


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.integers(0, 3))
def test_more_resampling_never_throws_more_away(accepted: list[bool], limit: int) -> None:
    samples = [sample(number, one) for number, one in enumerate(accepted)]
    curve = [one.value or 0.0 for one in thrown_away(samples, limit)]
    assert len(curve) == limit + 1 and list(curve) == sorted(curve, reverse=True)


def test_the_program_that_most_behave_as_is_taken_first() -> None:
    samples: Sequence[Sample] = [
        sample(0, True, "a"),
        sample(2, True, "b"),
        sample(3, True, "b"),
    ]
    assert agreement(samples) == {0: 1 / 3, 2: 2 / 3, 3: 2 / 3}
    assert [(one.number, share) for one, share in chosen(samples, 2)] == [(2, 2 / 3), (0, 1 / 3)]
