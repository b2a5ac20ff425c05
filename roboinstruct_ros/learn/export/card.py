"""Writes the model card from the manifest and the records of the steps, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from roboinstruct_ros.evaluate.figures.comparison import Comparison
from roboinstruct_ros.evaluate.reports.comparing import by_kind, sides
from roboinstruct_ros.generate.models.gguf_file import size_in_words
from roboinstruct_ros.learn.pipeline.config import LearnConfig
from roboinstruct_ros.learn.pipeline.manifest import Manifest, read_manifest
from roboinstruct_ros.learn.pipeline.step import Step

_TEMPLATE = Path(__file__).with_name("card.md")


def write_card(
    run: Path, config: LearnConfig, target: Path, comparison: Comparison | None = None
) -> None:
    """Write the card of a run, with the figures before and after if they are known."""
    manifest = read_manifest(run)
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATE.parent), undefined=StrictUndefined, trim_blocks=True
    )
    text = environment.get_template(_TEMPLATE.name).render(
        config=config,
        training=config.options(Step.TRAINING),
        prompt_format=config.options(Step.CLEANING).prompt_format,
        licence=manifest.licences.get(config.base, ""),
        result=_result(run),
        steps=_steps(manifest),
        files=_files(run / Step.EXPORT.value),
        tables=[table.markdown() for table in _tables(comparison)],
        verdict=comparison.verdict if comparison else "",
    )
    target.write_text(text, encoding="utf-8")


def _result(run: Path) -> dict[str, Any]:
    return dict(json.loads((run / Step.TRAINING.value / "result.json").read_text()))


def _steps(manifest: Manifest) -> list[dict[str, Any]]:
    shown = (Step.TASKS, Step.PROGRAMS, Step.ALIGNMENT, Step.CLEANING, Step.TRAINING)
    return [
        {"name": step.value, **manifest.steps[step].model_dump()}
        for step in shown
        if step in manifest.steps
    ]


def _files(folder: Path) -> list[tuple[str, str]]:
    return [(one.name, size_in_words(one.stat().st_size)) for one in sorted(folder.glob("*.gguf"))]


def _tables(comparison: Comparison | None) -> list[Any]:
    if comparison is None:
        return []
    return [table for table in (sides(comparison), by_kind(comparison)) if table.rows]
