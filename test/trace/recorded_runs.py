"""Bags of runs that the real task runner made, with skills that a test plays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stage import DOMAIN, FakeSkills, Stage, order

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.policies import NO_POLICIES, Policies
from roboinstruct_ros.domain.semantic_map import SemanticMap, load_semantic_map
from roboinstruct_ros.execute.task_run import TaskRun
from roboinstruct_ros.trace.bag import EVENT_TYPE, BagWriter, RecordedEvent, read_events, serialized
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
    words: str = "",
    remains: Remains = (),
    **options: Any,
) -> tuple[Path, TaskRun]:
    """The bag of a run, and the run.

    Args:
        during: called while the program runs.
        words: that a model has written the program from; it stood in the hallway then.
        remains: what earlier runs have left.
    """
    stage = Stage(
        skills,
        lambda source: verify(source, DOMAIN, semantic_map, policies, remains=remains),
        rules=Steady(Rules(semantic_map, policies, "")),
        remains=lambda: remains,
        **options,
    )
    if during is None:
        run = stage.run(body)
    else:
        thread, runs = stage.start(body)
        during(stage)
        thread.join()
        (run,) = runs
    written = writing(words, run.order.program_sha256) if words else []
    return bag_of(folder, [*written, *stage.events]), run


def writing(words: str, sha256: str) -> list[tuple[EventKind, dict[str, Any]]]:
    """What a generator told of it."""
    begun = {"instruction": words, "asked_by": "test", "model": "m", "follows": "", "found": []}
    return [
        (EventKind.GENERATION_STARTED, {**begun, "here": "hallway", "holding": ""}),
        (EventKind.GENERATION_FINISHED, {"program_sha256": sha256}),
    ]


def bag_of(folder: Path, events: list[tuple[EventKind, dict[str, Any]]]) -> Path:
    """A bag with these events, half a second from one to the next."""
    bag = BagWriter(folder, {TOPIC: EVENT_TYPE})
    for number, (kind, data) in enumerate(events):
        ns = 1_700_000_000_000_000_000 + number * 500_000_000
        task = order("").task_id
        event = RecordedEvent(number, "executor", "s1", ns * 1e-9, task, kind.value, data)
        bag.write(TOPIC, ns, serialized(event))
    bag.close()
    return folder


def paused(folder: Path, bag: Path, resumed: bool = True) -> Path:
    """A bag of the same run, held in its first call for half a second, or until the call ends."""
    flags = (True, False)[: 1 + resumed]
    return with_more(folder, bag, *((EventKind.RUN_PAUSED, {"paused": on}) for on in flags))


def with_more(folder: Path, bag: Path, *more: tuple[EventKind, dict[str, Any]]) -> Path:
    """A bag of the same run, with these events in its first call."""
    events = [(EventKind(one.kind), dict(one.data)) for one in read_events(bag)]
    at = [kind for kind, _ in events].index(EventKind.SKILL_STARTED) + 1
    return bag_of(folder, [*events[:at], *more, *events[at:]])
