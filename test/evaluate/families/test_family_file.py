"""Families are a suite like any other, with lineage, and the same again from the same seed."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.evaluate.families.family_file import drawing, families_of, write
from roboinstruct_ros.evaluate.families.lineage import Change
from roboinstruct_ros.evaluate.suite.judge import program_fault
from roboinstruct_ros.evaluate.suite.open_suite import UnknownSuite, open_suite
from roboinstruct_ros.evaluate.worlds.trials import Trials

SUITE = Path(__file__).parent / "small_family.yaml"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    to = tmp_path_factory.mktemp("families") / "families.yaml"
    write(families_of(SUITE, each=2, depth=2, seed=1), SUITE, to)
    return to


def test_what_is_written_is_a_suite_whose_references_are_right(written: Path) -> None:
    suite = open_suite(str(written))
    names = {case.name for case in suite.cases}
    assert "mug-for-bob" in names and "a-joke" not in names and len(names) > 20
    trials = Trials()
    faults = {case.name: program_fault(case, case.reference, trials) for case in suite.cases}
    trials.close()
    assert not [fault for fault in faults.values() if fault]


def test_every_task_but_the_roots_has_its_lineage(written: Path) -> None:
    suite = open_suite(str(written))
    steps = suite.lineage.steps
    assert {case.name for case in suite.cases} == {"mug-for-bob", *(one.task for one in steps)}
    assert {one.change for one in steps} == set(Change)
    assert {len(suite.lineage.path(one.task)) for one in steps} == {1, 2}
    assert {suite.lineage.root(one.task) for one in steps} == {"mug-for-bob"}
    drawn = drawing(written).read_text().splitlines()
    assert drawn[0] == "graph LR" and len(drawn) == 1 + len(steps)


def test_the_same_seed_writes_the_same_file(written: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.yaml"
    write(families_of(SUITE, each=2, depth=2, seed=1), SUITE, again)
    assert again.read_text() == written.read_text()


def test_families_of_families_begin_with_the_same_roots(written: Path) -> None:
    families = families_of(written, each=1, depth=1, seed=2)
    assert {step.parent for step in families.lineage.steps} == {"mug-for-bob"}


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ({"task": "mug-for-bab"}, "lineage[0].task: there is no task 'mug-for-bab'"),
        ({"parent": "nothing"}, "lineage[0].parent: 'nothing' is no task before 'mug-for-bob'"),
        ({"change": "other"}, "lineage[0].change"),
    ],
)
def test_lineage_that_cannot_be_is_named(tmp_path: Path, step: dict[str, str], told: str) -> None:
    values = yaml.safe_load(SUITE.read_text())
    right = {"task": "mug-for-bob", "parent": "a", "change": "world", "operator": "later"}
    path = tmp_path / "wrong.yaml"
    path.write_text(yaml.safe_dump({**values, "lineage": [{**right, **step}]}, sort_keys=False))
    with pytest.raises(UnknownSuite) as wrong:
        open_suite(str(path))
    assert told in str(wrong.value)


def test_what_is_no_suite_has_no_families(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        families_of(tmp_path / "none.yaml", 1, 1, 1)
