"""The evaluation step: evaluates before and after training, compares, and imports the model."""

from __future__ import annotations

import json
import shlex
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import Field

from roboinstruct_ros.domain.configuration import Strict
from roboinstruct_ros.evaluate.figures.comparison import Comparison, compared
from roboinstruct_ros.evaluate.reports.comparing import as_values
from roboinstruct_ros.evaluate.reports.page import comparison_page
from roboinstruct_ros.evaluate.reports.write import read, write
from roboinstruct_ros.evaluate.runs.asked import Asked
from roboinstruct_ros.evaluate.runs.folder import MANIFEST, Folder, FolderError
from roboinstruct_ros.evaluate.runs.prepared import Prepared, prepare, resumed
from roboinstruct_ros.evaluate.runs.run import run
from roboinstruct_ros.evaluate.suite.open_suite import open_suite
from roboinstruct_ros.generate.models.model_options import NO_CHOICE, ModelOptions
from roboinstruct_ros.generate.models.model_registry import load_registry
from roboinstruct_ros.generate.models.model_store import import_model, stored_models
from roboinstruct_ros.generate.writing_options import WRITING
from roboinstruct_ros.learn.export.card import write_card
from roboinstruct_ros.learn.export.step import adapter_file, model_file
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.pipeline.work import LearnError, StepWork
from roboinstruct_ros.learn.training.step import served_base

BEFORE, AFTER = "before", "after"
CARD = "README.md"


class EvaluationOptions(Strict):
    """The suites, and what is done with the model."""

    suite: str = Field(default="service", description="as of `roboinstruct eval --suite`")
    most: int = Field(default=60, ge=0, description="phrasings, of all kinds alike; 0 is all")
    attempts: int = Field(
        default=1, ge=1, le=10, description="programs of a phrasing until one is accepted"
    )
    before: bool = Field(default=True, description="evaluate the base too")
    imported: bool = Field(
        default=True, description="import the whole model, so that `up --model` serves it"
    )


class EvaluationStep:
    """Evaluates, compares, and imports."""

    name = Step.EVALUATION
    version = 1

    def check(self, config: Any, run: Path) -> None:
        """Raises InputError: there is no such suite, or the name for the import is taken."""
        options: EvaluationOptions = config.options(Step.EVALUATION)
        open_suite(options.suite)
        served_base(config)
        if options.imported and config.options(Step.EXPORT).merged:
            _check_name(config.name, run)

    def run(self, work: StepWork) -> None:
        """Raises LearnError if it cannot be done; finished records are kept."""
        options: EvaluationOptions = work.options
        exported = work.given(Step.EXPORT)
        model, lora = _served(work, exported)
        base = served_base(work.config)
        before = options.before and base is not None
        asked = {BEFORE: _asked(work, str(base), "")} if before else {}
        asked[AFTER] = _asked(work, str(model), lora)
        try:
            _evaluate(work, asked)
            comparison = _compare(work) if before else None
        except FolderError as error:
            raise LearnError(str(error)) from None
        work.costs.counts |= {"phrasings": _phrasings(work)}
        write_card(work.run, work.config, work.folder / CARD, comparison)
        whole = model_file(exported, work.config.name)
        if options.imported and whole.exists():
            done = import_model(whole, work.config.name, None, load_registry())
            work.progress.note(f"{done.path}: use it: roboinstruct up --model {work.config.name}")
        elif options.imported:
            files = f"--model {shlex.quote(str(base))} --lora {shlex.quote(lora)}"
            work.progress.note(f"use it: roboinstruct up {files}")


def _check_name(name: str, run: Path) -> None:
    """Check that the name is free, or that of this run's own model. Raises LearnError."""
    there = stored_models().get(name)
    if there and not model_file(run / Step.EXPORT.value, name).exists():
        raise LearnError(
            f"name: {name}: another model was imported by this name, {there}; give the run another "
            f"name, remove that file, or give {Step.EVALUATION.value}: {{imported: false}}"
        )


def _served(work: StepWork, exported: Path) -> tuple[Path, str]:
    """The complete model, or the base and the adapter."""
    whole = model_file(exported, work.config.name)
    if whole.exists():
        return whole, ""
    base = served_base(work.config)
    adapter = adapter_file(exported, work.config.name)
    if base is None or not adapter.exists():
        raise LearnError(f"{exported}: holds no model; do the step {Step.EXPORT.value} again")
    return base, str(adapter)


def _asked(work: StepWork, model: str, lora: str) -> Asked:
    options: EvaluationOptions = work.options
    writing = replace(WRITING, max_attempts=options.attempts)
    loading: ModelOptions = replace(NO_CHOICE, lora=lora)
    return Asked(
        options.suite, model, most=options.most, loading=loading, writing=writing
    ).settled()


def _evaluate(work: StepWork, asked: dict[str, Asked]) -> None:
    """Do what is left of these evaluations, each in its folder."""
    opened = {name: _opened(work.folder / name, one) for name, one in asked.items()}
    work.progress.total(sum(len(prepared.items) for prepared, _ in opened.values()))
    for prepared, folder in opened.values():
        work.progress.advance(len(folder.done))
        with closing(folder), closing(run(prepared, folder, work.spread)) as records:
            for record in records:
                work.costs.tokens_written += record.tokens
                work.progress.advance()


def _phrasings(work: StepWork) -> int:
    _, records = read(work.folder / AFTER)
    return len(records)


def _opened(path: Path, asked: Asked) -> tuple[Prepared, Folder]:
    if (path / MANIFEST).exists():
        return resumed(path, asked, frozenset(asked.values)), Folder(path)
    prepared = prepare(asked)
    return prepared, Folder.make(path, prepared.manifest)


def _compare(work: StepWork) -> Comparison:
    names = (BEFORE, AFTER)
    (_, first), (_, second) = (read(work.folder / name) for name in names)
    comparison = compared(first, second)
    write(work.folder / "compare.html", comparison_page(names, comparison))
    values = json.dumps(as_values(names, comparison), indent=2)
    (work.folder / "comparison.json").write_text(f"{values}\n")
    work.progress.note(comparison.verdict)
    return comparison
