"""Evaluates into a folder, and tells how far it is."""

from __future__ import annotations

import re
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from roboinstruct_ros.commands.arguments import SpreadOptions
from roboinstruct_ros.commands.ending import FAULTS
from roboinstruct_ros.commands.progress import told
from roboinstruct_ros.domain.option import option
from roboinstruct_ros.evaluate.runs.asked import Asked
from roboinstruct_ros.evaluate.runs.folder import NO_PROGRAM, Folder, FolderError, read_records
from roboinstruct_ros.evaluate.runs.prepared import Prepared
from roboinstruct_ros.evaluate.runs.run import run, spread_over


@dataclass(frozen=True)
class Where(SpreadOptions):
    """Where to evaluate, and in which folder."""

    to: str = option("", "folder to create; empty: one below evaluations/")
    resume: str = option(
        "", "folder of an interrupted evaluation to continue, with its own options"
    )

    def path(self, asked: Asked, *more: str) -> Path:
        """The folder to continue or to create; an unused one is named after suite and model."""
        if self.resume or self.to:
            return Path(self.resume or self.to).expanduser()
        parts = (Path(asked.suite).stem, Path(asked.programs or asked.model).stem, *more)
        name = "-".join(re.sub(r"[^\w.]+", "-", part).strip("-") for part in parts)
        below = Path("evaluations")
        names = (name if number == 1 else f"{name}-{number}" for number in count(1))
        return next(below / one for one in names if not (below / one).exists())


def evaluate_into(
    folder: Folder, prepared: Prepared, what: str, where: Where, again: str, kept: bool = True
) -> None:
    """Evaluate what the folder lacks, and close it.

    Args:
        again: command that resumes it after an interruption.
        kept: whether the folder stays if an error leaves it without a record.

    Raises:
        KeyboardInterrupt: Ctrl-C; standard error says how to resume.
        FolderError, BackendError, SpreadError: as from `run`.
    """
    items, done, right, begun = len(prepared.items), len(folder.done), 0, time.monotonic()
    spread = spread_over(where.jobs, where.ray)
    try:
        with (
            closing(folder),
            closing(run(prepared, folder, spread)) as records,
            told(what) as shown,
        ):
            shown.total(items)
            if missing := prepared.manifest.left_out.get(NO_PROGRAM):
                shown.note(f"no program for {missing} of {items + missing} items, not counted")
            for number, record in enumerate(records, start=1):
                if number == 1:
                    shown.note(f"{items} evaluations")
                right += record.right
                counts = f"{right} of {number}{' new' if done else ''} right"
                more = f" evaluated, {counts}, {time.monotonic() - begun:.0f} s"
                shown.advance(done + 1 if number == 1 else 1, more)
    except KeyboardInterrupt:
        evaluated = sum(1 for _ in read_records(folder.path))
        print(
            f"stopped, {evaluated} of {items} evaluated; go on with: roboinstruct {again}",
            file=sys.stderr,
        )
        raise
    except FAULTS as error:
        if not (kept or folder.done):
            raise
        raise FolderError(f"{error}; go on with: roboinstruct {again}") from None
