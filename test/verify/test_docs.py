"""Every program in docs/verifier.md gets the verdict that the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.world_names import find_world
from roboinstruct_ros.verify.verifier import verify

PAGE = Path(__file__).resolve().parents[2] / "docs" / "verifier.md"
EXAMPLES = re.findall(r"```python (\w+) ?(\w*) ?(\d*)\n(.*?)```", PAGE.read_text(), re.DOTALL)


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) >= 6


@pytest.mark.parametrize(("status", "code", "line", "source"), EXAMPLES)
def test_an_example_is_true(status: str, code: str, line: str, source: str) -> None:
    verdict = verify(source, load_domain(), load_semantic_map(find_world("home")))
    assert verdict.status.value == status
    if code:
        assert (code, int(line)) in [(v.code.value, v.line) for v in verdict.violations]
