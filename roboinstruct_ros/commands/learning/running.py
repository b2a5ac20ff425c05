"""`roboinstruct learn`: does the steps of a run, or lists them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from pydantic import ValidationError

from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.learning.app import How
from roboinstruct_ros.commands.progress import Told, told
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.option import check
from roboinstruct_ros.evaluate.runs.run import spread_over
from roboinstruct_ros.learn.pipeline.config import LearnConfig, config_model, read_config
from roboinstruct_ros.learn.pipeline.manifest import read_manifest
from roboinstruct_ros.learn.pipeline.plan import plan
from roboinstruct_ros.learn.pipeline.run import Workers, run_steps
from roboinstruct_ros.learn.pipeline.step import Step

LEARNED = Path("learned")


def learn(config_or_run: Path, how: How, only: Step | None = None) -> ExitCode:
    """Complete a run, or one step of it. Raises InputError."""
    config, folder = opened(config_or_run, how)
    steps = (only,) if only else config.steps
    with going_on(folder):
        run_steps(config, folder, workers(how), steps, how.redo)
    print(f"{folder}: {only.value if only else 'all'} done")
    return ExitCode.SUCCESS


@contextmanager
def going_on(folder: Path, command: str = "learn") -> Iterator[None]:
    """On Ctrl-C, print how to resume."""
    try:
        yield
    except KeyboardInterrupt:
        again = shlex.quote(str(folder))
        print(f"stopped; go on with: roboinstruct {command} {again}", file=sys.stderr)
        raise


def workers(how: How) -> Workers:
    """The workers of a run. Raises SpreadError."""
    return Workers(
        spread_over(how.jobs, how.ray),
        told_step,
        lambda name: name in how.accept_licence or _is_accepted(name),
    )


@contextmanager
def told_step(step: Step) -> Iterator[Told]:
    """Report a step on standard error for the duration of the block."""
    with told(step.value) as shown:
        shown.note("begins")
        yield shown
        shown.note("done")


def tell_plan(config_or_run: Path, how: How) -> ExitCode:
    config, folder = opened(config_or_run, how)
    print(folder)
    for one in plan(config, folder):
        took = f" ({one.seconds:.0f} s so far)" if one.seconds else ""
        print(f"  {one.step.value:<11} {one.told}{took}")
    return ExitCode.SUCCESS


def opened(config_or_run: Path, how: How) -> tuple[LearnConfig, Path]:
    """Config and folder of a run, from a config file or the folder of an earlier run.

    Raises:
        InputError: an option or the config cannot be used.
    """
    check(how)
    if not config_or_run.is_dir():
        config = read_config(config_or_run)
        return config, Path(how.to).expanduser() if how.to else LEARNED / config.name
    if how.to:
        raise InputError("--to makes a new run of a file; a folder goes on where it is")
    begun = read_manifest(config_or_run).config
    try:
        return config_model().model_validate(begun), config_or_run
    except ValidationError as error:
        fault = " ".join(str(error).split())[:200]
        raise InputError(f"{config_or_run}: was begun by another version: {fault}") from None


def _is_accepted(name: str) -> bool:
    if not sys.stdin.isatty():
        return False
    return typer.confirm(
        f"{name}: no licence is known for it here. Have you read its terms, and may you train it?",
        err=True,
    )
