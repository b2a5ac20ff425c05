"""What Prometheus gets of the kiosk, and who else does not."""

from __future__ import annotations

from fake_link import FakeLink
from fastapi.testclient import TestClient

from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.execute.run_counters import RunCounters
from roboinstruct_ros.web.app import create_app

ROOMS = SemanticMap((Room("kitchen", (), Pose(1.0, 1.0, 0.0)),))


def page(link: FakeLink, counters: RunCounters | None) -> TestClient:
    metrics = counters.text if counters else None
    app = create_app(link, lambda: ROOMS, metrics=metrics)
    return TestClient(app, base_url="http://localhost:8080", client=("127.0.0.1", 50000))


def test_the_counters_are_there_as_prometheus_reads_them(link: FakeLink) -> None:
    counters = RunCounters(load_domain().skill_names)
    counters.note("run_finished", {"outcome": "succeeded", "error_code": 0}, 1000.0)
    with page(link, counters) as client:
        answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert 'roboinstruct_tasks_total{error="none",outcome="succeeded"} 1.0' in answer.text


def test_no_page_of_another_site_and_no_foreign_name_reads_them(link: FakeLink) -> None:
    with page(link, RunCounters(())) as client:
        assert client.get("/metrics", headers={"Host": "evil.example"}).status_code == 403
        foreign = {"Origin": "http://evil.example"}
        assert client.get("/metrics", headers=foreign).status_code == 403
        assert client.get("/metrics", headers={"Host": "192.0.2.7:8080"}).status_code == 200


def test_without_counters_there_is_nothing(link: FakeLink) -> None:
    with page(link, None) as client:
        assert client.get("/metrics").status_code == 404
