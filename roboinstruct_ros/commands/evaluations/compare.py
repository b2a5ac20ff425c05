"""`roboinstruct eval compare`: whether one evaluation is better than another."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from roboinstruct_ros.commands.arguments import Json
from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.listing import console, table
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.evaluate.figures.comparison import Comparison, Pair, compared
from roboinstruct_ros.evaluate.reports.comparing import (
    OTHER_SUITE,
    as_values,
    by_kind,
    by_task,
    side,
    sides,
    unpaired,
)
from roboinstruct_ros.evaluate.reports.page import comparison_page
from roboinstruct_ros.evaluate.reports.write import read, write

_MOST_SHOWN = 3
"""Items per category whose programs a terminal shows."""


def compare_runs(
    a: Annotated[Path, typer.Argument(help="Folder of an evaluation.")],
    b: Annotated[Path, typer.Argument(help="Folder of another evaluation of the same suite.")],
    fail_if_worse: Annotated[
        float | None,
        typer.Option(
            help="Exit 1 if pass@1 of B is lower by more than this, e.g. 0.05; the interval does "
            "not count."
        ),
    ] = None,
    as_json: Json = False,
    html: Annotated[
        Path | None, typer.Option(help="Write the comparison as one HTML page.")
    ] = None,
) -> ExitCode:
    """Whether B is better than A, by how much, and which tasks changed their result."""
    if fail_if_worse is not None and not 0 <= fail_if_worse <= 1:
        raise InputError(f"--fail-if-worse {fail_if_worse}: not a share from 0 to 1, such as 0.05")
    names = (str(a), str(b))
    (was, first), (manifest, second) = read(a), read(b)
    other_suite = was.sha256.get("suite") != manifest.sha256.get("suite")
    comparison = compared(first, second, other_suite)
    if not comparison.pairs:
        raise InputError("\n".join([comparison.verdict, *unpaired(comparison)]))
    if fail_if_worse is not None and comparison.only_a:
        lacks = f"lacks {len(comparison.only_a)} of the {len(first)} items of {a}"
        if manifest.items > len(second):
            raise InputError(f"{b}: {lacks}; finish it with: roboinstruct eval --resume {b}")
        done = f"is complete with {len(second)}"
        raise InputError(f"{b}: {lacks}, and {done}; evaluate B on all the items of A")
    if html is not None:
        write(html, comparison_page(names, comparison))
    if as_json:
        print(json.dumps(as_values(names, comparison), indent=2))
    else:
        _tell(names, comparison)
    worse = fail_if_worse is not None and comparison.worse_by_more_than(fail_if_worse)
    return ExitCode.FAILED if worse else ExitCode.SUCCESS


def _tell(names: tuple[str, str], comparison: Comparison) -> None:
    print("\n".join((f"A: {names[0]}", f"B: {names[1]}", "", comparison.verdict, "")))
    told = (sides(comparison), by_kind(comparison), by_task(comparison))
    print("\n\n".join(table.markdown() for table in told if table.rows), end="\n\n")
    shown = console()
    _changed(shown, "right in A, no longer in B", comparison.lost)
    _changed(shown, "right in B, not yet in A", comparison.won)
    if comparison.other_suite:
        shown.print(f"[yellow]mind that {OTHER_SUITE}[/]", soft_wrap=True)
    for line in unpaired(comparison):
        shown.print(f"[yellow]not compared:[/] {escape(line)}", soft_wrap=True)


def _changed(shown: Console, title: str, pairs: Sequence[Pair]) -> None:
    if not pairs:
        return
    rows = table("A", "B", title=f"{len(pairs)} {title}", title_justify="left")
    for one, other in pairs[:_MOST_SHOWN]:
        key = one.key
        rows.add_row(f"[bold]{escape(one.text)}[/] {key.task} {key.phrasing}.{key.sample}")
        rows.add_row(*(escape(part) for part in (side(one)[0], side(other)[0])))
        rows.add_row(*(escape(part) for part in (side(one)[1], side(other)[1])), end_section=True)
    shown.print(rows)
    if len(pairs) > _MOST_SHOWN:
        shown.print(f"{len(pairs) - _MOST_SHOWN} more; --html and --json tell all")
