"""A kiosk whose engineer may change a map and policies of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_link import FakeLink
from fastapi import FastAPI
from fastapi.testclient import TestClient

from roboinstruct_ros.domain.files.rule_files import RuleFiles
from roboinstruct_ros.domain.map_of_now import MapOfNow
from roboinstruct_ros.domain.skills import domain_named
from roboinstruct_ros.web.access.access import Access
from roboinstruct_ros.web.access.audit import AuditLog
from roboinstruct_ros.web.app import create_app
from roboinstruct_ros.web.engineer.workbench import Workbench

SITE = """\
# The flat on the third floor.
rooms:
  - name: kitchen
    aliases: [cooking area]
    pose: {x: 1, y: 1, yaw: 0}  # beside the sink
    polygon: [[0, 0], [2, 0], [2, 2], [0, 2]]
  - name: hallway
    pose: {x: 3, y: 1, yaw: 0}
    polygon: [[2, 0], [4, 0], [4, 2], [2, 2]]
known:
  objects: [apple, cup]
"""
POLICIES = """\
policies:
  - name: quiet
    because: people sleep
    never: say(...)
    enabled: false
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The map that the stack was started with."""
    path = tmp_path / "site" / "flat.yaml"
    path.parent.mkdir()
    path.write_text(SITE)
    return path


@pytest.fixture
def policies(tmp_path: Path) -> Path:
    path = tmp_path / "policies.yaml"
    path.write_text(POLICIES)
    return path


@pytest.fixture
def audit(tmp_path: Path) -> Path:
    return tmp_path / "audit.jsonl"


@pytest.fixture
def app(
    link: FakeLink, site: Path, policies: Path, library: Path, runs: Path, audit: Path
) -> FastAPI:
    files = RuleFiles(domain_named("service_robot"), str(site), str(policies))
    bench = Workbench(files, str(library), site.parent / "copies")
    return create_app(
        link, MapOfNow(site, print), "flat", library=str(library), runs=str(runs),
        access=Access(audit=AuditLog(audit)), bench=bench,
    )  # fmt: skip


@pytest.fixture
def page(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, base_url="http://localhost:8080", client=("127.0.0.1", 50000)) as client:
        yield client
