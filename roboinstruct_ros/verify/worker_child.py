"""Verifies programs inside a confined child, one after another."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.sandbox.confined_child import serve
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.sandbox.wire import Wire
from roboinstruct_ros.verify.explorer import Budget
from roboinstruct_ros.verify.verifier import verify

MAP_ADAPTER: TypeAdapter[SemanticMap | None] = TypeAdapter(SemanticMap | None)
"""How a map crosses the pipe."""


def main() -> None:
    serve(_answer)


def _answer(wire: Wire, limits: Limits) -> None:
    setup = wire.receive()
    domain = Domain.model_validate(setup["domain"])
    semantic_map = MAP_ADAPTER.validate_python(setup["map"])
    budget = Budget(**setup["budget"])
    # once before the first request, so that nothing is left to be read from disk
    verify("def task_program():\n    pass\n", domain, semantic_map, budget)
    wire.send({"ready": True})
    while True:
        request: dict[str, Any] = wire.receive()
        verdict = verify(request["source"], domain, semantic_map, budget)
        wire.send({"verdict": verdict.model_dump(mode="json")})
