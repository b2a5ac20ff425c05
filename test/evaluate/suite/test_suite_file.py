"""A suite's file becomes cases, or one line says what is wrong with it and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.evaluate.suite.case import Case, Suite
from roboinstruct_ros.evaluate.suite.open_suite import UnknownSuite, open_suite

SMALL = Path(__file__).with_name("small.yaml")


@pytest.fixture(scope="module")
def small() -> Suite:
    return open_suite(str(SMALL))


def first(suite: Suite, task: str) -> Case:
    return next(case for case in suite.cases if case.name == task)


def test_each_phrasing_is_a_case_of_its_task(small: Suite) -> None:
    found = [(case.name, case.phrasing) for case in small.cases]
    tasks = ("fetch-medicine", "ask-before-the-tray-is-taken", "water-the-roof")
    assert found == [(task, number) for task in tasks for number in range(5)]
    assert len({case.text for case in small.cases}) == 15
    fetch = first(small, "fetch-medicine")
    assert (fetch.kind, fetch.parts, fetch.place.start) == ("fetching", 2, "reception")
    assert fetch.reference.startswith("def task_program():\n    go_to(")


def test_an_answer_in_words_is_wanted_without_worlds(small: Suite) -> None:
    case = first(small, "water-the-roof")
    assert case.wanted == {AnswerKind.CANNOT}
    assert not case.trials


def test_a_world_has_its_people_things_and_failures(small: Suite) -> None:
    trial = first(small, "ask-before-the-tray-is-taken").trials[2]
    facts = trial.facts(first(small, "ask-before-the-tray-is-taken").place)
    assert facts.here == {"ward 2": ["tray", "Alice"]}
    assert facts.rooms["front desk"] == "reception"
    assert facts.people_are_placed
    assert [(f.skill, f.code, f.times) for f in facts.fails] == [("pick", "grasp_failed", 1)]


def test_a_start_that_all_worlds_share_is_told_to_the_model(tmp_path: Path) -> None:
    text = SMALL.read_text().replace(
        "      - name: it is", "      - start: ward 1\n        name: it is"
    )
    case = first(opened(tmp_path, text), "fetch-medicine")
    assert case.place.start == "ward 1"
    assert first(opened(tmp_path, SMALL.read_text()), "fetch-medicine").place.start == "reception"


def opened(folder: Path, text: str) -> Suite:
    path = folder / "suite.yaml"
    path.write_text(text)
    return open_suite(str(path))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("kind: fetching", "knd: fetching", "tasks[0].knd: unknown field; did you mean 'kind'?"),
        ("place: hospital", "place: hospitl", "there is no place 'hospitl' here; did you mean"),
        ("start: reception", "start: recepton", "there is no room 'recepton' here; did you mean"),
        ("objects: {pharmacy: [pill", "objects: {farmacy: [pill",
         "worlds[0].objects.farmacy: there is no room 'farmacy' here; did you mean 'pharmacy'?"),
        ("people: {Alice: ward 2, Bob", "people: {Alic: ward 2, Bob", "there is no person 'Alic'"),
        ('"ward 1")\', \'not', '"wart 1")\', \'not', "goals[0]: there is no room 'wart 1' here"),
        ('in_room("gloves"', 'in_room("glove box"', "there is no object or person 'glove box'"),
        ('never: go_to("ward 2")', 'never: goto("ward 2")', "did you mean 'go_to'?"),
        ('never: go_to("ward 2")', 'never: go_to("ward 3")', "there is no room 'ward 3' here"),
        ('ask("Alice", ...)\', \'pick', 'ask("Alicia", ...)\', \'pick',
         "conditions[0].in_order[0]: there is no person 'Alicia' here; did you mean 'Alice'?"),
        ("{says: pill box NOT}", '{says: "pill (box"}', "has no regular expression"),
        ("exactly: 0, of", "exactly: -1, of", "conditions[0].exactly: "),
        ("{says: pill box NOT}", "{says: a, never: say(...)}", "the fields of one of these shapes"),
        ("code: GRASP_FAILED", "code: GRIP_FAILED", "did you mean 'grasp_failed'?"),
        ("code: GRASP_FAILED", "code: PERSON_LEFT", "pick fails with grasp_failed"),
        ("skill: pick,", "skill: pik,", "did you mean 'pick'?"),
        ("answer: cannot", "answer: can not", "did you mean 'cannot'?"),
        ("answer: cannot", "answer: cannot\n    choices: [a]", "only a question has choices"),
        ("    answer: cannot\n", "", "field 'program' is missing"),
        ("      go_to(\"pharmacy\")\n", "      go_to(\"pharmacy\"\n", "not Python: "),
        ("name: it is missing", "name: it is there", "worlds[1].name: 'it is there' is"),
        ("name: water-the-roof", "name: fetch-medicine", "'fetch-medicine' is given twice"),
        ("name: water-the-roof", "name: Water the roof", "tasks[2].name"),
        ("holding(\"*\")'", "holding(\"*\", \"*\")'", "holding takes 1 arguments, not 2"),
    ],
)  # fmt: skip
def test_a_fault_is_one_line_with_file_line_and_mend(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    text = SMALL.read_text()
    assert old in text
    with pytest.raises(UnknownSuite) as fault:
        opened(tmp_path, text.replace(old, new, 1))
    said = str(fault.value)
    assert told in said
    assert "\n" not in said
    line = int(said.removeprefix(f"{tmp_path}/suite.yaml:").partition(":")[0])
    at = text[: text.index(old)].count("\n") + 1
    assert at - 4 <= line <= at + 1, "the line of the fault, or of what it stands in"


def test_a_world_that_asks_for_nothing_is_refused(tmp_path: Path) -> None:
    text = SMALL.read_text()
    for line in (
        '      - never: go_to("ward 2")\n      - first: go_to("pharmacy")\n',
        "        goals: ['robot_at(\"ward 1\")']\n",
        "        conditions: [{says: pill box NOT}, {exactly: 1, of: say(...)}]\n",
    ):
        assert line in text
        text = text.replace(line, "")
    with pytest.raises(UnknownSuite, match=r"worlds\[1\]: any program is right here"):
        opened(tmp_path, text.replace("    conditions:\n    worlds:", "    worlds:"))
