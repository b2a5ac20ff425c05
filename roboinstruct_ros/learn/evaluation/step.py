"""The step that evaluates before and after, compares, and imports what came of it."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

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
from roboinstruct_ros.generate.models.model_options import NO_CHOICE, ModelOptions
from roboinstruct_ros.generate.models.model_registry import load_registry
from roboinstruct_ros.generate.models.model_store import import_model
from roboinstruct_ros.generate.writing_options import WRITING
from roboinstruct_ros.learn.export.card import write_card
from roboinstruct_ros.learn.export.step import adapter_file, model_file
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.pipeline.work import LearnError, StepWork
from roboinstruct_ros.learn.training.step import base_path

BEFORE, AFTER = "before", "after"
CARD = "README.md"


class EvaluationOptions(Strict):
    """On what it is evaluated, and what becomes of it."""

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

    def run(self, work: StepWork) -> None:
        """Raises LearnError: it cannot be done; what is done is kept."""
        options: EvaluationOptions = work.options
        exported = work.given(Step.EXPORT)
        model, lora = _served(work, exported)
        base = base_path(work.config.base)
        before = options.before and base is not None
        asked = {BEFORE: _asked(work, str(base), "")} if before else {}
        asked[AFTER] = _asked(work, str(model), lora)
        try:
            _evaluate(work, asked)
            comparison = _compare(work) if before else None
        except FolderError as error:
            raise LearnError(str(error)) from None
        write_card(work.run, work.config, work.folder / CARD, comparison)
        whole = model_file(exported, work.config.name)
        if options.imported and whole.exists():
            done = import_model(whole, work.config.name, None, load_registry())
            work.progress.note(f"{done.path}: use it: roboinstruct up --model {work.config.name}")
        elif options.imported:
            work.progress.note(f"use it: roboinstruct up --model {base} --lora {lora}")


def _served(work: StepWork, exported: Path) -> tuple[Path, str]:
    """The whole model, or the base and the adapter."""
    whole = model_file(exported, work.config.name)
    if whole.exists():
        return whole, ""
    base = base_path(work.config.base)
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
    """Whatever is left of these, each into its folder."""
    opened = {name: _opened(work.folder / name, one) for name, one in asked.items()}
    work.progress.total(sum(len(prepared.items) for prepared, _ in opened.values()))
    for prepared, folder in opened.values():
        work.progress.advance(len(folder.done))
        with closing(folder), closing(run(prepared, folder, work.spread)) as records:
            for _ in records:
                work.progress.advance()


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
