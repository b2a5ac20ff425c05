"""Opens a run of `roboinstruct learn`, does its steps, and tells how far they are."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import typer
from pydantic import ValidationError

from roboinstruct_ros.commands.arguments import SpreadOptions
from roboinstruct_ros.commands.progress import Told, told
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.option import check, option
from roboinstruct_ros.evaluate.runs.run import spread_over
from roboinstruct_ros.learn.pipeline.config import LearnConfig, config_model, read_config
from roboinstruct_ros.learn.pipeline.manifest import read_manifest
from roboinstruct_ros.learn.pipeline.run import Workers
from roboinstruct_ros.learn.pipeline.step import Step

LEARNED = Path("learned")


@dataclass(frozen=True)
class How(SpreadOptions):
    """How to do a run."""

    to: str = option("", "folder of the run; empty: learned/NAME")
    redo: bool = option(
        False, "move aside results made with other settings, and make them again", flag="--redo"
    )
    accept_licence: tuple[str, ...] = option(
        (), "confirm that you may train this model; repeatable"
    )

    def workers(self) -> Workers:
        """Who does the work of a run. Raises SpreadError."""
        return Workers(
            spread_over(self.jobs, self.ray),
            told_step,
            lambda name: name in self.accept_licence or _is_accepted(name),
        )


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


@contextmanager
def going_on(folder: Path, command: str = "learn") -> Iterator[None]:
    """On Ctrl-C, print how to resume."""
    try:
        yield
    except KeyboardInterrupt:
        again = shlex.quote(str(folder))
        print(f"stopped; go on with: roboinstruct {command} {again}", file=sys.stderr)
        raise


@contextmanager
def told_step(step: Step) -> Iterator[Told]:
    """Report a step on standard error for the duration of the block."""
    with told(step.value) as shown:
        shown.note("begins")
        yield shown
        shown.note("done")


def _is_accepted(name: str) -> bool:
    if not sys.stdin.isatty():
        return False
    return typer.confirm(
        f"{name}: no licence is known for it here. Have you read its terms, and may you train it?",
        err=True,
    )
