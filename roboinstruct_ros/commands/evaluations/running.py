"""`roboinstruct eval` and `eval report`: evaluates a suite into a folder and prints the result."""

from __future__ import annotations

import re
import shlex
import sys
import time
from collections.abc import Iterable, Iterator, Set
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Annotated

import typer

from roboinstruct_ros.commands.arguments import Json, SpreadOptions
from roboinstruct_ros.commands.ending import FAULTS, ExitCode
from roboinstruct_ros.commands.progress import told
from roboinstruct_ros.domain.option import option
from roboinstruct_ros.evaluate.reports.tables import markdown
from roboinstruct_ros.evaluate.reports.write import HTML, JSON, write_reports
from roboinstruct_ros.evaluate.runs.asked import Asked
from roboinstruct_ros.evaluate.runs.folder import Folder, FolderError, read_records
from roboinstruct_ros.evaluate.runs.prepared import Prepared, prepare, resumed
from roboinstruct_ros.evaluate.runs.record import Record
from roboinstruct_ros.evaluate.runs.run import run, spread_over


@dataclass(frozen=True)
class Where(SpreadOptions):
    """Where to evaluate, and in which folder."""

    to: str = option("", "folder to create; empty: one below evaluations/")
    resume: str = option(
        "", "folder of an interrupted evaluation to continue, with its own options"
    )


def evaluate_suite(asked: Asked, chosen: Set[str], where: Where) -> ExitCode:
    """Evaluate a suite, and print the tables.

    Args:
        chosen: names in `asked` that were given on the command line.
    """
    prepared, folder = _opened(asked.settled(), chosen, where)
    again = f"eval --resume {shlex.quote(str(folder.path))}"
    try:
        evaluate_into(folder, prepared, str(folder.path), where, again)
    except FAULTS:
        if not (where.resume or folder.done):
            folder.discard()
        raise
    report(folder.path)
    return ExitCode.SUCCESS


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of an evaluation.")],
    as_json: Json = False,
) -> None:
    """Print the tables of an evaluation again and rewrite its reports."""
    figures = write_reports(folder)
    if as_json:
        print((folder / JSON).read_text(encoding="utf-8"), end="")
    else:
        print(f"{markdown(figures)}\n\n{folder / HTML}")


def _opened(asked: Asked, chosen: Set[str], where: Where) -> tuple[Prepared, Folder]:
    if where.resume:
        path = Path(where.resume).expanduser()
        return resumed(path, asked, chosen), Folder(path)
    prepared = prepare(asked)
    path = Path(where.to).expanduser() if where.to else free_folder(asked)
    return prepared, Folder.make(path, prepared.manifest)


def evaluate_into(folder: Folder, prepared: Prepared, what: str, where: Where, again: str) -> None:
    """Evaluate what the folder lacks, and close it.

    Args:
        again: command that resumes it after an interruption.

    Raises:
        KeyboardInterrupt: Ctrl-C; standard error says how to resume.
        FolderError, BackendError, SpreadError: as from `run`.
    """
    items = len(prepared.items)
    spread = spread_over(where.jobs, where.ray)
    with closing(folder), closing(run(prepared, folder, spread)) as records:
        try:
            for _ in _told(records, what, len(folder.done), items):
                pass
        except KeyboardInterrupt:
            done = sum(1 for _ in read_records(folder.path))
            print(
                f"stopped, {done} of {items} evaluated; go on with: roboinstruct {again}",
                file=sys.stderr,
            )
            raise
        except FolderError as error:
            raise FolderError(f"{error}; go on with: roboinstruct {again}") from None


def _told(records: Iterable[Record], what: str, done: int, items: int) -> Iterator[Record]:
    """Pass the records on; once the first has arrived, report each.

    Args:
        done: number of earlier records.
        items: number of records in the end.
    """
    right, begun = 0, time.monotonic()
    with told(what) as shown:
        shown.total(items)
        for count, record in enumerate(records, start=1):
            yield record
            if count == 1:
                shown.note(f"{items} evaluations")
            right += record.right
            counts = f"{right} of {count}{' new' if done else ''} right"
            more = f" evaluated, {counts}, {time.monotonic() - begun:.0f} s"
            shown.advance(done + 1 if count == 1 else 1, more)


def free_folder(asked: Asked, *more: str) -> Path:
    """An unused folder name, from suite and model."""
    parts = (Path(asked.suite).stem, Path(asked.programs or asked.model).stem, *more)
    name = "-".join(re.sub(r"[^\w.]+", "-", part).strip("-") for part in parts)
    below = Path("evaluations")
    names = (name if number == 1 else f"{name}-{number}" for number in count(1))
    return next(below / one for one in names if not (below / one).exists())
