"""Measures a model with test sets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from roboinstruct_ros.evaluate.figures.reliability import reliability
from roboinstruct_ros.evaluate.figures.scores import Result, table, told
from roboinstruct_ros.evaluate.runs.writer import GREEDY, Write, Writer
from roboinstruct_ros.evaluate.suite.case import Suite
from roboinstruct_ros.evaluate.suite.judge import judged
from roboinstruct_ros.evaluate.suite.open_suite import open_suite
from roboinstruct_ros.evaluate.worlds.trials import Trials
from roboinstruct_ros.generate.backends.open_backend import backend_for
from roboinstruct_ros.generate.models.model_options import NO_CHOICE, ModelOptions
from roboinstruct_ros.generate.writing_options import WritingOptions


def evaluate_sets(
    names: Sequence[str],
    most: int,
    model: str,
    options: ModelOptions = NO_CHOICE,
    writing: WritingOptions = GREEDY,
    tell_all: bool = False,
    keep: Path | None = None,
) -> Iterator[str]:
    """A table of each set, then how far the model's confidence can be believed.

    Args:
        names: of sets, as `open_suite` takes them.
        most: cases of one set.
        model, options: as `backend_for` takes them.
        writing: one attempt and one candidate is the likeliest text.
        tell_all: as `Writer` takes it.
        keep: a file that a JSON line of every case is added to.

    Raises:
        UnknownSuite: a set cannot be read.
        BackendError: the model cannot be loaded.
    """
    sets = {name: open_suite(name) for name in names}
    everything: list[Result] = []
    backend = backend_for(model, options, writing.candidates)
    backend.load()
    with ExitStack() as opened:
        opened.callback(backend.unload)
        writer = opened.enter_context(closing(Writer(backend, writing, tell_all)))
        for name, suite in sets.items():
            results = []
            for result in measured(writer, suite.some(most)):
                results.append(result)
                _keep(keep, name, result)
            everything += results
            yield "\n\n".join([table(name, results), *_left_out(suite)])
    if said := told(everything):
        yield reliability(said)


def measured(write: Write, suite: Suite) -> Iterator[Result]:
    """How each case of the set goes."""
    with closing(Trials()) as trials:
        for case in suite.cases:
            written = write(case)
            yield Result(case, written, judged(case, written, trials))


def _keep(path: Path | None, name: str, result: Result) -> None:
    if path is not None:
        with path.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({"set": name, **result.as_dict()}) + "\n")


def _left_out(suite: Suite) -> list[str]:
    reasons = [f"{count} {reason}" for reason, count in suite.left_out.most_common()]
    return [f"Left out: {'; '.join(reasons)}."] if reasons else []
