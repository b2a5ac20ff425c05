"""What a generation keeps of its drafts."""

from __future__ import annotations

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.generate.ledger import Ledger
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.verifier import verify


def test_a_draft_without_a_verdict_is_told_as_such() -> None:
    source = 'def task_program():\n    is_in_room("apple")\n'
    ledger = Ledger()
    ledger.reject(1, verify(source, load_domain(), budget=Budget(seconds=0.0)))
    (told,) = ledger.stats().rejected
    assert told.code == "undecided"
    assert "ran out of time" in told.message
