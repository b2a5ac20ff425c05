"""`roboinstruct learn ablate`: what each part of the method contributes, in one table."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.box import SIMPLE
from rich.markup import escape
from rich.table import Table

from roboinstruct_ros.commands.ending import FAULTS, ExitCode, save
from roboinstruct_ros.commands.learning.app import How
from roboinstruct_ros.commands.learning.running import going_on, opened, workers
from roboinstruct_ros.commands.listing import console
from roboinstruct_ros.learn.ablations.run import ABLATIONS, run_setting
from roboinstruct_ros.learn.ablations.settings import settings
from roboinstruct_ros.learn.ablations.table import Row, ablation_rows, ablation_table
from roboinstruct_ros.learn.pipeline.run import run_steps

_JSON = "ablations.json"


def ablate(config_or_run: Path, only: Sequence[str], how: How, as_json: bool) -> ExitCode:
    """Complete a run and its ablation settings; a setting that fails is reported and skipped."""
    config, folder = opened(config_or_run, how)
    changed = settings(config, only)
    failed = False
    with going_on(folder, "learn ablate"):
        run_steps(config, folder, workers(how), config.steps, how.redo)
        for name, one in changed.items():
            print(f"{name}:", file=sys.stderr)
            try:
                run_setting(name, one, folder, workers(how), how.redo)
            except FAULTS as error:
                print(error, file=sys.stderr)
                failed = True
    found = ablation_rows(folder)
    text = json.dumps([asdict(one) for one in found], indent=2)
    save(folder / ABLATIONS / _JSON, f"{text}\n")
    if as_json:
        print(text)
    else:
        _tell(found)
    return ExitCode.FAILED if failed else ExitCode.SUCCESS


def _tell(found: Sequence[Row]) -> None:
    told = ablation_table(found)
    table = Table(*told.head, box=SIMPLE, pad_edge=False)
    for row in told.rows:
        table.add_row(*map(escape, row))
    shown = console()
    shown.print(table)
    shown.print(told.below, markup=False)
