"""The tasks step: collects instructions for programs, no two alike.

Seeds, a file's tasks and composed tasks come first; a model writes the rest, in rounds. The
questions of a round depend only on earlier rounds, so they can be asked in parallel. Source:
ROBO-INSTRUCT, 2.1 and A.5.2; Self-Instruct.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import Field

from roboinstruct_ros.domain.configuration import Strict
from roboinstruct_ros.domain.files.world_names import SERVICE_ROBOT
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.learn.near_duplicates import MOST_SIMILAR, Known, pattern_of
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.pipeline.work import DROPPED, LearnError, StepWork
from roboinstruct_ros.learn.question import Kind, Question, Said
from roboinstruct_ros.learn.records import Dropped, Source, Task, Why
from roboinstruct_ros.learn.setting import setting_of
from roboinstruct_ros.learn.shares import each
from roboinstruct_ros.learn.tasks.asking import kind_of, question_for, read_task
from roboinstruct_ros.learn.tasks.given import composed, texts_of
from roboinstruct_ros.learn.tasks.seed_file import SeedFile, read_seeds
from roboinstruct_ros.learn.writer import WriterOptions, checked, writer_of

_DIGITS = 6  # of the numbers in ids


class TasksOptions(Strict):
    """The number of tasks, and their sources."""

    count: int = Field(default=300, ge=1, le=10_000_000, description="tasks in all")
    seeds: str = Field(default="", description="file of seeds and topics; empty: the domain's")
    file: str = Field(default="", description="instructions that are taken too: lines, or JSONL")
    composed: int = Field(
        default=0, ge=0, description="tasks composed of patterns, for a service robot"
    )
    writer: WriterOptions = WriterOptions()
    temperature: float = Field(default=1.0, ge=0, le=2, description="of what a model writes")
    most_similar: float = Field(
        default=MOST_SIMILAR,
        gt=0,
        le=1,
        description="edit similarity above which a task is dropped",
    )
    round: int = Field(default=64, ge=1, le=100_000, description="questions asked at once")
    tries: int = Field(
        default=500, ge=1, description="questions in a row without a new task; then it is enough"
    )


class TasksStep:
    """Writes the tasks."""

    name = Step.TASKS
    version = 1

    def check(self, config: Any, run: Path) -> None:
        """Raises InputError: there are no seeds, or no model to write."""
        options: TasksOptions = config.options(Step.TASKS)
        read_seeds(options.seeds, setting_of(config).domain.name)
        checked(options.writer, config.writer)

    def run(self, work: StepWork) -> None:
        """Raises LearnError and ConfigError if it cannot be done; finished records are kept."""
        options: TasksOptions = work.options
        setting = setting_of(work.config)
        seeds = read_seeds(options.seeds, setting.domain.name)
        made = _Made(work, options)
        work.progress.total(options.count)
        work.progress.advance(min(len(made.records), options.count))
        for id_, text, source, topic in _given(work, options, setting.domain, seeds):
            made.take(id_, text, source, topic)
        if not made.is_enough:
            _Writing(work, options, made, seeds).write(setting.domain, setting.rooms)
        work.progress.note(made.summary())


def _given(
    work: StepWork, options: TasksOptions, domain: Domain, seeds: SeedFile
) -> Iterator[tuple[str, str, Source, str]]:
    """Id, text, source and topics of all tasks that need no model."""
    for number, seed in enumerate(seeds.seeds):
        yield _id(Source.SEED, number), seed.text, Source.SEED, "+".join(seed.topics)
    if options.file:
        for number, text in enumerate(texts_of(Path(options.file))):
            yield _id(Source.FILE, number), text, Source.FILE, ""
    if options.composed and not domain.is_service_robot:
        raise LearnError(
            f"tasks: composed: patterns are for the domain {SERVICE_ROBOT}, not {domain.name}; "
            "leave it 0"
        )
    for number, text in enumerate(islice(composed(work.config.seed), options.composed)):
        yield _id(Source.COMPOSED, number), text, Source.COMPOSED, ""


class _Made:
    """The kept and the dropped tasks."""

    def __init__(self, work: StepWork, options: TasksOptions) -> None:
        self._work, self._options = work, options
        self.records = work.records(Task)
        self.dropped = work.records(Dropped, DROPPED)
        self.done = self.records.done_ids | self.dropped.done_ids
        self._known = Known(pattern_of(task.text, "") for task in self.records)

    @property
    def is_enough(self) -> bool:
        return len(self.records) >= self._options.count

    def take(self, id_: str, text: str, source: Source, topic: str, said: str = "") -> bool:
        """Keep or drop a task. Return whether it was kept.

        Args:
            text: "" if `said` is not a task.
        """
        if id_ in self.done or self.is_enough:
            return False
        if not text:
            return self._drop(id_, Why.UNREADABLE, said)
        pattern = pattern_of(text, "")
        similarity, _ = self._known.nearest(pattern)
        if similarity > self._options.most_similar and source is not Source.SEED:
            return self._drop(id_, Why.TOO_SIMILAR, text)
        self.records.add(Task(id_, text, source, topic, round(similarity, 3)))
        self._known.add(pattern)
        self._work.progress.advance()
        return True

    def summary(self) -> str:
        """One line."""
        return f"{len(self.records)} tasks, {len(self.dropped)} dropped"

    def _drop(self, id_: str, why: Why, text: str) -> bool:
        self.dropped.add(Dropped(id_, Step.TASKS.value, why, text))
        return False


class _Writing:
    """The rounds in which a model writes tasks."""

    def __init__(self, work: StepWork, options: TasksOptions, made: _Made, seeds: SeedFile) -> None:
        self._work, self._options, self._made, self._seeds = work, options, made, seeds

    def write(self, domain: Domain, rooms: SemanticMap | None) -> None:
        """Write until there are enough tasks, or no new ones come. Raises LearnError."""
        options = self._options
        writer = checked(options.writer, self._work.config.writer, reads=True)
        kind = kind_of(domain, rooms, self._seeds, self._work.config.seed)
        number, last = self._begun()
        while not self._made.is_enough and number - last <= options.tries:
            start = number // options.round * options.round
            before = [one.text for one in self._made.records if _number(one) < start]
            draws = [self._draw(kind, at, before) for at in range(number, start + options.round)]
            asked = each(self._work, _ask, writer, [q for _, q in draws], writer.side_by_side)
            with closing(asked):
                for (topic, _), (_, said) in zip(draws, asked, strict=True):
                    if self._take(number, topic, said):
                        last = number
                    number += 1
                    if self._made.is_enough or number - last > options.tries:
                        break
        if not self._made.is_enough:
            self._work.progress.note(
                f"no new task in {options.tries} questions; {len(self._made.records)} of "
                f"{options.count} are enough, or ask another model, or warmer"
            )

    def _take(self, number: int, topic: str, said: Said) -> bool:
        self._work.costs.tokens_read += said.read
        self._work.costs.tokens_written += said.written
        id_ = _id(Source.WRITTEN, number)
        return self._made.take(id_, read_task(said), Source.WRITTEN, topic, said.text)

    def _draw(self, kind: Kind, number: int, before: Sequence[str]) -> tuple[str, Question]:
        rng = random.Random(f"task/{self._work.config.seed}/{number}")
        return question_for(kind, self._seeds, before, rng, self._options.temperature)

    def _begun(self) -> tuple[int, int]:
        """The number of the next question, and of the last one that gave a task."""
        numbers = [_number(one) for one in self._made.records]
        asked = max([*numbers, *(_number(one) for one in self._made.dropped), -1]) + 1
        return asked, max([*numbers, -1])


def _ask(options: WriterOptions, question: Question) -> Said:
    return writer_of(options).ask(question)


def _number(record: Task | Dropped) -> int:
    """The number of the question that gave the record; -1 for other sources."""
    source, _, number = record.id.partition("-")
    return int(number) if source == Source.WRITTEN.value else -1


def _id(source: Source, number: int) -> str:
    return f"{source.value}-{number:0{_DIGITS}}"
