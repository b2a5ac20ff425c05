"""Every program in docs/verifier.md gets the verdict that the page says."""

from __future__ import annotations

import html
import re
from keyword import iskeyword
from pathlib import Path

import pytest

from roboinstruct_ros.commands.rules import read_rules
from roboinstruct_ros.verify.verifier import verify

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "verifier.md"
PACKAGE = ROOT / "roboinstruct_ros"
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


def spans(text: str) -> list[str]:
    """What stands between backquotes in the page's own words."""
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return re.findall(r"`([^`\n]+)`", re.sub(r"(?m)^    .*$", "", prose))


def test_files_named_there_exist() -> None:
    named = [span for span in spans(PAGE.read_text()) if re.fullmatch(r"[\w/]+\.(py|yaml)", span)]
    assert len(named) >= 15
    places = (ROOT, PACKAGE, PACKAGE / "verify")
    assert [file for file in named if not any((place / file).is_file() for place in places)] == []


def test_names_given_there_are_in_the_code() -> None:
    files = [*PACKAGE.rglob("*.py"), *(ROOT / "config").rglob("*.yaml")]
    code = set(re.findall(r"\w+", "\n".join(file.read_text() for file in files)))
    a_name = r"[A-Za-z_]*(?:_[a-z]|[a-z][A-Z])\w*"  # snake_case, _private, CamelCase
    named = [span for span in spans(PAGE.read_text()) if re.fullmatch(rf"(\w+\.)?{a_name}", span)]
    assert len(named) >= 25
    assert [name for name in named if name.split(".")[-1] not in code] == []


def test_names_beside_a_file_are_in_that_file() -> None:
    rows = [
        spans(row) for row in PAGE.read_text().splitlines() if re.match(r"\|[^|]+\| `\w+/", row)
    ]
    assert len(rows) >= 9
    for row in rows:
        files = [PACKAGE / "verify" / span for span in row if span.endswith(".py")]
        code = "".join(file.read_text() for file in files)
        names = [span.partition("(")[0] for span in row if not span.endswith(".py")]
        for name in (name for name in names if not iskeyword(name)):
            assert re.search(rf"(def|class) {name}\b|\b{name}\(", code), (name, row)
