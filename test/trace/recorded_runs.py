"""Bags of runs that the real task runner made, with skills that a test plays."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stage import DOMAIN, FakeSkills, Stage, order

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.policies import NO_POLICIES, Policies
from roboinstruct_ros.domain.semantic_map import SemanticMap, load_semantic_map
from roboinstruct_ros.domain.world_names import find_world
from roboinstruct_ros.execute.task_run import TaskRun
from roboinstruct_ros.trace.bag import EVENT_TYPE, BagWriter, typestore
from roboinstruct_ros.verify.service.current_rules import Rules
from roboinstruct_ros.verify.verifier import verify
from roboinstruct_ros.verify.world.remains import Remains

TOPIC = "/roboinstruct/events"
HOME = load_semantic_map(find_world("home"))


@dataclass
class Steady:
    """Rules that do not change."""

    last: Rules

    def look(self) -> Rules:
        return self.last


def recorded(
    folder: Path,
    body: str,
    skills: FakeSkills | None = None,
    semantic_map: SemanticMap | None = HOME,
    policies: Policies = NO_POLICIES,
    during: Callable[[Stage], None] | None = None,
    remains: Remains = (),
    **options: Any,
) -> tuple[Path, TaskRun]:
    """The bag of a run, and the run.

    Args:
        during: called while the program runs.
        remains: what earlier runs have left.
    """
    stage = Stage(
        skills,
        lambda source: verify(source, DOMAIN, semantic_map, policies, remains=remains),
        rules=Steady(Rules(semantic_map, policies, "")),
        **options,
    )
    stage.runner._policies.remains = remains
    if during is None:
        run = stage.run(body)
    else:
        thread, runs = stage.start(body)
        during(stage)
        thread.join()
        (run,) = runs
    return bag_of(folder, stage.events), run


def bag_of(folder: Path, events: list[tuple[EventKind, dict[str, Any]]]) -> Path:
    """A bag with these events, half a second from one to the next."""
    bag = BagWriter(folder, {TOPIC: EVENT_TYPE})
    types = typestore().types
    for number, (kind, data) in enumerate(events):
        ns = 1_700_000_000_000_000_000 + number * 500_000_000
        message = types[EVENT_TYPE](
            seq=number,
            source="executor",
            session="s1",
            stamp=types["builtin_interfaces/msg/Time"](sec=ns // 10**9, nanosec=ns % 10**9),
            task_id=order("").task_id,
            kind=kind.value,
            data=json.dumps(data),
        )
        bag.write(TOPIC, ns, bytes(typestore().serialize_cdr(message, EVENT_TYPE)))
    bag.close()
    return folder
