"""A run as one self-contained HTML file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.files.world_names import find_domain
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.evaluate.figures.comparison import compared
from roboinstruct_ros.evaluate.reports.comparing import sides
from roboinstruct_ros.evaluate.reports.page import rendered
from roboinstruct_ros.evaluate.reports.plots import Plot
from roboinstruct_ros.evaluate.reports.svg import Dot, bars, curves, dots
from roboinstruct_ros.evaluate.reports.tables import Table
from roboinstruct_ros.evaluate.reports.write import read
from roboinstruct_ros.learn.ablations.run import ABLATIONS
from roboinstruct_ros.learn.ablations.table import ablation_rows, ablation_table
from roboinstruct_ros.learn.evaluation.step import AFTER, BEFORE
from roboinstruct_ros.learn.pipeline.manifest import Manifest, State, StepEntry, read_manifest
from roboinstruct_ros.learn.pipeline.record_file import Record, RecordFile
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.pipeline.work import DROPPED, RECORDS
from roboinstruct_ros.learn.programs.figures import thrown_away
from roboinstruct_ros.learn.records import Dropped, Pair, Sample, Task
from roboinstruct_ros.learn.report.figures import (
    codes,
    lengths,
    nearest,
    reasons,
    uses,
)
from roboinstruct_ros.learn.training.job import CURVE

_TEMPLATE = Path(__file__).parent / "learned.html"
_EXAMPLES, _PAIRS = 10, 50


def run_page(run: Path) -> str:
    """What each step made, kept and dropped. Raises InputError: there is no run."""
    manifest = read_manifest(run)
    tasks = _read(run, Step.TASKS, Task)
    samples = _read(run, Step.PROGRAMS, Sample)
    pairs = _read(run, Step.CLEANING, Pair) or _read(run, Step.ALIGNMENT, Pair)
    return rendered(
        _TEMPLATE,
        name=manifest.config["name"],
        told=_told(manifest),
        tiles=_tiles(manifest, len(pairs)),
        plots=list(_plots(run, manifest, samples, pairs)),
        tables=list(_tables(run, manifest, samples, pairs)),
        thrown=[
            (step.value, why.replace("_", " "), len(some), some[:_EXAMPLES])
            for step in Step
            for why, some in reasons(_read(run, step, Dropped, DROPPED))
        ],
        near=nearest(tasks),
        pairs=pairs[:_PAIRS],
        asked=_asked(manifest),
    )


def _read(run: Path, step: Step, kind: type[Record], name: str = RECORDS) -> list[Record]:
    return list(RecordFile(run / step.value / name, kind))


def _told(manifest: Manifest) -> str:
    steps = [Step(one) for one in manifest.config["steps"]]
    done = [one for one in steps if _state(manifest, one) is State.DONE]
    return f"{len(done)} of {len(steps)} steps are done."


def _state(manifest: Manifest, step: Step) -> State | None:
    return manifest.steps[step].state if step in manifest.steps else None


def _tiles(manifest: Manifest, pairs: int) -> list[tuple[str, str, str]]:
    entries = list(manifest.steps.values())
    hours = sum(one.wall_seconds for one in entries) / 3600
    processor = sum(one.processor_seconds for one in entries) / 3600
    read, written = (sum(getattr(one, f"tokens_{way}") for one in entries) for way in _WAYS)
    return [
        ("pairs", f"{pairs:,}", "to train on"),
        ("hours", f"{hours:.2f}", f"{processor:.2f} of processors"),
        ("tokens written", f"{written:,}", f"{read:,} read"),
    ]


_WAYS = ("read", "written")


def _plots(
    run: Path, manifest: Manifest, samples: Sequence[Sample], pairs: Sequence[Pair]
) -> Iterator[Plot]:
    resamplings = manifest.config.get(Step.PROGRAMS.value, {}).get("resamplings", 0)
    if limits := thrown_away(samples, resamplings):
        shown = [Dot(n, one, f"at most {n}: {one.percent()}") for n, one in enumerate(limits)]
        ticks = [(float(limit), str(limit)) for limit in range(len(limits))]
        below = "Wanted programs of which none verifies, by how often they may be drawn again."
        names = ("resamplings", "thrown away, %")
        ends = (-0.5, len(limits) - 0.5)
        yield Plot("Thrown away, by the limit", dots(shown, ends, ticks, names), below)
    if pairs:
        skills = load_domain(find_domain(manifest.config["domain"])).skill_names
        yield Plot("Pairs that use", bars(uses(pairs, skills)))
    yield from _curves(run / Step.TRAINING.value / CURVE)


def _curves(path: Path) -> Iterator[Plot]:
    if not path.exists():
        return
    told = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    def line(key: str) -> list[tuple[float, float]]:
        return [(float(one["step"]), float(one[key])) for one in told if key in one]

    losses = [(name, line(key)) for name, key in (("training", "loss"), ("held out", "eval_loss"))]
    if lines := [one for one in losses if one[1]]:
        yield Plot("Loss, by the step of training", curves(lines, ("step", "loss")))
    if rewards := line("reward"):
        title = "Reward of the programs that were drawn, by the step of training"
        yield Plot(title, curves([("drawn", rewards)], ("step", "reward")))


def _tables(
    run: Path, manifest: Manifest, samples: Sequence[Sample], pairs: Sequence[Pair]
) -> Iterator[Table]:
    head = ("step", "kept", "dropped", "seconds", "of processors", "tokens read", "written", "")
    rows = tuple(_row(step, entry) for step, entry in manifest.steps.items())
    yield Table("By step", head, rows)
    if rejected := codes(samples):
        shown = tuple((code, str(count), reason) for code, count, reason in rejected)
        yield Table("Rejected programs", ("first violation", "programs", "such as"), shown)
    evaluated = [run / Step.EVALUATION.value / name for name in (BEFORE, AFTER)]
    if all((folder / RECORDS).exists() for folder in evaluated):
        (_, before), (_, after) = map(read, evaluated)
        yield replace(sides(compared(before, after)), title="Before (A) and after (B)")
    if (run / ABLATIONS).exists():
        yield ablation_table(ablation_rows(run))
    if pairs:
        sizes = tuple(_sizes(name, ordered) for name, ordered in lengths(pairs))
        yield Table("Lengths", ("", "least", "median", "p95", "most"), sizes)


def _row(step: Step, entry: StepEntry) -> tuple[str, ...]:
    name = step.value if entry.state is State.DONE else f"{step.value} (begun)"
    counts = (entry.kept, entry.dropped, round(entry.wall_seconds), round(entry.processor_seconds))
    told = ", ".join(f"{count:,} {what}" for what, count in entry.counts.items() if count)
    return (name, *(f"{one:,}" for one in (*counts, entry.tokens_read, entry.tokens_written)), told)


def _sizes(name: str, ordered: Sequence[int]) -> tuple[str, ...]:
    at = (0, len(ordered) // 2, int(0.95 * (len(ordered) - 1)), -1)
    return (name, *(str(ordered[place]) for place in at))


def _asked(manifest: Manifest) -> Table:
    rows: dict[str, Any] = {k: v for k, v in manifest.config.items() if not isinstance(v, dict)}
    for entry in manifest.steps.values():
        rows |= entry.asked
    rows |= {f"licence of {name}": text for name, text in manifest.licences.items()}
    for entry in manifest.steps.values():
        rows |= {f"version of {name}": text for name, text in entry.versions.items()}
    return Table("What was asked", ("", ""), tuple((name, str(one)) for name, one in rows.items()))
