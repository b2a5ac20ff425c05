"""The cleaning step: selects the pairs worth learning from, and writes them as prompts and
completions.

The result depends only on the pairs and the options, so repeating the step gives the same files.
Source: ROBO-INSTRUCT, 3.1 (edit similarity, 0.6) and A.4.3.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, field_validator

from roboinstruct_ros.domain.configuration import FieldFault, Strict
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.generate.program_text import HEAD
from roboinstruct_ros.generate.prompts.prompt import FORMATS, PromptFormat, prompt_format
from roboinstruct_ros.learn.cleaning.shape import names_in, parts_of
from roboinstruct_ros.learn.cleaning.split import HeldOut, held_out
from roboinstruct_ros.learn.cleaning.test_sets import TestSets
from roboinstruct_ros.learn.near_duplicates import MOST_SIMILAR, Known, pattern_of
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.pipeline.work import DROPPED, LearnError, StepWork
from roboinstruct_ros.learn.records import Dropped, Pair, Why
from roboinstruct_ros.learn.setting import setting_of, told_to

TRAIN, HELD_OUT = "train.jsonl", "held_out.jsonl"
_TEXT_FORMATS = tuple(name for name in FORMATS if name != "chat")


class CleaningOptions(Strict):
    """What is dropped, and how the rest is written."""

    most_similar: float = Field(
        default=MOST_SIMILAR, gt=0, le=1, description="edit similarity to a kept instruction"
    )
    test_sets: tuple[str, ...] = Field(
        default=(), description="suites, or files of texts, that nothing may be like"
    )
    most_like_test: float = Field(
        default=MOST_SIMILAR,
        gt=0,
        le=1,
        description="edit similarity to an instruction of a test set",
    )
    most_of_a_shape: float = Field(
        default=0.2, gt=0, le=1, description="share of pairs whose programs have the same parts"
    )
    least_of_a_shape: int = Field(
        default=10, ge=1, description="pairs of the same parts always kept"
    )
    held_out: float = Field(
        default=0.05, ge=0, le=0.5, description="share of pairs not learned from"
    )
    prompt_format: str = Field(default="robot_task", description="of the model that is to learn")

    @field_validator("prompt_format")
    @classmethod
    def _is_text(cls, name: str) -> str:
        if name not in _TEXT_FORMATS:
            known = ", ".join(_TEXT_FORMATS)
            raise FieldFault((), f"'{name}' is none; there is {known}", name, _TEXT_FORMATS)
        return name


class CleaningStep:
    """Cleans the pairs."""

    name = Step.CLEANING
    version = 1

    def check(self, config: Any, run: Path) -> None:
        """Raises InputError: a test set cannot be read."""
        TestSets(config.options(Step.CLEANING).test_sets)

    def run(self, work: StepWork) -> None:
        """Raises LearnError and ConfigError if it cannot be done."""
        options: CleaningOptions = work.options
        setting = setting_of(work.config)
        pairs = work.read(Step.ALIGNMENT, Pair)
        work.progress.total(len(pairs))
        skills = frozenset(setting.domain.skill_names)
        looked = [_Looked(pair, parts_of(pair.program, skills)) for pair in pairs]
        kept = list(_balanced(work, options, list(_apart(work, options, looked))))
        records = work.records(Pair)
        records.add(*(one.pair for one in kept))
        if not kept:
            raise LearnError(f"{work.folder}: none of {len(pairs)} pairs is left to learn from")
        split = held_out(
            [one.parts for one in kept],
            [names_in(one.pair.program) for one in kept],
            options.held_out,
            work.config.seed,
        )
        name = options.prompt_format
        writes = prompt_format(name, told_to(name, setting.site))
        rows = [_row(writes, one.pair, why) for one, why in zip(kept, split, strict=True)]
        parts = {TRAIN: [row for row in rows if "held_out" not in row],
                 HELD_OUT: [row for row in rows if "held_out" in row]}  # fmt: skip
        for file, some in parts.items():
            _write(work.folder / file, some)
        work.costs.counts |= {"to train on": len(parts[TRAIN]), "held out": len(parts[HELD_OUT])}
        kinds = Counter(why.value for why in split if why)
        apart = ", ".join(f"{count} by {why}" for why, count in sorted(kinds.items())) or "none"
        work.progress.note(f"{len(kept)} of {len(pairs)} pairs, held out: {apart}")


@dataclass(frozen=True)
class _Looked:
    """A pair and the structure of its program."""

    pair: Pair
    parts: tuple[str, ...]


def _apart(
    work: StepWork, options: CleaningOptions, looked: Iterable[_Looked]
) -> Iterator[_Looked]:
    """The pairs that are not similar to any test task or earlier pair."""
    tests, known = TestSets(options.test_sets), Known()
    dropped = work.records(Dropped, DROPPED)
    texts: list[str] = []
    for one in looked:
        pair = one.pair
        work.progress.advance()
        near, test = tests.nearest(pair.instruction, pair.program)
        if near >= options.most_like_test:
            dropped.add(_dropped(pair, Why.IN_TEST_SET, f"{near:.2f} like: {test}"))
            continue
        pattern = pattern_of(pair.instruction, "")
        similarity, place = known.nearest(pattern)
        if similarity >= options.most_similar:
            like = f"{similarity:.2f} like: {texts[place]}"
            dropped.add(_dropped(pair, Why.NEAR_DUPLICATE, like))
            continue
        known.add(pattern)
        texts.append(pair.instruction)
        yield one


def _balanced(work: StepWork, options: CleaningOptions, looked: list[_Looked]) -> Iterator[_Looked]:
    """The first pairs of each structure, up to its maximum share."""
    most = max(options.least_of_a_shape, int(options.most_of_a_shape * len(looked)))
    dropped, found = work.records(Dropped, DROPPED), Counter[tuple[str, ...]]()
    for one in looked:
        found[one.parts] += 1
        if found[one.parts] <= most:
            yield one
        else:
            shape = f"one of more than {most} of: {' '.join(one.parts)}"
            dropped.add(_dropped(one.pair, Why.UNBALANCED, shape))


def _dropped(pair: Pair, why: Why, told: str) -> Dropped:
    return Dropped(pair.id, Step.CLEANING.value, why, f"{pair.instruction}\n{told}")


def _row(writes: PromptFormat, pair: Pair, why: HeldOut | None) -> dict[str, str]:
    prompt = str(writes.first(Instruction(pair.instruction)))
    row = {"id": pair.id, "prompt": prompt, "completion": pair.program.removeprefix(HEAD)}
    return {**row, "held_out": why.value} if why else row


def _write(path: Path, rows: Iterable[dict[str, str]]) -> None:
    """Write the file atomically. Raises LearnError."""
    made = path.with_name(f".{path.name}.new")
    try:
        with made.open("w", encoding="utf-8") as target:
            for row in rows:
                target.write(f"{json.dumps(row, ensure_ascii=False)}\n")
            target.flush()
            os.fsync(target.fileno())
        made.replace(path)
    except OSError as error:
        raise LearnError(f"{path}: cannot be written: {error.strerror}") from None
