"""Replay results as JUnit XML for machines and as an HTML page for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from xml.etree import ElementTree

from roboinstruct_ros.domain.whole_text import in_xml
from roboinstruct_ros.trace.compared import Depth
from roboinstruct_ros.trace.regression import Outcome, Replayed

_JUNIT = {
    Outcome.DIFFERENT: ("failures", "failure"),
    Outcome.UNREADABLE: ("errors", "error"),
    Outcome.SKIPPED: ("skipped", "skipped"),
}


def junit(results: Sequence[Replayed]) -> str:
    """JUnit XML with one test case per bag and depth."""
    suite = ElementTree.Element("testsuite", name="roboinstruct replay", tests=str(len(results)))
    for outcome, (count, _) in _JUNIT.items():
        suite.set(count, str(sum(result.outcome is outcome for result in results)))
    for result in results:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=f"replay.{result.depth.value}",
            name=in_xml(result.folder.name),
            time=f"{result.duration:.3f}",
        )
        if result.outcome is not Outcome.SAME:
            _, kind = _JUNIT[result.outcome]
            ElementTree.SubElement(case, kind, message=in_xml(result.told))
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)


def counts(results: Iterable[Replayed]) -> list[tuple[str, list[int], float]]:
    """Per depth: name, number of results with each `Outcome`, and total duration in s."""
    by_depth: dict[Depth, list[Replayed]] = {}
    for result in results:
        by_depth.setdefault(result.depth, []).append(result)
    return [
        (
            depth.value,
            [sum(one.outcome is end for one in those) for end in Outcome],
            sum(one.duration for one in those),
        )
        for depth, those in by_depth.items()
    ]


def page(results: Sequence[Replayed]) -> str:
    """One self-contained HTML page, unexpected results first."""
    worst_first = sorted(results, key=lambda one: list(Outcome)[::-1].index(one.outcome))
    table = _rows("th", [("depth", *(one.value for one in Outcome), "s")])
    table += _rows("td", [(name, *ends, f"{took:.1f}") for name, ends, took in counts(results)])
    bags = _rows("th", [("bag", "depth", "outcome", "what", "s")]) + "".join(
        _row("td", (one.folder.name, one.depth.value, one.outcome.value, one.told,
                    f"{one.duration:.2f}"), one.outcome.value)
        for one in worst_first
    )  # fmt: skip
    return _PAGE.format(table=table, bags=bags)


def _rows(cell: str, rows: Iterable[Sequence[object]]) -> str:
    return "".join(_row(cell, row) for row in rows)


def _row(cell: str, values: Sequence[object], kind: str = "") -> str:
    cells = "".join(f"<{cell}>{escape(str(value))}</{cell}>" for value in values)
    return f'<tr class="{kind}">{cells}</tr>\n'


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Replayed runs</title>
<meta name="viewport" content="width=device-width"><style>
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem;
  color: #1c2024; background: #fff }}
table {{ border-collapse: collapse; margin: 1rem 0 2rem }}
th, td {{ text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0;
  border-bottom: 1px solid #d9dde1; white-space: nowrap }}
td:nth-child(4) {{ white-space: normal; overflow-wrap: anywhere; width: 100% }}
.different td:nth-child(3) {{ color: #b3261e; font-weight: 600 }}
.unreadable td:nth-child(3) {{ color: #8a5a00; font-weight: 600 }}
table.counts td {{ width: auto }}
.same {{ color: #5b6570 }}
</style></head><body>
<h1>Replayed runs</h1>
<table class="counts">
{table}</table>
<table>
{bags}</table>
</body></html>
"""
