"""A kiosk over a fake link, called as its own page calls it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fake_link import FakeLink
from fastapi import FastAPI
from fastapi.testclient import TestClient

from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap
from roboinstruct_ros.generate.rounds.progressive import RoundOptions
from roboinstruct_ros.web.app import create_app

OWN = "http://localhost:8080"

ROOMS = SemanticMap(
    (
        Room("kitchen", ("cooking area",), Pose(1.0, 1.0, 0.0), ((0, 0), (2, 0), (2, 2), (0, 2))),
        Room("hallway", (), Pose(3.0, 1.0, 0.0), ((2, 0), (4, 0), (4, 2), (2, 2))),
    )
)


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
def app(link: FakeLink, maps: list[SemanticMap], library: Path) -> FastAPI:
    hosts = ("robot.example",)
    return create_app(link, lambda: maps[-1], "home", hosts, library=str(library))


@pytest.fixture
def page(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, base_url=OWN) as client:
        yield client


@pytest.fixture
def page_with(link: FakeLink) -> Callable[[RoundOptions], TestClient]:
    """A kiosk with other bounds of its rounds; use it as a context manager."""
    return lambda rounds: TestClient(create_app(link, lambda: ROOMS, rounds=rounds), base_url=OWN)
