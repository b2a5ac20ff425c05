"""Verdicts in full, and policies on trial."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fake_link import PROGRAM
from fastapi.testclient import TestClient

API = "/api/v1/engineer"
DEAD = 'def task_program():\n    go_to("kitchen")\n    if False:\n        say("never")\n'


def attempt(page: TestClient, policy: str, source: str = PROGRAM) -> dict[str, Any]:
    answer = page.post(f"{API}/policies/try", json={"policy": policy, "source": source})
    assert answer.status_code == 200, answer.text
    trial: dict[str, Any] = answer.json()
    return trial


def test_a_verdict_tells_worlds_coverage_and_assumptions(page: TestClient) -> None:
    source = 'def task_program():\n    go_to("kitchen")\n    pick("apple")\n'
    verdict = page.post(f"{API}/verdict", json={"source": source}).json()
    assert (verdict["status"], verdict["exhaustive"], verdict["paths"] >= 1) == (
        "accepted", True, True,
    )  # fmt: skip
    assert verdict["assumptions"][0]["line"] == 3
    assert "apple" in verdict["assumptions"][0]["message"]
    dead = page.post(f"{API}/verdict", json={"source": DEAD}).json()
    coverage = dead["coverage"]
    assert coverage["lines_reached"] < coverage["lines"]
    assert [(one["code"], one["line"]) for one in dead["warnings"]] == [("unreachable_line", 4)]


def test_a_verdict_is_under_the_policies_of_now(page: TestClient, policies: Path) -> None:
    assert page.post(f"{API}/verdict", json={"source": PROGRAM}).json()["status"] == "accepted"
    policies.write_text(policies.read_text().replace("false", "true"))
    verdict = page.post(f"{API}/verdict", json={"source": PROGRAM}).json()
    assert verdict["status"] == "rejected"
    assert "people sleep" in verdict["violations"][0]["message"]


def test_rules_that_cannot_be_read_are_one_line(page: TestClient, policies: Path) -> None:
    policies.write_text("policies:\n  - name: quiet\n    nevr: say(...)\n")
    seen = page.get(f"{API}/policies").json()
    assert seen["policies"] == [] and "policies.yaml:3: " in seen["fault"]
    refused = page.post(f"{API}/verdict", json={"source": PROGRAM})
    assert refused.status_code == 422
    assert "did you mean 'never'" in refused.json()["message"]


def test_the_policies_are_listed_with_their_text_and_state(page: TestClient) -> None:
    [policy] = page.get(f"{API}/policies").json()["policies"]
    assert policy == {
        "name": "quiet", "text": "never say(...)", "because": "people sleep", "enabled": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    "policy",
    [
        "name: quiet\nnever: say(...)",
        "- name: quiet\n  never: say(...)\n  enabled: false",
        "policies:\n- {name: quiet, never: say(...)}",
        "# the night\n  name: quiet\n  never: say(...)",
    ],
)
def test_a_policy_on_trial_names_the_call_and_the_world(
    page: TestClient, policy: str, policies: Path
) -> None:
    before = policies.read_text()
    violation = attempt(page, policy)["verdict"]["violations"][0]
    assert violation["line"] == 3
    calls = violation["counterexample"]["calls"]
    assert [(call["skill"], call["line"]) for call in calls] == [("go_to", 2), ("say", 3)]
    assert policies.read_text() == before


def test_a_policy_that_the_program_keeps_accepts_it(page: TestClient) -> None:
    trial = attempt(page, 'name: no kitchen\nnever: go_to("hallway")')
    assert trial["verdict"]["status"] == "accepted"


@pytest.mark.parametrize(
    ("policy", "line", "told"),
    [
        ("name: quiet\nnevr: say(...)", 2, "did you mean 'never'"),
        ("- name: a\n  never: say(...)\n- name: b\n  never: sai(...)", 4, "sai"),
        ("never: say(...)", 1, "'name' is missing"),
        ('name: x\nnever: go_to("kichen")', 2, "did you mean 'kitchen'?"),
        ("name: [", 1, "not valid YAML"),
        ("", 1, ""),
        ("name: x\nnever: 5 >", 2, ""),
    ],
)
def test_a_fault_in_a_policy_is_told_at_its_line(
    page: TestClient, policy: str, line: int, told: str
) -> None:
    trial = attempt(page, policy)
    assert trial["verdict"] is None
    assert trial["line"] == line and told in trial["fault"] and trial["fault"]
    assert "\n" not in trial["fault"]
