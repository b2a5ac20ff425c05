"""What holds on roots, and how much of it on what was made of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_up import folder_of, passed

from roboinstruct_ros.evaluate.families.generalization import generalization
from roboinstruct_ros.evaluate.families.lineage import Change, Lineage, Step
from roboinstruct_ros.evaluate.figures.figures import figures_of
from roboinstruct_ros.evaluate.reports.table import told
from roboinstruct_ros.evaluate.reports.write import HTML, JSON, write_reports

LINEAGE = Lineage(
    (
        Step("a-w", "a", Change.WORLD, "other-start"),
        Step("b-w", "b", Change.WORLD, "other-start"),
        Step("a-s", "a", Change.SEMANTIC, "other-thing"),
        Step("a-w-b", "a-w", Change.BEHAVIOUR, "silent"),
        Step("a-w-w", "a-w", Change.WORLD, "later"),
        Step("c-w", "c", Change.WORLD, "later"),
    )
)
RECORDS = [
    *(passed(task, phrasing, True) for task in ("a", "b", "a-s") for phrasing in range(4)),
    *(passed("a-w", phrasing, phrasing < 3) for phrasing in range(4)),
    *(passed("b-w", phrasing, phrasing < 1) for phrasing in range(4)),
    *(passed("a-w-b", phrasing, False) for phrasing in range(4)),
    *(passed("a-w-w", phrasing, True) for phrasing in range(4)),
    *(passed("c-w", phrasing, True) for phrasing in range(4)),
]


def test_tasks_are_told_by_what_was_changed_and_how_far_from_the_root() -> None:
    groups = generalization(RECORDS, LINEAGE)
    assert [(group.name, group.tasks) for group in groups] == [
        ("as written", 2),
        ("semantic, 1 step", 1),
        ("world, 1 step", 3),
        ("world, 2 steps", 1),
        ("world + behaviour, 2 steps", 1),
    ]
    assert [group.right.value for group in groups] == [1.0, 1.0, pytest.approx(2 / 3), 1.0, 0.0]


def test_a_change_is_held_against_the_same_families_roots() -> None:
    worlds = generalization(RECORDS, LINEAGE)[2]
    assert worlds.against_root.value == pytest.approx(-0.5)  # c was not evaluated as written
    assert worlds.against_root.count == 8
    assert generalization(RECORDS, LINEAGE)[0].against_root.value is None


def test_families_are_drawn_whole() -> None:
    """Two tasks of one root tell no more than one does."""
    one, two = (
        generalization(
            [passed(task, n, n % 2 == 0) for task in tasks for n in range(4)],
            Lineage(tuple(Step(task, task[0], Change.WORLD, "x") for task in tasks)),
        )[0].right
        for tasks in (("a1", "b1"), ("a1", "a2", "a3", "b1", "b2", "b3"))
    )
    assert one.high - one.low == pytest.approx(two.high - two.low, abs=0.35)


def test_other_suites_have_no_such_section() -> None:
    assert figures_of(RECORDS).generalization == ()
    assert "Generalization" not in told(figures_of(RECORDS))
    assert "| world, 2 steps | 1 | 100 %" in told(figures_of(RECORDS, LINEAGE))


def test_the_reports_of_a_folder_show_it_by_the_lineage_in_its_manifest(tmp_path: Path) -> None:
    folder_of(tmp_path, RECORDS)
    manifest = tmp_path / "manifest.json"
    values = json.loads(manifest.read_text())
    values["lineage"] = [step.as_dict() for step in LINEAGE.steps]
    manifest.write_text(json.dumps(values))
    write_reports(tmp_path)
    assert len(json.loads((tmp_path / JSON).read_text())["figures"]["generalization"]) == 5
    page = (tmp_path / HTML).read_text()
    assert "Right, by kind of change and distance from the root" in page
    assert "world + behaviour, 2 steps" in page
