"""Runs of before are listed, replayed and taken along; tasks are deleted, shared and taken in."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from fake_link import PROGRAM, REJECTED, FakeLink, sha256
from fastapi.testclient import TestClient
from test_app import error_of, in_phase
from test_kept_tasks import FETCH, keep, words

from roboinstruct_ros.web.app import create_app

BAGS = Path(__file__).parents[1] / "bags"
FETCHED = "20260102T030405Z_brought"


@pytest.fixture
def recorded(runs: Path) -> None:
    for name, bag in ((FETCHED, "brought"), ("20260102T030406Z_failed", "failed")):
        shutil.copytree(BAGS / bag, runs / name)
    (runs / "broken").mkdir()
    (runs / "broken" / "x.mcap").write_bytes(b"cut off")


@pytest.mark.usefixtures("recorded")
def test_a_kiosk_that_has_just_started_lists_the_runs_on_the_disk(page: TestClient) -> None:
    failed, fetched = page.get("/api/v1/runs").json()
    assert (fetched["name"], fetched["outcome"]) == (FETCHED, "succeeded")
    assert fetched["words"] == "bring Ada in the living room a cup from the kitchen"
    assert fetched["duration"] > 1 and fetched["calls"] > 2
    assert failed["outcome"] == "failed" and "red cup" in failed["why"]
    assert [one["name"] for one in page.get("/api/v1/runs?words=ADA").json()] == [FETCHED]


@pytest.mark.usefixtures("recorded")
def test_a_replay_reaches_nothing_and_the_bag_is_the_recording(page: TestClient) -> None:
    replay = page.get(f"/api/v1/runs/{FETCHED}/replay")
    assert "sandbox allow-scripts;" in replay.headers["Content-Security-Policy"]
    assert "default-src 'none'" in replay.headers["Content-Security-Policy"]
    assert 'id="scrub"' in replay.text
    bag = page.get(f"/api/v1/runs/{FETCHED}/bag")
    assert bag.content == next((BAGS / "brought").glob("*.mcap")).read_bytes()
    for name in ("nobody", "..%2f..%2fetc", "broken"):
        assert error_of(page.get(f"/api/v1/runs/{name}/replay"), 404) == "NOT_FOUND"


def test_a_robot_that_has_recorded_nothing_has_no_runs(link: FakeLink, tmp_path: Path) -> None:
    app = create_app(link, lambda: None, runs=str(tmp_path / "none"))  # type: ignore[arg-type,return-value]
    with TestClient(app, base_url="http://localhost:8080", client=("127.0.0.1", 50000)) as page:
        assert page.get("/api/v1/runs").json() == []


def test_a_task_is_deleted(page: TestClient, library: Path) -> None:
    keep(library, "fetch", FETCH)
    assert page.delete("/api/v1/library/fetch").status_code == 200
    assert error_of(page.delete("/api/v1/library/fetch"), 404) == "NOT_FOUND"


def test_a_task_from_a_file_is_judged_and_approved_here(
    page: TestClient, link: FakeLink, library: Path
) -> None:
    keep(library, "fetch", FETCH)
    shared = page.get("/api/v1/library/fetch/file").json()
    assert shared == {"words": FETCH, "source": PROGRAM, "sha256": sha256()}
    page.delete("/api/v1/library/fetch")
    task = page.post("/api/v1/library", json=shared).json()
    assert link.shown[-1] == (task["id"], PROGRAM), "the executor has judged it"
    assert in_phase(page, task["id"], "ready")["text"] == FETCH
    assert words(page) == [FETCH] and not link.executed
    link.judges = [REJECTED]
    task = page.post("/api/v1/library", json=shared).json()
    in_phase(page, task["id"], "rejected")


def test_a_file_whose_program_was_changed_is_refused(page: TestClient) -> None:
    shared = {"words": FETCH, "source": PROGRAM + "#", "sha256": sha256()}
    assert error_of(page.post("/api/v1/library", json=shared), 422) == "BAD_REQUEST"
    source = PROGRAM + "\0"  # at which a ROS string ends, so another text would be judged
    shared = {"words": FETCH, "source": source, "sha256": sha256(source)}
    assert error_of(page.post("/api/v1/library", json=shared), 422) == "BAD_REQUEST"
    assert words(page) == []
