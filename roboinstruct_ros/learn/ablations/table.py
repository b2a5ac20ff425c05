"""The results of each ablation setting, compared with the unchanged run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from roboinstruct_ros.evaluate.figures.comparison import compared
from roboinstruct_ros.evaluate.figures.estimate import Estimate
from roboinstruct_ros.evaluate.figures.figures import figures_of
from roboinstruct_ros.evaluate.reports.tables import INTERVALS, Table
from roboinstruct_ros.evaluate.reports.write import read
from roboinstruct_ros.evaluate.runs.record import Record
from roboinstruct_ros.learn.ablations.run import ABLATIONS
from roboinstruct_ros.learn.ablations.settings import AS_IT_IS, SETTINGS, SHARED
from roboinstruct_ros.learn.evaluation.step import AFTER, BEFORE
from roboinstruct_ros.learn.pipeline.manifest import MANIFEST, State, read_manifest
from roboinstruct_ros.learn.pipeline.record_file import RecordFile
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.pipeline.work import RECORDS
from roboinstruct_ros.learn.records import Pair, Sample

BASE = "base"


@dataclass(frozen=True)
class Row:
    """One setting, or the base before all training.

    Attributes:
        pairs: number of pairs for training and held-out evaluation.
        rejected: of these, pairs whose program the verifier rejects.
        invalid: share of the programs written in the evaluation that the verifier rejects.
        right: pass@1.
        against: pass@1 minus that of the unchanged run; None for that run itself, or if either is
            missing.
        missing: why there are no figures; "" if there are.
    """

    name: str
    pairs: int = 0
    rejected: int = 0
    invalid: Estimate | None = None
    right: Estimate | None = None
    against: Estimate | None = None
    missing: str = ""


def ablation_rows(run: Path) -> list[Row]:
    """The base, the unchanged run, and each setting that was begun.

    Raises:
        InputError, FolderError: the run, or an evaluation, cannot be read.
    """
    as_it_is = _row(AS_IT_IS, run, [])
    reference = [] if as_it_is.missing else _evaluated(run, AFTER)
    below = [run / ABLATIONS / name for name in SETTINGS]
    before = run / Step.EVALUATION.value / BEFORE / RECORDS
    known = reference and before.exists()
    base = [_figures(Row(BASE), _evaluated(run, BEFORE), reference)] if known else []
    others = [_row(one.name, one, reference) for one in below if (one / MANIFEST).exists()]
    given = _given(run)
    return [*base, as_it_is, *(_checked(one, given, run) for one in others)]


def ablation_table(found: Sequence[Row]) -> Table:
    """The rows as a table for people."""
    head = ("setting", "pairs", "rejected", "invalid", "right", "less as it is, points")
    missing = "".join(f" {one.name}: {one.missing}." for one in found if one.missing)
    below = (
        "pairs: trained and held out with; rejected: of these, by the verifier; invalid: of the "
        f"programs written in the evaluation. {INTERVALS}{missing}"
    )
    return Table("Ablations", head, tuple(map(_cells, found)), below=below)


def _row(name: str, run: Path, reference: Sequence[Record]) -> Row:
    pairs = list(RecordFile(run / Step.CLEANING.value / RECORDS, Pair))
    samples = RecordFile(run / Step.PROGRAMS.value / RECORDS, Sample)
    rejected = {f"{one.task}/{one.number}" for one in samples if not one.accepted}
    row = Row(name, len(pairs), sum(one.id in rejected for one in pairs))
    steps = read_manifest(run).steps
    left = next((s for s in Step if s not in steps or steps[s].state is not State.DONE), None)
    if left is None:
        return _figures(row, _evaluated(run, AFTER), reference)
    none = left is Step.CLEANING and left in steps and not pairs
    missing = "no pair is left to learn from" if none else f"the step {left.value} is not done"
    return replace(row, missing=missing)


def _checked(row: Row, given: Mapping[str, Any], run: Path) -> Row:
    """The row, without figures if the run has since replaced the setting's inputs."""
    if row.missing or _given(run / ABLATIONS / row.name) == given:
        return row
    return Row(row.name, missing="made from other tasks or programs, needs --redo")


def _given(run: Path) -> dict[str, Any]:
    """Hashes of the shared records that were the input of the alignment."""
    entry = read_manifest(run).steps.get(Step.ALIGNMENT)
    folders = tuple(f"{step.value}/" for step in SHARED)
    asked = entry.asked if entry else {}
    return {name: told for name, told in asked.items() if name.startswith(folders)}


def _figures(row: Row, records: list[Record], reference: Sequence[Record]) -> Row:
    told = figures_of(records)
    against = compared(reference, records).difference if reference else None
    return replace(row, invalid=told.invalid.first, right=told.pass_at[1], against=against)


def _evaluated(run: Path, side: str) -> list[Record]:
    return read(run / Step.EVALUATION.value / side)[1]


def _cells(row: Row) -> tuple[str, ...]:
    counts = ("", "") if row.name == BASE else (str(row.pairs), str(row.rejected))
    shares = (one.percent() if one else "-" for one in (row.invalid, row.right))
    return (row.name, *counts, *shares, row.against.points() if row.against else "")
