"""The tree of what was tried: paths share their beginnings, and every world is at a leaf."""

from __future__ import annotations

import pytest

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.policies import NO_POLICIES
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.verify.explore.tree import Node, NodeKind, Tree
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verifier import read_text, tree_of, verify

DOMAIN = load_domain()
HOME = load_semantic_map(find_world("home"))
ASKS_JACK = """def task_program():
    go_to("living room")
    if is_in_room("Jack"):
        say("Hello Jack")
    response = ask("Jack", "Want to play a game?", ["Yes", "No"])
"""
WAITS = """def task_program():
    go_to("kitchen")
    while not is_in_room("person"):
        time.sleep(5)
    say("welcome")
"""
SEARCHES = """def task_program():
    found = [room for room in get_all_rooms() if is_in_room("cup" + room)]
    if not found:
        place("cup")
"""


def tree(source: str, most: int = 500) -> Tree:
    found = tree_of(read_text(source, DOMAIN, HOME), NO_POLICIES, None, most)
    assert found is not None
    return found


def way(found: Tree, node: Node) -> list[str]:
    steps = [node.text]
    while node is not found.nodes[0]:
        node = found.nodes[node.parent]
        steps.insert(0, node.text)
    return steps[1:]


def test_calls_and_answers_stand_in_order_and_the_violation_at_the_end() -> None:
    found = tree(ASKS_JACK)
    (bad,) = [node for node in found.nodes if node.kind is NodeKind.VIOLATION]
    assert way(found, bad) == [
        "Line 2: go_to('living room').",
        "Line 3: is_in_room('Jack') answers False: Jack is not in the living room.",
        "Line 5: person_absent: Jack cannot be asked: Jack is not in the living room.",
    ]
    assert found.nodes[0].violations == 1
    assert len([node for node in found.nodes if "go_to" in node.text]) == 1, "it is shared"


@pytest.mark.parametrize("most", [500, 20])
@pytest.mark.parametrize("source", [ASKS_JACK, WAITS, SEARCHES])
def test_every_world_is_at_a_leaf(source: str, most: int) -> None:
    found, verdict = tree(source, most), verify(source, DOMAIN, HOME)
    parents = {node.parent for node in found.nodes[1:]}
    leaves = [node for number, node in enumerate(found.nodes) if number not in parents]
    assert all(node.kind is not NodeKind.STEP for node in leaves)
    assert sum(node.worlds for node in leaves) == found.nodes[0].worlds == verdict.paths
    assert sum(node.violations for node in leaves) == found.nodes[0].violations
    assert bool(found.nodes[0].violations) is not verdict.accepted


def test_a_state_that_comes_back_points_to_where_it_was() -> None:
    found = tree(WAITS)
    (again,) = [node for node in found.nodes if node.kind is NodeKind.AGAIN]
    assert again.target is not None
    there = way(found, found.nodes[again.target])
    assert there == way(found, again)[: len(there)]
    assert len(there) < len(way(found, again)) - 1


def test_worlds_that_go_on_as_others_do_point_there() -> None:
    found = tree(
        "def task_program():\n    for room in get_all_rooms():\n        go_to(room)\n"
        '        if is_in_room("cup"):\n            say(room)\n'
    )
    merged = [node for node in found.nodes if node.text == "as in another world"]
    assert len(merged) >= len(HOME.room_names) - 1
    for node in merged:
        assert node.target is not None
        assert found.nodes[node.target].text == found.nodes[node.parent].text, "the same call"


def test_a_wait_that_nothing_ends_is_a_violation() -> None:
    found = tree('def task_program():\n    while is_in_room("x") or True:\n        say("well")\n')
    assert found.nodes[0].violations > 0
    assert any("non_termination" in node.text for node in found.nodes)


def test_what_chance_decides_is_a_step() -> None:
    found = tree('def task_program():\n    if random.randint(1, 2) == 1:\n        say("one")\n')
    chance = [node.text for node in found.nodes if node.text.startswith("Chance")]
    assert chance == ["Chance: outcome 1 of 2.", "Chance: outcome 2 of 2."]


def test_a_full_tree_counts_what_it_does_not_show() -> None:
    found = tree(SEARCHES, 20)
    folded = [node for node in found.nodes if node.kind is NodeKind.FOLDED]
    assert folded and sum(node.worlds for node in folded) > 100
    assert sum(node.violations for node in folded) == found.nodes[0].violations > 0


def test_it_is_made_in_the_confined_process() -> None:
    worker = VerifierWorker(DOMAIN, HOME)
    try:
        assert worker.tree(WAITS, 500) == tree(WAITS)
        assert worker.tree("import os\n", 500) is None
        assert worker.verify(WAITS).accepted, "it verifies on"
    finally:
        worker.close()
