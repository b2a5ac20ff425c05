"""Decides which recorded runs to keep and which to delete."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from roboinstruct_ros.trace.bag import BagError, being_recorded
from roboinstruct_ros.trace.expected import FILE as EXPECTED
from roboinstruct_ros.trace.retention_options import RetentionOptions
from roboinstruct_ros.trace.run_trace import RECORDED, bags_under
from roboinstruct_ros.trace.summary import summary

MARK = "keep"
"""A file of this name in a bag's folder protects it from deletion."""

_GIGABYTE, _DAY = 10**9, 86_400


@dataclass(frozen=True)
class RecordedRun:
    """A bag in the recorder's folder.

    Attributes:
        ended: time of the last write, s since the epoch.
        size: bytes.
        succeeded: False also if it was stopped, or its bag cut off.
        marked: protected from deletion.
    """

    folder: Path
    ended: float
    size: int
    succeeded: bool
    marked: bool = False


def delete_superfluous(
    place: Path,
    options: RetentionOptions,
    now: float,
    told: Callable[[str], None],
    complain: Callable[[str], None],
) -> None:
    """Delete superfluous bags from the recorder's folder, and report each in one line.

    Bags not named by the recorder, marked ones, those being recorded and the last one are kept.

    Args:
        now: s since the epoch.
        told: receives the line of a bag that was deleted.
        complain: receives the line of one that cannot be.

    Raises:
        BagError: there is no such folder.
    """
    for run, reason in superfluous(list(_runs(place)), options, now):
        try:
            shutil.rmtree(run.folder)
            told(f"{run.folder}: deleted, {reason}")
        except FileNotFoundError:
            continue  # another process was first
        except OSError as error:
            complain(f"{run.folder}: cannot be deleted, {reason}: {error.strerror}")


def superfluous(
    runs: Sequence[RecordedRun], options: RetentionOptions, now: float
) -> Iterator[tuple[RecordedRun, str]]:
    """The runs to delete, each with the reason. Marked and unsuccessful runs use up the limits
    first, and among equals the newer ones."""
    last = max(runs, key=lambda run: run.ended, default=None)
    count = size = 0
    for run in sorted(runs, key=lambda run: (not run.marked, run.succeeded, -run.ended)):
        days = options.keep_days if run.succeeded else options.keep_failed_days
        reason = ""
        if days and now - run.ended > days * _DAY:
            reason = f"older than {days:g} days"
        elif options.keep_runs and count >= options.keep_runs:
            reason = f"more than {options.keep_runs} runs"
        elif options.keep_gigabytes and size + run.size > options.keep_gigabytes * _GIGABYTE:
            reason = f"more than {options.keep_gigabytes:g} GB"
        if reason and not run.marked and run is not last:
            yield run, reason
        else:
            count, size = count + 1, size + run.size


def mark(bag: Path, kept: bool = True) -> None:
    """Protect a bag from deletion, or end that protection.

    Raises:
        BagError: the folder cannot be written.
    """
    try:
        (bag / MARK).touch() if kept else (bag / MARK).unlink(missing_ok=True)
    except OSError as error:
        raise BagError(f"{bag}: cannot be marked: {error.strerror}") from None


def _runs(place: Path) -> Iterator[RecordedRun]:
    for folder in bags_under(place):
        if not RECORDED.match(folder.name) or being_recorded(folder):
            continue
        with suppress(OSError):  # just deleted
            files = [path.stat() for path in folder.iterdir()]
            ended = max(path.stat().st_mtime for path in folder.glob("*.mcap"))
            marked = any((folder / name).exists() for name in (MARK, EXPECTED))
            size = sum(one.st_size for one in files)
            yield RecordedRun(folder, ended, size, _succeeded(folder), marked)


def _succeeded(folder: Path) -> bool:
    try:
        return summary(folder, keep=True).outcome == "succeeded"
    except BagError:
        return False
