"""Tasks: none like another, of what there is least of, the same whoever writes them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer
from scripted_server import says, task
from steps import Killed, config_of, files_of, here, killed_after, processes, run_step

from roboinstruct_ros.generate.prompts.examples import EXAMPLES
from roboinstruct_ros.learn.near_duplicates import MOST_SIMILAR, pattern_of, similarity
from roboinstruct_ros.learn.pipeline.record_file import RecordFile
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.pipeline.work import LearnError
from roboinstruct_ros.learn.records import Dropped, Source, Task, Why
from roboinstruct_ros.learn.tasks.seed_file import read_seeds

SEEDS = """
topics:
  common: {about: brings a thing, cues: bring}
  rare: {about: sings, cues: sing}
seeds:
  - {text: Bring a hat to the hall., topics: [common]}
  - {text: Bring Al the red pen that is in the den., topics: [common]}
  - {text: Bring me whatever is left over from lunch., topics: [common]}
"""


def tasks_of(run: Path) -> list[Task]:
    return list(RecordFile(run / "tasks" / "records.jsonl", Task))


def dropped_of(run: Path) -> list[Dropped]:
    return list(RecordFile(run / "tasks" / "dropped.jsonl", Dropped))


def asking(server: ModelServer, count: int = 60, **options: Any) -> Any:
    says(server, task)
    writer = {"at_once": 1, "tries": 1}
    tasks = {"count": count, "round": 8, "tries": 40, "writer": writer, **options}
    return config_of(writer=server.address, tasks=tasks)


def test_seeds_are_tasks_without_any_model(tmp_path: Path) -> None:
    run_step(tmp_path, Step.TASKS, config_of(tasks={"count": 40}))
    assert len(tasks_of(tmp_path)) == 40
    assert {one.source for one in tasks_of(tmp_path)} == {Source.SEED}


def test_composed_tasks_and_those_of_a_file_come_before_written_ones(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text('{"instruction": "Polish the trophy that Uma won."}\n')
    told = {"count": 46, "composed": 20, "file": str(file)}
    run_step(tmp_path, Step.TASKS, config_of(tasks=told))
    counts = Counter(one.source for one in tasks_of(tmp_path))
    assert counts == {Source.SEED: 40, Source.FILE: 1, Source.COMPOSED: 5}


def test_no_written_task_is_like_another(tmp_path: Path, server: ModelServer) -> None:
    run_step(tmp_path, Step.TASKS, asking(server))
    patterns = [pattern_of(one.text, "") for one in tasks_of(tmp_path)]
    assert len(patterns) == 60
    for place, pattern in enumerate(patterns[40:], start=40):
        assert max(similarity(pattern, before) for before in patterns[:place]) <= MOST_SIMILAR
    assert {one.why for one in dropped_of(tmp_path)} == {Why.TOO_SIMILAR, Why.UNREADABLE}


def test_the_same_tasks_come_of_processes_and_threads(tmp_path: Path, server: ModelServer) -> None:
    run_step(tmp_path / "one", Step.TASKS, asking(server), here)
    many = asking(server, writer={"at_once": 4, "tries": 1})
    run_step(tmp_path / "many", Step.TASKS, many, processes(2))
    assert files_of(tmp_path / "many", Step.TASKS) == files_of(tmp_path / "one", Step.TASKS)


def test_a_step_that_is_killed_anywhere_ends_with_the_same_tasks(
    tmp_path: Path, server: ModelServer
) -> None:
    config = asking(server, 60)
    run_step(tmp_path / "whole", Step.TASKS, config)
    for pieces in (0, 1, 2, 3, 4, 5):
        with pytest.raises(Killed):
            run_step(tmp_path / "killed", Step.TASKS, config, killed_after(pieces))
        records = tmp_path / "killed" / "tasks" / "records.jsonl"
        records.write_bytes(records.read_bytes() + b'{"id":"written-0')
    run_step(tmp_path / "killed", Step.TASKS, config)
    assert files_of(tmp_path / "killed", Step.TASKS) == files_of(tmp_path / "whole", Step.TASKS)


def test_a_killed_step_asks_nothing_twice(tmp_path: Path, server: ModelServer) -> None:
    with pytest.raises(Killed):
        run_step(tmp_path, Step.TASKS, asking(server), killed_after(5))
    run_step(tmp_path, Step.TASKS, asking(server))
    seeds = [body["seed"] for at, body, _ in server.asked if at == "POST /v1/completions"]
    assert len(seeds) == len(set(seeds)) > 20


def test_what_there_is_least_of_is_asked_for_most(tmp_path: Path, server: ModelServer) -> None:
    seeds = tmp_path / "seeds.yaml"
    seeds.write_text(SEEDS)
    config = asking(server, 30, seeds=str(seeds))
    run_step(tmp_path, Step.TASKS, config)
    first = Counter(one.topic.split("+")[0] for one in tasks_of(tmp_path)[3:])
    assert first["rare"] > first["common"]
    assert "a task that sings" in server.last("POST /v1/completions")["prompt"]


def test_a_model_without_ideas_ends_the_step(tmp_path: Path, server: ModelServer) -> None:
    config = asking(server, tries=10)
    says(server, lambda asked: " Count the spoons in the drawer of the old cupboard.\n")
    told = run_step(tmp_path, Step.TASKS, config)
    assert len(tasks_of(tmp_path)) == 41
    assert "no new task in 10 questions" in told.notes[0]


def test_a_model_that_writes_programs_only_is_not_asked_for_tasks(tmp_path: Path) -> None:
    with pytest.raises(LearnError, match="programs and nothing else"):
        run_step(tmp_path, Step.TASKS, config_of(tasks={"count": 41}))


def test_patterns_are_for_service_robots(tmp_path: Path) -> None:
    with pytest.raises(LearnError, match="leave it 0"):
        run_step(tmp_path, Step.TASKS, config_of(domain="arm", tasks={"count": 9, "composed": 1}))


@pytest.mark.parametrize("name", ["service_robot", "two_gripper_arm", "calendar"])
def test_every_topic_has_a_seed(name: str) -> None:
    seeds = read_seeds("", name)
    assert all(seeds.counts(one.text for one in seeds.seeds).values())


def test_no_seed_is_an_example_of_the_prompt() -> None:
    shown = [pattern_of(one.partition("\n")[0], "") for one in EXAMPLES]
    for seed in read_seeds("", "service_robot").seeds:
        assert max(similarity(pattern_of(seed.text, ""), one) for one in shown) < MOST_SIMILAR
