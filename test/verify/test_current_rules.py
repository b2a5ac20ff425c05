"""Verdicts are made under the map and the policies that the files hold now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.files.rule_files import RuleFiles
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.verify.service.current_rules import CurrentRules, Rules

TALKS = 'def task_program():\n    say("hello")\n'
DRIVES = 'def task_program():\n    go_to("attic")\n'
QUIET = "policies:\n  - name: quiet\n    never: say(...)\n"
ROOM = "  - {{name: {0}, pose: {{x: 0.0, y: 0.0}}}}\n"


class Place:
    """Files of a map and of policies, and the rules that follow them."""

    def __init__(self, folder: Path) -> None:
        self.map, self.policies = folder / "map.yaml", folder / "policies.yaml"
        self.draw("hall")
        self.policies.write_text("policies: []\n")
        self.told: list[tuple[Rules, ConfigError | None]] = []
        self.meanwhile: Callable[[], object] = lambda: None
        self.rules = CurrentRules(
            RuleFiles(load_domain(), str(self.map), str(self.policies)),
            tell=lambda *told: self.told.append(told),
            wait=lambda seconds: self.meanwhile() and None,
        )

    def draw(self, *rooms: str) -> None:
        self.map.write_text("rooms:\n" + "".join(ROOM.format(room) for room in rooms))

    def codes(self, source: str) -> list[str]:
        return [violation.code.value for violation in self.rules.verify(source).violations]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path)
    yield place
    place.rules.close()


def test_a_program_is_judged_by_the_files_of_now(place: Place) -> None:
    assert (place.codes(TALKS), place.codes(DRIVES)) == ([], ["unknown_location"])
    place.policies.write_text(QUIET)
    place.draw("hall", "attic")
    assert (place.codes(TALKS), place.codes(DRIVES)) == (["policy_broken"], [])
    place.policies.write_text("policies: []\n")
    assert place.codes(TALKS) == []


@pytest.mark.parametrize(
    "scalar", ["2024-13-45", "9" * 5000, "!!float x", "!!int x", "!!bool x", "!!timestamp x"]
)
def test_a_value_that_is_none_is_told_and_a_mended_file_is_taken(place: Place, scalar: str) -> None:
    good = place.map.read_text()
    place.map.write_text(f"{good}extra: {scalar}\n")
    for _ in range(2):
        with pytest.raises(ConfigError, match=r"map\.yaml:3: .* is no "):
            place.rules.verify(TALKS)
    assert [str(fault).count("\n") for _, fault in place.told] == [0]
    place.map.write_text(good)
    assert place.codes(TALKS) == [] and place.told[-1][1] is None


def test_the_rest_of_a_program_is_judged_by_them_too(place: Place) -> None:
    said = SkillCall(0, "say", ("hello",), 2)
    source = TALKS + '    go_to("hall")\n'
    assert place.rules.verify_from([said], source).accepted
    place.draw("cellar")
    assert not place.rules.verify_from([said], source).accepted


def test_a_verdict_names_the_rules_it_was_made_under(place: Place) -> None:
    before = place.rules.verify(TALKS).rules_sha256
    assert before == place.rules.last.sha256
    place.policies.write_text("# only a remark\npolicies: []\n")
    place.map.write_text(place.map.read_text() + "examples: [Say hello]\n")
    assert place.rules.verify(TALKS).rules_sha256 == before
    assert not place.told
    place.policies.write_text(QUIET)
    after = place.rules.verify(TALKS).rules_sha256
    assert after not in ("", before)
    assert [(rules.sha256, fault) for rules, fault in place.told] == [(after, None)]


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("policies:\n  - name: [", 2, "policies.yaml"),
        ("policies:\n  - name: x\n    nevr: say(...)\n", 3, "never"),
        ("policies:\n  - name: x\n    never: go_to('hal')\n", 3, "did you mean 'hall'?"),
        ("", 1, "expected fields"),
        (None, 0, "no such file"),
    ],
)
def test_a_file_that_cannot_be_used_is_neither_taken_nor_passed_over(
    place: Place, text: str | None, line: int, told: str
) -> None:
    before = place.rules.last
    place.policies.unlink()
    if text is not None:
        place.policies.write_text(text)
    for _ in range(2):
        with pytest.raises(ConfigError) as caught:
            place.rules.verify(TALKS)
        message = str(caught.value)
        assert message.startswith(f"{place.policies}") and told in message and "\n" not in message
        assert caught.value.line == line
    assert place.rules.last == before and str(place.rules.fault) == message
    assert len(place.told) == 1
    assert place.rules.verify_rest((), TALKS).accepted, "a run goes on under the old ones"
    place.policies.write_text(QUIET)
    assert place.codes(TALKS) == ["policy_broken"]
    assert place.rules.fault is None


def test_what_is_still_being_written_is_not_taken(place: Place) -> None:
    place.policies.write_text("policies:\n")
    rest = iter([QUIET[:20], QUIET])
    place.meanwhile = lambda: place.policies.write_text(next(rest, QUIET))
    assert place.codes(TALKS) == ["policy_broken"]
    assert [fault for _, fault in place.told] == [None]


def test_a_file_that_never_stands_still_is_told(place: Place) -> None:
    count = iter(range(1000))
    place.policies.write_text(QUIET)
    place.meanwhile = lambda: place.policies.write_text(f"policies: []  # {next(count)}\n")
    with pytest.raises(ConfigError, match="do not stop changing"):
        place.rules.look()
    place.meanwhile = lambda: None
    assert place.codes(TALKS) == []
