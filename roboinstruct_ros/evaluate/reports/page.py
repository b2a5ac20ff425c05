"""An evaluation, or two side by side, as one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from roboinstruct_ros.evaluate.figures.comparison import Comparison
from roboinstruct_ros.evaluate.figures.estimate import Estimate
from roboinstruct_ros.evaluate.figures.figures import Figures
from roboinstruct_ros.evaluate.reports.comparing import OTHER_SUITE, by_task, sides, unpaired
from roboinstruct_ros.evaluate.reports.plots import differences, plots
from roboinstruct_ros.evaluate.reports.tables import OUTCOMES, Table, tables
from roboinstruct_ros.evaluate.runs.folder import NO_PROGRAM, Manifest
from roboinstruct_ros.evaluate.runs.record import Record

_HERE = Path(__file__).parent

MOST_SHOWN = 500
"""Most items of each group; browsers cannot open a page with all items of a large evaluation."""


def report_page(manifest: Manifest, figures: Figures, records: Sequence[Record]) -> str:
    """The figures as drawings and tables, and the result of each item, the wrong ones first."""
    wrong = [one for one in records if not one.right]
    right = [one for one in records if one.right]
    return rendered(
        _HERE / "report.html",
        suite=manifest.suite,
        model=Path(str(manifest.asked.get("model", ""))).name,
        missing=manifest.items - len(records),
        no_program=manifest.left_out.get(NO_PROGRAM, 0),
        figures=figures,
        tiles=_tiles(figures),
        plots=list(plots(figures, records)),
        tables=list(tables(figures)),
        wrong=wrong[:MOST_SHOWN],
        not_shown=len(wrong[MOST_SHOWN:]),
        right=right if len(right) <= MOST_SHOWN else [],
        asked=_asked(manifest),
    )


def comparison_page(names: tuple[str, str], comparison: Comparison) -> str:
    """The verdict, the difference by kind, and every item that changed with both programs.

    Args:
        names: of A and B.
    """
    return rendered(
        _HERE / "comparison.html",
        names=names,
        comparison=comparison,
        tables=[sides(comparison), by_task(comparison)],
        unpaired=unpaired(comparison),
        other_suite=OTHER_SUITE if comparison.other_suite else "",
        drawing=differences(comparison.by_kind, comparison.difference),
        changed=[
            ("Right in A, no longer in B", comparison.lost[:MOST_SHOWN], len(comparison.lost)),
            ("Right in B, not yet in A", comparison.won[:MOST_SHOWN], len(comparison.won)),
        ],
        beside=_beside,
    )


def rendered(template: Path, **values: Any) -> str:
    """Render a template, which may extend and import the templates in this folder."""
    style = Markup((_HERE / "style.css").read_text(encoding="utf-8"))  # ours, not from outside
    found = _environment(template.parent).get_template(template.name)
    return found.render(style=style, outcomes=OUTCOMES, **values)


@cache
def _environment(folder: Path) -> Environment:
    return Environment(
        loader=FileSystemLoader([folder, _HERE]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _tiles(figures: Figures) -> list[tuple[str, str, str]]:
    chosen: list[tuple[str, Estimate]] = [
        ("right (pass@1)", figures.pass_at[1]),
        ("wrong, no note", figures.wrong_unnoted),
        ("refused rightly", figures.refused_right),
        ("tasks refused", figures.refused_wrong),
    ]
    shown = [
        (name, f"{100 * one.value:.1f} %", f"{100 * one.low:.1f} to {100 * one.high:.1f}")
        for name, one in chosen
        if one.value is not None
    ]
    seconds = figures.seconds
    return [*shown, ("seconds, median", f"{seconds.median:.2f}", f"p95 {seconds.p95:.2f}")]


def _asked(manifest: Manifest) -> Table:
    told: list[tuple[str, Mapping[str, Any]]] = [
        ("", manifest.asked),
        ("SHA-256 of ", manifest.sha256),
        ("left out: ", manifest.left_out),
        ("version of ", manifest.versions),
    ]
    rows = tuple((f"{of}{name}", str(value)) for of, some in told for name, value in some.items())
    return Table("What was asked", ("", ""), rows)


def _beside(first: Record, second: Record) -> tuple[Markup, Markup]:
    """Both programs (else the answers), with marks on the lines that differ."""
    old, new = ((one.program or one.said).splitlines() for one in (first, second))
    left, right = Markup(), Markup()
    for change, i1, i2, j1, j2 in SequenceMatcher(None, old, new, False).get_opcodes():
        same = change == "equal"
        left += _marked(old[i1:i2], "" if same else "del")
        right += _marked(new[j1:j2], "" if same else "ins")
    return left, right


def _marked(lines: Sequence[str], tag: str) -> Markup:
    shown = (escape(line) for line in lines)
    if not tag:
        return Markup("").join(line + "\n" for line in shown)
    return Markup("").join(Markup(f"<{tag}>{line or ' '}</{tag}>") for line in shown)
