"""A kiosk over a fake link, called as its own page calls it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from devices_of_people import People
from fake_link import FakeLink
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import ValidationError
from still_clock import StillClock

from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap
from roboinstruct_ros.generate.rounds.progressive import RoundOptions
from roboinstruct_ros.web.app import create_app
from roboinstruct_ros.web.event_hub import EventHub
from roboinstruct_ros.web.messages import EventMessage

OWN = "http://localhost:8080"
HERE = ("127.0.0.1", 50000)
"""Where this machine's own page asks from."""

ROOMS = SemanticMap(
    (
        Room("kitchen", ("cooking area",), Pose(1.0, 1.0, 0.0), ((0, 0), (2, 0), (2, 2), (0, 2))),
        Room("hallway", (), Pose(3.0, 1.0, 0.0), ((2, 0), (4, 0), (4, 2), (2, 2))),
    )
)


@pytest.fixture(autouse=True)
def told_as_described(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every message to a page, in every test, is one of those that are described."""
    faults: list[str] = []
    offer = EventHub._offer

    def checked(hub: EventHub, message: dict[str, Any], may_skip: bool) -> None:
        try:
            EventMessage.validate_json(json.dumps(message))
        except ValidationError as error:
            faults.append(str(error))
        offer(hub, message, may_skip)

    monkeypatch.setattr(EventHub, "_offer", checked)
    yield
    assert not faults, faults[0]


@pytest.fixture
def people(app: FastAPI) -> Iterator[People]:
    """Devices of several people before one kiosk."""
    with People(app) as people:
        yield people


@pytest.fixture
def link() -> FakeLink:
    return FakeLink()


@pytest.fixture
def maps() -> list[SemanticMap]:
    """The last one is drawn."""
    return [ROOMS]


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Where the kiosk looks for tasks that were written before."""
    return tmp_path / "library.sqlite"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Where the kiosk looks for recorded runs."""
    return tmp_path / "runs"


@pytest.fixture
def clock() -> StillClock:
    """What scheduled tasks go by; the robot is in Berlin."""
    return StillClock()


@pytest.fixture
def steady(clock: StillClock) -> Callable[[], float]:
    """What announcements last by; here nobody sets the clock while there is one."""
    return clock


@pytest.fixture
def app(
    link: FakeLink,
    maps: list[SemanticMap],
    library: Path,
    runs: Path,
    clock: StillClock,
    steady: Callable[[], float],
) -> FastAPI:
    hosts, zone = ("robot.example",), ZoneInfo("Europe/Berlin")
    place = {"library": str(library), "runs": str(runs)}
    return create_app(
        link,
        lambda: maps[-1],
        "home",
        hosts,
        clock=clock,
        zone=zone,
        steady=steady,
        **place,  # type: ignore[arg-type]
    )


@pytest.fixture
def page(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, base_url=OWN, client=HERE) as client:
        yield client


@pytest.fixture
def page_with(link: FakeLink) -> Callable[[RoundOptions], TestClient]:
    """A kiosk with other bounds of its rounds; use it as a context manager."""
    return lambda rounds: TestClient(
        create_app(link, lambda: ROOMS, rounds=rounds), base_url=OWN, client=HERE
    )
