"""No task of the shipped suite is like what models learn from, or are shown as an example."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from roboinstruct_ros.domain.files.world_names import find_world, shipped_worlds
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.evaluate.suite.open_suite import open_suite
from roboinstruct_ros.generate.prompts.examples import EXAMPLES
from roboinstruct_ros.learn.near_duplicates import MOST_SIMILAR, Pattern, pattern_of, similarity
from roboinstruct_ros.learn.pairs.draw_pair import make_pair
from roboinstruct_ros.learn.tasks.seed_file import read_seeds

REPOSITORY = Path(__file__).parents[2]
SEED = 15


def learned() -> Iterator[tuple[str, str]]:
    """Instructions and programs."""
    for index in range(600):
        pair = make_pair(SEED, index)
        yield pair.instruction, pair.program


def shown() -> Iterator[tuple[str, str]]:
    """Those in the prompt, in the worlds and in the README."""
    for example in EXAMPLES:
        first, program = example.split("\n", 1)
        yield first.removeprefix("# Instruction: "), program
    for world in shipped_worlds():
        for text in load_semantic_map(find_world(world)).examples:
            yield text, ""
    readme = (REPOSITORY / "README.md").read_text()
    for text in re.findall(r'"([A-Z][^"\n]+)"|\*([A-Z][^*\n]+)\*', readme):
        yield " ".join(text).strip(), ""


def seeds() -> Iterator[tuple[str, str]]:
    """Those that the first tasks of a pipeline are written after."""
    for seed in read_seeds("", "service_robot").seeds:
        yield seed.text, ""


@pytest.fixture(scope="module")
def asked() -> list[tuple[str, Pattern, Pattern]]:
    """Each phrasing, as it stands and with a placeholder for each name."""
    cases = open_suite("service").cases
    return [(c.text, pattern_of(c.text, ""), pattern_of(c.text, c.reference)) for c in cases]


@pytest.mark.parametrize("source", [learned, shown, seeds])
def test_no_phrasing_is_near_to_it(
    source: Callable[[], Iterator[tuple[str, str]]], asked: list[tuple[str, Pattern, Pattern]]
) -> None:
    known = [(text, pattern_of(text, ""), pattern_of(text, program)) for text, program in source()]
    assert len(known) > 10
    for text, plain, masked in known:
        for mine, my_plain, my_masked in asked:
            near = max(similarity(plain, my_plain), similarity(masked, my_masked))
            assert near < MOST_SIMILAR, (mine, text)
