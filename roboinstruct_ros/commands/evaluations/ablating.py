"""`roboinstruct eval ablate`: what each part of program generation contributes, in one table."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence, Set
from pathlib import Path

from roboinstruct_ros.commands.ending import ExitCode, bad_input
from roboinstruct_ros.commands.evaluations.running import Where, evaluate_into, free_folder
from roboinstruct_ros.evaluate.figures.figures import figures_of
from roboinstruct_ros.evaluate.reports.tables import INTERVALS, Table
from roboinstruct_ros.evaluate.runs.ablations import SETTINGS, ablations
from roboinstruct_ros.evaluate.runs.asked import Asked
from roboinstruct_ros.evaluate.runs.folder import MANIFEST, Folder, FolderError, read_records
from roboinstruct_ros.evaluate.runs.prepared import Prepared, prepare, resumed
from roboinstruct_ros.evaluate.runs.record import Record


def ablate(asked: Asked, chosen: Set[str], only: Sequence[str], where: Where) -> ExitCode:
    """Evaluate every setting into a folder of its own, and print one table.

    Args:
        chosen: names in `asked` that were given on the command line.
        only: settings to evaluate; none for all.
    """
    if unknown := [name for name in only if name not in SETTINGS]:
        return bad_input(f"{unknown[0]}: no setting; there are {', '.join(SETTINGS)}")
    if where.resume:
        path = Path(where.resume).expanduser()
        begun = _begun(path, asked.settled(), chosen)
    else:
        path = Path(where.to).expanduser() if where.to else free_folder(asked, "ablations")
        begun = _begin(path, asked.settled(), only)
    again = f"eval ablate --resume {shlex.quote(str(path))}"
    for name, prepared in begun.items():
        evaluate_into(Folder(path / name), prepared, name, where, again)
    print(f"{_table(path, begun)}\n\n{path}")
    return ExitCode.SUCCESS


def _begin(path: Path, asked: Asked, only: Sequence[str]) -> dict[str, Prepared]:
    begun = {name: prepare(one) for name, one in ablations(asked, only).items()}
    for name, prepared in begun.items():
        Folder.make(path / name, prepared.manifest).close()
    return begun


def _begun(path: Path, asked: Asked, chosen: Set[str]) -> dict[str, Prepared]:
    names = [name for name in SETTINGS if (path / name / MANIFEST).exists()]
    if not names:
        raise FolderError(f"{path}: holds no ablations; begin them with --suite")
    varied = {what for change in SETTINGS.values() for what in change}
    return {name: resumed(path / name, asked, chosen - varied) for name in names}


def _table(path: Path, names: Iterable[str]) -> str:
    head = ("setting", "items", "pass@1", "invalid at first", "invalid in the end",
            "wrong, no note", "attempts", "s")  # fmt: skip
    rows = (_row(name, list(read_records(path / name))) for name in names)
    return Table("Parts left out", head, tuple(rows), below=INTERVALS).markdown()


def _row(name: str, records: Sequence[Record]) -> tuple[str, ...]:
    told = figures_of(records)
    shares = (told.pass_at[1], told.invalid.first, told.invalid.last, told.wrong_unnoted)
    means = (f"{told.attempts.mean:.1f}", f"{told.seconds.mean:.2f}")
    return (name, str(told.items), *(one.percent() for one in shares), *means)
