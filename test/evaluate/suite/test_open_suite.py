"""A set is opened by its name, or one line says why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from roboinstruct_ros.evaluate.suite.case import Case, Half, Place, Suite, half_of
from roboinstruct_ros.evaluate.suite.open_suite import READERS, UnknownSuite, open_suite

ROWS = """\
- text: Go to the kitchen.
  world: home
  ways: [[go_to kitchen]]
"""


def test_rows_are_all_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.yaml"
    path.write_text(ROWS)
    assert [case.text for case in open_suite(str(path)).cases] == ["Go to the kitchen."]


def test_of_what_others_have_made_only_the_measured_half_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place.of_names(["hall"], "hall")
    cases = tuple(Case(f"Sentence {n}", "kind", place) for n in range(50))
    monkeypatch.setitem(READERS, "made-up", lambda checkout: Suite(cases))
    found = open_suite(f"made-up:{tmp_path}").cases
    assert 10 < len(found) < 40
    assert {half_of(case.text) for case in found} == {Half.MEASURE}


def test_some_are_of_all_kinds_and_the_same_every_time() -> None:
    place = Place.of_names(["hall"], "hall")
    cases = [
        Case(f"{kind} {n}", kind, place)
        for kind, most in (("a", 90), ("b", 2))
        for n in range(most)
    ]
    some = Suite(tuple(cases)).some(8).cases
    assert [case.kind for case in some].count("b") == 2
    assert len(some) == 8
    assert Suite(tuple(reversed(cases))).some(8).cases == some


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "mystery:{folder}",
            "no suite; give a YAML file, or alfred:CHECKOUT, gpsr:CHECKOUT",
        ),
        ("gpsr:", "no suite; give a YAML file"),
        ("gpsr:{folder}", "cannot be read"),
        ("huric:{folder}", "there are no .hrc files"),
        ("slurp:{folder}", "cannot be read"),
        ("home-assistant:{folder}", "there are no files in"),
        ("{folder}/none.yaml", "cannot be read"),
    ],
)
def test_what_is_no_set_is_told_in_one_line(tmp_path: Path, name: str, told: str) -> None:
    named = name.format(folder=tmp_path)
    with pytest.raises(UnknownSuite) as fault:
        open_suite(named)
    assert str(fault.value).startswith(f"{named}: ")
    assert told in str(fault.value)
    assert "\n" not in str(fault.value)


def test_a_file_that_is_not_of_the_set_s_form_is_named(tmp_path: Path) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "1.hrc").write_text("<not closed")
    with pytest.raises(UnknownSuite, match=r"1\.hrc"):
        open_suite(f"huric:{tmp_path}")
