"""Every program in docs/verifier.md gets the verdict that the page says."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from roboinstruct_ros.commands.rules import read_rules
from roboinstruct_ros.verify.verifier import verify

PAGE = Path(__file__).resolve().parents[2] / "docs" / "verifier.md"
EXAMPLES = re.findall(r"```python (accepted|rejected)(.*?)\n(.*?)```", PAGE.read_text(), re.DOTALL)


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) >= 16
    assert len(EXAMPLES) == PAGE.read_text().count("```python")


@pytest.mark.parametrize(("status", "head", "source"), EXAMPLES)
def test_an_example_is_true(status: str, head: str, source: str) -> None:
    policies = tuple(re.findall(r'policy="(.*?)"', head))
    domain = "".join(re.findall(r"domain=(\w+)", head)) or "service_robot"
    rules = read_rules("home", "open" in head.split(), domain, "", policies)
    verdict = verify(source, rules.domain, rules.semantic_map, rules.policies)
    assert verdict.status.value == status, verdict.violations
    wanted = re.match(r" (\w+) (\d+)", head)
    if wanted:
        found = [(v.code.value, v.line) for v in verdict.violations]
        assert (wanted[1], int(wanted[2])) in found
    for taken in re.findall(r'takes="(.*?)"', head):
        assert taken in [assumption.message for assumption in verdict.assumptions]


def test_the_picture_is_that_of_its_program() -> None:
    (source,) = [source for _, head, source in EXAMPLES if "Coffee?" in source]
    rules = read_rules("home", False, "service_robot", "", ())
    verdict = verify(source, rules.domain, rules.semantic_map, rules.policies)
    picture = (PAGE.parent / "images" / "verify_tree.svg").read_text()
    assert f"{verdict.status.value}: " in picture
    for violation in verdict.violations:
        assert violation.counterexample is not None
        for step in violation.counterexample.steps[:-1]:
            assert html.escape(step) in picture, "draw it anew with verify --tree"
