"""A check of a suite tries its references and programs that are one change away from them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from roboinstruct_ros.evaluate.suite.case import Suite
from roboinstruct_ros.evaluate.suite.checking import notes, reference_faults, shares, try_mutants
from roboinstruct_ros.evaluate.suite.mutants import MutantKind, mutants_of
from roboinstruct_ros.evaluate.suite.open_suite import open_suite
from roboinstruct_ros.evaluate.worlds.trials import Trials

SMALL = Path(__file__).with_name("small.yaml").read_text()


def suite_of(folder: Path, text: str) -> Suite:
    path = folder / "suite.yaml"
    path.write_text(text)
    return open_suite(str(path))


def sources(suite: Suite, kind: MutantKind) -> set[str]:
    found = [one for case in suite.cases[::5] for one in mutants_of(case, random.Random(1))]
    return {one.source for one in found if one.kind is kind}


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        (
            MutantKind.DROPPED,
            "    if is_in_room('pill box'):\n        pass\n        go_to('ward 1')",
        ),
        (MutantKind.DOUBLED, "        place('pill box')\n        place('pill box')"),
        (MutantKind.SWAPPED, "        go_to('ward 1')\n        pick('pill box')"),
        (MutantKind.NEGATED, "if not is_in_room('pill box')"),
        (MutantKind.NO_ELSE, "        place('pill box')\n"),
        (MutantKind.OPTION, "if answer == 'something'"),
        (MutantKind.OPTION, "'Have you eaten?', ['Yes'])"),
        (MutantKind.LIMIT, "range(2)"),
        (MutantKind.LIMIT, "range(4)"),
        (MutantKind.WORDS, "say('There is pill box in the pharmacy')"),
        (MutantKind.WORDS, "say('There is no gloves in the pharmacy')"),
    ],
)
def test_a_mutant_is_one_change_away(tmp_path: Path, kind: MutantKind, changed: str) -> None:
    found = sources(suite_of(tmp_path, SMALL), kind)
    assert any(changed in source for source in found), found
    if kind is MutantKind.NO_ELSE:
        assert any("else" not in source for source in found)


def test_a_name_becomes_another_one_of_its_kind(tmp_path: Path) -> None:
    found = sources(suite_of(tmp_path, SMALL), MutantKind.NAME)
    people = [source.split("ask('")[1].split("'")[0] for source in found if "ask('" in source]
    assert {"Bob", "Dora"} & set(people)
    assert set(people) <= {"Alice", "Bob", "Dora"}


def test_the_references_of_the_small_suite_hold(tmp_path: Path, trials: Trials) -> None:
    suite = suite_of(tmp_path, SMALL)
    assert not [*notes(suite), *reference_faults(suite, trials)]


def test_a_reference_that_is_wrong_is_told(tmp_path: Path, trials: Trials) -> None:
    text = SMALL.replace('          pick("pill box")', '          pick("pill bottle")')
    text = text.replace('answer == "Yes"', 'answer == "No"')
    faults = list(reference_faults(suite_of(tmp_path, text), trials))
    assert [fault.partition(":")[0] for fault in faults] == [
        "fetch-medicine", "fetch-medicine", "ask-before-the-tray-is-taken",
    ]  # fmt: skip
    assert "the verifier says rejected; line 6: The pill box cannot be put down" in faults[0]
    assert "in the world 'she has'" in faults[2]


def test_too_few_phrasings_and_worlds_and_near_duplicates_are_told(tmp_path: Path) -> None:
    said = "      - Water the plants on the roof.\n"
    text = SMALL.replace(said, said + "      - Water the plants on the roof!\n")
    text = text.replace("      - roof plants need watering, take care of it\n", "")
    text = text.replace(
        "      - Has Alice (ward 2) eaten? Ask, and carry the tray to reception if she did.\n", ""
    )
    begin = text.index("      - name: the tray slips once")
    text = text[:begin] + text[text.index("  - name: water-the-roof") :]
    assert [note.partition(" and '")[0] for note in notes(suite_of(tmp_path, text))] == [
        "ask-before-the-tray-is-taken: 4 phrasings, fewer than 5",
        "ask-before-the-tray-is-taken: 2 worlds, fewer than 3",
        "water-the-roof: near duplicates (100%): 'Water the plants on the roof.'",
    ]


def test_what_does_the_same_is_no_mutant_and_a_loose_suite_lets_others_live(
    tmp_path: Path, trials: Trials
) -> None:
    strict = list(try_mutants(suite_of(tmp_path, SMALL), 500, 1, trials))
    assert not [one for one in strict if "is_in_room" in one.mutant.change and not one.why]
    assert sum(bool(one.why) for one in strict) >= 0.9 * len(strict)
    loose = SMALL.replace("{says: pill box NOT}", "{says: box}").replace(
        "{exactly: 1, of: ask(...)}", '{exactly: 0, of: go_to("pharmacy")}'
    )
    lived = [one for one in try_mutants(suite_of(tmp_path, loose), 500, 1, trials) if not one.why]
    assert MutantKind.WORDS in {one.mutant.kind for one in lived}
    assert len(lived) > sum(not one.why for one in strict)
    told = shares(strict)
    assert sum(share.of for share in told.values()) == len(strict)


def test_the_same_seed_draws_the_same_mutants(tmp_path: Path, trials: Trials) -> None:
    suite = suite_of(tmp_path, SMALL)
    assert [*try_mutants(suite, 12, 3, trials)] == [*try_mutants(suite, 12, 3, trials)]
    assert len([*try_mutants(suite, 12, 3, trials)]) == 12
