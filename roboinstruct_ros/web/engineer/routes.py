"""Routes of the engineer's view; each takes the role engineer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import Field

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.web.access.access import Engineer
from roboinstruct_ros.web.api_models import ClosedValue
from roboinstruct_ros.web.engineer.judge import PoliciesSeen, PolicyTrial
from roboinstruct_ros.web.engineer.library_check import CheckState
from roboinstruct_ros.web.engineer.map_change import MapChange
from roboinstruct_ros.web.engineer.map_editor import MapSeen
from roboinstruct_ros.web.engineer.stack_record import (
    EventsSeen,
    GenerationSeen,
    NodeSeen,
    StackRecord,
)
from roboinstruct_ros.web.engineer.workbench import Workbench
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

Source = Annotated[str, Field(max_length=20_000)]


class JudgedText(ClosedValue):
    """A program's text."""

    source: Source


class TriedPolicy(ClosedValue):
    """A policy as YAML, and the program that it is held against."""

    policy: Annotated[str, Field(max_length=20_000)]
    source: Source


class MapEdit(ClosedValue):
    """What is changed in the map that `base` names; `during_run` also below a running task."""

    base: str
    changes: Annotated[list[MapChange], Field(min_length=1, max_length=50)]
    during_run: bool = False


class MapUndo(ClosedValue):
    """The version in the map that `base` names is put away."""

    base: str
    during_run: bool = False


def offer_engineer(
    api: APIRouter,
    bench: Workbench,
    record: StackRecord,
    nodes: Callable[[], list[NodeSeen]],
    running: Callable[[], bool],
) -> None:
    """Adds them.

    Args:
        nodes: every node as it is now.
        running: whether a task runs.
    """
    _offer_seen(api, record, nodes)
    _offer_judged(api, bench)
    _offer_map(api, bench, running)


def _offer_seen(api: APIRouter, record: StackRecord, nodes: Callable[[], list[NodeSeen]]) -> None:
    @api.get("/engineer/events")
    async def events(_: Engineer, after: Annotated[int, Query(ge=0)] = 0) -> EventsSeen:
        """The stack's last events but `tokens`, with numbers after the given one."""
        return record.events(after)

    @api.get("/engineer/generations")
    async def generations(_: Engineer) -> list[GenerationSeen]:
        """What the writing of the last programs took, the last one first."""
        return record.generations()

    @api.get("/engineer/nodes")
    async def all_nodes(_: Engineer) -> list[NodeSeen]:
        """Every node: whether it is heard, and what it says of itself."""
        return nodes()


def _offer_judged(api: APIRouter, bench: Workbench) -> None:
    @api.post("/engineer/verdict")
    def verdict(text: JudgedText, _: Engineer) -> Verdict:
        """The whole verdict on a program under the rules of now; nothing is saved."""
        with _told():
            return bench.judge.verdict(text.source)

    @api.get("/engineer/policies")
    def policies(_: Engineer) -> PoliciesSeen:
        """The policies as their file has them now."""
        return bench.judge.policies()

    @api.post("/engineer/policies/try")
    def attempt(tried: TriedPolicy, _: Engineer) -> PolicyTrial:
        """What a policy says of a program; nothing is saved."""
        with _told():
            return bench.judge.trial(tried.policy, tried.source)

    @api.get("/engineer/library-check")
    async def check(_: Engineer) -> CheckState:
        """Which kept tasks are not accepted under the map that was saved last."""
        return bench.check.state


def _offer_map(api: APIRouter, bench: Workbench, running: Callable[[], bool]) -> None:
    @api.get("/engineer/map")
    def see(_: Engineer) -> MapSeen:
        """The map with its versions."""
        with _told():
            return bench.editor.see()

    @api.put("/engineer/map")
    async def save(edit: MapEdit, by: Engineer, request: Request) -> MapSeen:
        """Saves changes of the map as a new version, and has the kept tasks verified again."""
        request.state.told = {"changes": [str(change)[:300] for change in edit.changes]}
        changes, during_run = edit.changes, edit.during_run
        with _told():
            return await asyncio.to_thread(
                bench.editor.save, edit.base, changes, by.name, running(), during_run
            )

    @api.post("/engineer/map/undo")
    async def undo(back: MapUndo, _: Engineer) -> MapSeen:
        """Puts the version before back, and has the kept tasks verified again."""
        with _told():
            return await asyncio.to_thread(bench.editor.undo, back.base, running(), back.during_run)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise WebError(WebErrorCode.BAD_REQUEST, str(error)) from None
