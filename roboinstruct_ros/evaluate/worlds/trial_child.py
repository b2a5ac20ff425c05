"""Runs programs in made-up worlds inside a confined child, one after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from roboinstruct_ros.evaluate.worlds.chance import ChanceWorld
from roboinstruct_ros.evaluate.worlds.scripted import Facts, ScriptedWorld
from roboinstruct_ros.sandbox.chance import seeded
from roboinstruct_ros.sandbox.confined_child import serve
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.sandbox.namespace import compile_program, program_namespace
from roboinstruct_ros.sandbox.wire import Wire

_SKILLS = (
    "go_to", "pick", "place", "say", "ask", "is_in_room", "get_current_location", "get_all_rooms",
)  # fmt: skip
_WORLDS: dict[str, Callable[..., Any]] = {
    "chance": ChanceWorld,
    "scripted": lambda **facts: ScriptedWorld(Facts(**facts)),
}


def main() -> None:
    serve(_answer)


def _answer(wire: Wire, limits: Limits) -> None:
    while True:
        request = wire.receive()
        worlds = [_WORLDS[kind](**facts) for kind, facts in request["worlds"]]
        wire.send({"runs": [_run(request["source"], world) for world in worlds]})


def _run(source: str, world: Any) -> dict[str, Any]:
    fault = ""
    try:
        namespace = program_namespace(
            {name: getattr(world, name) for name in _SKILLS},
            sleep=world.sleep,
            print_=lambda *_, **__: None,
            clock=world.now,
            chance=seeded(1),
        )
        exec(compile_program(source), namespace)
        namespace["task_program"]()
    except Exception as error:  # a model's program fails in any way
        fault = f"{type(error).__name__}: {error}"[:300]
    return {"calls": world.calls, "fault": fault, "slept": getattr(world, "slept", 0.0)}
