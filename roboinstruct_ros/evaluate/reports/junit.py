"""The records as JUnit XML for CI servers: a test case for each item."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from roboinstruct_ros.domain.whole_text import in_xml
from roboinstruct_ros.evaluate.reports.tables import OUTCOMES
from roboinstruct_ros.evaluate.runs.record import Record


def junit(suite: str, records: Sequence[Record]) -> str:
    """Items that are not right are failures, with the reason and the program.

    Args:
        suite: its name.
    """
    failures = sum(not one.right for one in records)
    root = ElementTree.Element(
        "testsuite",
        name=in_xml(suite),
        tests=str(len(records)),
        failures=str(failures),
        errors="0",
        time=f"{sum(one.seconds for one in records):.3f}",
    )
    for record in records:
        _add(root, record)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True)


def _add(root: ElementTree.Element, record: Record) -> None:
    key = record.key
    case = ElementTree.SubElement(
        root,
        "testcase",
        classname=in_xml(f"{record.kind}.{key.task}"),
        name=in_xml(f"{key.phrasing}.{key.sample} {record.text}"),
        time=f"{record.seconds:.3f}",
    )
    if not record.right:
        why = ": ".join(part for part in (OUTCOMES[record.outcome], record.why) if part)
        failure = ElementTree.SubElement(
            case, "failure", type=record.outcome.value, message=in_xml(why)
        )
        failure.text = in_xml(record.program or record.said)
