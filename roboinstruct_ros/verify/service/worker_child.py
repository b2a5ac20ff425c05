"""Verifies programs inside a confined child process, one after another."""

from __future__ import annotations

import gc
import signal
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter

from roboinstruct_ros.domain.policies import Policies
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.sandbox.confined_child import serve
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.sandbox.wire import TooLong, Wire
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.verifier import CheckedText, read_text, tree_of, verify_text

GRACE = 1.0
"""s of processor time beyond the budget before the process is killed"""

_GARBAGE = 5_000
"""Allocations between two garbage collections: fewer collections than by default."""

_MAP: TypeAdapter[SemanticMap | None] = TypeAdapter(SemanticMap | None)


def setup_message(
    domain: Domain, semantic_map: SemanticMap | None, policies: Policies, budget: Budget
) -> dict[str, Any]:
    """The rules, which the child receives before the first program."""
    return {
        "domain": domain.model_dump(mode="json", by_alias=True),
        "map": _MAP.dump_python(semantic_map, mode="json", exclude={"examples"}),
        "policies": policies.model_dump(mode="json"),
        "budget": asdict(budget),
    }


def main() -> None:
    serve(_answer)


def _answer(wire: Wire, limits: Limits) -> None:
    setup = wire.receive()
    domain = Domain.model_validate(setup["domain"])
    semantic_map = _MAP.validate_python(setup["map"])
    policies = Policies.model_validate(setup["policies"])
    budget = Budget(**setup["budget"])
    # one verification before the first request, so that every file has been read
    nothing = read_text("def task_program():\n    pass\n", domain, semantic_map)
    verify_text(nothing, policies, budget)
    # permanent objects need no scan at each garbage collection
    gc.collect()
    gc.freeze()
    gc.set_threshold(_GARBAGE)
    wire.send({"ready": True})
    read: dict[str, CheckedText] = {}
    while True:
        request: dict[str, Any] = wire.receive()
        calls = [SkillCall(**call) for call in request["calls"]]
        remains = tuple((tuple(fact), value) for fact, value in request["remains"])
        source = request["source"]
        # kills the process even within a single step that never checks the time
        signal.setitimer(signal.ITIMER_PROF, budget.seconds + GRACE)
        if source not in read:
            # later requests often concern the same program
            read = {source: read_text(source, domain, semantic_map)}
        if request.get("tree"):
            tree = tree_of(read[source], policies, budget, request["tree"])
            answer: Any = {"tree": tree and tree.model_dump(mode="json")}
        else:
            verdict = verify_text(
                read[source], policies, budget, calls, (), remains, request["behaviour"]
            )
            answer = {"verdict": verdict.model_dump(mode="json")}
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        try:
            wire.send(answer)
        except TooLong:
            for violation in answer.get("verdict", {}).get("violations", ()):
                if violation["counterexample"] is not None:
                    violation["counterexample"]["calls"] = ()
            wire.send(answer)
        gc.collect()  # now, so that it does not delay the next request
