"""Runs programs in made-up worlds inside a confined child, one after another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from roboinstruct_ros.evaluate.worlds.chance import ChanceWorld
from roboinstruct_ros.evaluate.worlds.processor_time import TimeUp, in_time
from roboinstruct_ros.evaluate.worlds.scripted import Facts, ScriptedWorld, Stuck
from roboinstruct_ros.sandbox.chance import seeded
from roboinstruct_ros.sandbox.confined_child import serve
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.sandbox.namespace import (
    FILENAME,
    SkillError,
    compile_program,
    program_namespace,
)
from roboinstruct_ros.sandbox.wire import Wire

_SKILLS = (
    "go_to", "pick", "place", "say", "ask", "is_in_room", "get_current_location", "get_all_rooms",
)  # fmt: skip
_WORLDS: dict[str, Callable[..., Any]] = {
    "chance": ChanceWorld,
    "scripted": lambda **facts: ScriptedWorld(Facts.read(facts)),
}


def main() -> None:
    serve(_answer)


def _answer(wire: Wire, limits: Limits) -> None:
    while True:
        request = wire.receive()
        worlds = [_WORLDS[kind](**facts) for kind, facts in request["worlds"]]
        seconds = request["seconds"]
        runs = [run_program(request["source"], world, seconds) for world in worlds]
        wire.send({"runs": runs})


_compiled = lru_cache(maxsize=1)(compile_program)
"""Compiled once for all worlds of a program."""


def run_program(source: str, world: Any, seconds: float) -> dict[str, Any]:
    """What a program does in a world; call it only in a confined process, or for trusted programs.

    Args:
        seconds: s of processor time that it may take.
    """
    fault = ""
    try:
        namespace = program_namespace(
            {name: getattr(world, name) for name in _SKILLS},
            sleep=world.sleep,
            print_=lambda text: None,
            clock=world.now,
            chance=seeded(1),
        )
        exec(_compiled(source), namespace)
        in_time(namespace["task_program"], seconds, FILENAME)
    except TimeUp:
        fault = f"it computes for more than {seconds:g} s"
    except Stuck as error:
        fault = str(error)
    except SkillError as error:
        failed = [one.line for one in getattr(world, "made", ()) if one.error]
        call = failed[-1] if failed else "the program"
        fault = f"{call} fails and nothing catches it: {error.code}, {error.message}"
    except Exception as error:  # a model's program may fail in any way
        fault = f"{type(error).__name__}: {error}"
    return {
        "calls": world.calls,
        "fault": fault[:300],
        "slept": getattr(world, "slept", 0.0),
        "made": [asdict(one) for one in getattr(world, "made", ())],
    }
