"""Lineage is read, followed to the root and drawn."""

from __future__ import annotations

import pytest

from roboinstruct_ros.evaluate.families.lineage import Change, Lineage, Step

STEPS = (
    Step("a-b", "a", Change.SEMANTIC, "b", {"from": 'the "x"', "to": "y"}),
    Step("a-b-c", "a-b", Change.BEHAVIOUR, "c"),
)


def test_it_is_read_as_it_is_written() -> None:
    assert Lineage.read([one.as_dict() for one in STEPS]).steps == STEPS


def test_a_task_knows_its_root_and_what_was_changed() -> None:
    lineage = Lineage(STEPS)
    assert lineage.root("a-b-c") == lineage.root("a") == "a"
    assert [step.change for step in lineage.path("a-b-c")] == [Change.SEMANTIC, Change.BEHAVIOUR]
    assert lineage.path("a") == []


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([{"task": "a"}], "lineage: 'change'"),
        ([{**STEPS[0].as_dict(), "change": "other"}], "not a valid Change"),
        ([{**STEPS[0].as_dict(), "colour": 1}], "colour"),
        ([{**STEPS[0].as_dict(), "parent": "a-b"}], "a-b is made of itself"),
    ],
)
def test_what_is_no_lineage_is_named(rows: list[dict[str, object]], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        Lineage.read(rows)


def test_it_is_drawn_with_an_arrow_for_each_kind_of_change() -> None:
    assert Lineage(STEPS).mermaid() == (
        "graph LR\n"
        "    a -->|\"b the 'x', y\"| a-b\n"
        '    a-b ==>|"c"| a-b-c\n'
    )  # fmt: skip
