"""Which names mean the same, and which mean whoever is there."""

from __future__ import annotations

import pytest

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.thing_names import ANYBODY, means_anybody, same_thing
from roboinstruct_ros.program.wording import one


@pytest.mark.parametrize("name", ["", "the person", "Somebody", " a  human", "anyone"])
def test_a_word_for_anybody_means_so_for_robot_verifier_and_plan(name: str) -> None:
    assert means_anybody(name) and load_domain().is_anybody(name)
    assert one(name) == "somebody"


@pytest.mark.parametrize("name", ["Alice", "person in red", "the"])
def test_a_name_means_nobody_else(name: str) -> None:
    assert not means_anybody(name) and not load_domain().is_anybody(name)


def test_the_shipped_skills_have_the_same_words() -> None:
    assert set(load_domain().anybody) == ANYBODY


@pytest.mark.parametrize(
    ("many", "one_of_them"),
    [("the Cups", "cup"), ("boxes", "a box"), ("bread knives", "bread knife"), ("men", "man"),
     ("Children", "child"), ("tomatoes", "tomato"), ("olives", "olive")],
)  # fmt: skip
def test_the_plural_means_the_same_things(many: str, one_of_them: str) -> None:
    assert same_thing(many, one_of_them)
