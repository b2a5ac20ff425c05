"""No program that a real world breaks is accepted as "no world was left out"."""

from __future__ import annotations

import pytest
from breakable_programs import BREAKABLE, Breakable

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.policies import Policies, Policy
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.verifier import verify

DOMAIN = load_domain()
HOME = load_semantic_map(find_world("home"))


@pytest.mark.parametrize("program", BREAKABLE, ids=lambda program: program.name)
def test_a_program_that_breaks_is_not_accepted_as_exhausted(program: Breakable) -> None:
    rules = (Policy(name="rule", never=program.never),) if program.never else ()
    policies = Policies(policies=rules)
    world = HOME if program.closed else None
    verdict = verify(program.source, DOMAIN, world, policies, Budget(seconds=60.0))
    assert not (verdict.accepted and verdict.exhaustive), program.breaks
