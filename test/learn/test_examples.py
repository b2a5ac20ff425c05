"""The stream of training examples: repeatable, and with both kinds."""

from __future__ import annotations

from collections import Counter

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.learn.draw import Split
from roboinstruct_ros.learn.examples import SHARES, Kind, example_of, make_example

DOMAIN = load_domain()


def test_an_example_follows_from_its_number() -> None:
    one = [make_example(3, index, DOMAIN) for index in range(60)]
    assert one == [make_example(3, index, DOMAIN) for index in range(60)]
    assert one != [make_example(4, index, DOMAIN) for index in range(60)]


def test_the_kinds_come_in_their_shares() -> None:
    count = 600
    found = Counter(make_example(3, index, DOMAIN)[0] for index in range(count))
    for kind, share in SHARES.items():
        assert abs(found[kind] / count - share) < 0.05


def test_every_kind_can_be_asked_for_with_unseen_names() -> None:
    for kind in Kind:
        example = example_of(kind, 3, 1, DOMAIN, Split.UNSEEN_NAMES)
        assert example.prompt.endswith("def task_program():\n")
        assert example.completion.startswith("    ")
