"""Which instructions count as the same."""

from __future__ import annotations

from roboinstruct_ros.learn.families.families import Pair
from roboinstruct_ros.learn.near_duplicates import far_apart, pattern_of, similarity


def pair(instruction: str, *names: str, family: str = "tour") -> Pair:
    program = "def task_program():\n" + "".join(f'    go_to("{name}")\n' for name in names)
    return Pair(family, instruction, program)


def pattern(instruction: str, *names: str) -> tuple[str, ...]:
    return pattern_of(instruction, pair(instruction, *names).program)


def test_names_do_not_count() -> None:
    one = pattern("Go to the machine shop.", "machine shop")
    assert one == pattern("Go to the Zorblax.", "zorblax")


def test_the_office_of_somebody_counts_by_the_name() -> None:
    assert pattern("Ask Bob something.", "Bob's office")[1] == "_"


def test_similarity_is_one_less_the_share_of_words_to_edit() -> None:
    assert similarity(("go", "to", "_", "."), ("go", "to", "_", ".")) == 1.0
    assert similarity(("go", "to", "_", "."), ("drive", "to", "_", ".")) == 0.75
    assert similarity(("a", "b"), ("c", "d")) == 0.0


def test_what_differs_in_names_only_is_dropped() -> None:
    drawn = [
        pair("Go to the machine shop.", "machine shop"),
        pair("Go to the den.", "den"),
        pair("Would you have a look around in there, in the den I mean?", "den"),
    ]
    assert list(far_apart(drawn)) == [drawn[0], drawn[2]]


def test_another_family_is_another_matter() -> None:
    drawn = [pair("Go to the den.", "den"), pair("Go to the den.", "den", family="fetch")]
    assert list(far_apart(drawn)) == drawn
