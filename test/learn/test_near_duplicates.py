"""Which instructions count as the same."""

from __future__ import annotations

from roboinstruct_ros.learn.near_duplicates import Kept, pattern_of, similarity


def pattern(instruction: str, *names: str) -> tuple[str, ...]:
    calls = "".join(f'    go_to("{name}")\n' for name in names)
    return pattern_of(instruction, f"def task_program():\n{calls}")


def test_names_do_not_count() -> None:
    one = pattern("Go to the machine shop.", "machine shop")
    assert one == pattern("Go to the Zorblax.", "zorblax")


def test_the_office_of_somebody_counts_by_the_name() -> None:
    assert pattern("Ask Bob something.", "Bob's office")[1] == "_"


def test_similarity_is_one_less_the_share_of_words_to_edit() -> None:
    assert similarity(("go", "to", "_", "."), ("go", "to", "_", ".")) == 1.0
    assert similarity(("go", "to", "_", "."), ("drive", "to", "_", ".")) == 0.75
    assert similarity(("a", "b"), ("c", "d")) == 0.0


def test_what_differs_in_names_only_is_near() -> None:
    kept = Kept()
    kept.add("tour", pattern("Go to the machine shop.", "machine shop"))
    assert kept.is_near("tour", pattern("Go to the den.", "den"))
    other = "Would you have a look around in there, in the den I mean?"
    assert not kept.is_near("tour", pattern(other, "den"))


def test_another_family_is_another_matter() -> None:
    kept = Kept()
    kept.add("tour", pattern("Go to the den.", "den"))
    assert not kept.is_near("fetch", pattern("Go to the den.", "den"))
