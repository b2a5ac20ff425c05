"""The map's editor over its requests: what is saved, what is refused, and what would break."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from devices_of_people import People
from fake_link import FakeLink, sha256
from fastapi.testclient import TestClient
from test_kept_tasks import keep
from waiting import until

from roboinstruct_ros.domain.files.rule_files import RuleFiles
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import domain_named
from roboinstruct_ros.sandbox.wire import WireTimeout
from roboinstruct_ros.web.access.roles import Role
from roboinstruct_ros.web.app import create_app
from roboinstruct_ros.web.engineer.workbench import Workbench

API = "/api/v1/engineer"
PLACE = {"do": "place_room", "room": "kitchen", "x": 0.5, "y": 1.5, "yaw": 1.57}


def save(page: TestClient, *changes: dict[str, Any], **more: Any) -> Any:
    base = more.pop("base", None) or page.get(f"{API}/map").json()["base"]
    return page.put(f"{API}/map", json={"base": base, "changes": list(changes), **more})


def undo(page: TestClient) -> Any:
    base = page.get(f"{API}/map").json()["base"]
    return page.post(f"{API}/map/undo", json={"base": base})


def checked(page: TestClient) -> dict[str, Any]:
    until(lambda: not page.get(f"{API}/library-check").json()["running"])
    state: dict[str, Any] = page.get(f"{API}/library-check").json()
    return state


def test_a_save_changes_the_file_and_what_the_page_draws(page: TestClient, site: Path) -> None:
    answer = save(page, PLACE, {"do": "add", "what": "people", "name": "Ann"})
    assert answer.status_code == 200, answer.text
    assert answer.json()["in_force"] and answer.json()["current"] == 2
    assert "# beside the sink" in site.read_text()
    rooms = load_semantic_map(site)
    assert (rooms.room("kitchen").pose.x, rooms.people) == (0.5, ("Ann",))
    drawn = page.get("/api/v1/map").json()["rooms"][0]
    assert drawn["pose"] == {"x": 0.5, "y": 1.5, "yaw": 1.57}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({**PLACE, "x": 9}, "pose: lies outside the polygon of 'kitchen'"),
        ({"do": "rename_room", "room": "hallway", "name": "Kitchen"}, "already a name of room"),
        ({"do": "rename_room", "room": "hallway", "name": " "}, "name"),
        ({"do": "rename_room", "room": "attic", "name": "loft"}, "no room is named 'attic'"),
        ({"do": "set_aliases", "room": "kitchen", "aliases": ["cooking area"]}, "nothing was"),
        ({"do": "add_room", "name": "Hallway", "x": 5, "y": 1}, "already a name of room 'hallway'"),
        ({"do": "add_room", "name": "cooking Area", "x": 5, "y": 1}, "already a name of room"),
        ({"do": "add_room", "name": " ", "x": 5, "y": 1}, "name"),
    ],
)
def test_what_the_loader_would_refuse_is_one_line_and_not_saved(
    page: TestClient, site: Path, change: dict[str, Any], told: str
) -> None:
    before = site.read_text()
    answer = save(page, change)
    assert answer.status_code == 422
    assert told in answer.json()["message"]
    assert site.read_text() == before
    assert sorted(path.name for path in site.parent.iterdir()) == ["flat.yaml"]


def test_every_save_is_a_version_and_undo_goes_back_one_by_one(
    page: TestClient, site: Path
) -> None:
    first = site.read_text()
    save(page, PLACE)
    second = site.read_text()
    save(page, {"do": "rename_room", "room": "hallway", "name": "corridor"})
    seen = page.get(f"{API}/map").json()
    assert [(one["number"], one["parent"]) for one in seen["versions"]] == [(1, 0), (2, 1), (3, 2)]
    assert seen["versions"][2]["what"] == "hallway: now corridor"
    assert seen["versions"][2]["by"] == "kiosk"
    assert undo(page).json()["current"] == 2
    assert site.read_text() == second
    assert undo(page).json()["undo"] is False
    assert site.read_text() == first
    assert undo(page).status_code == 409
    assert save(page, PLACE).json()["current"] == 4
    assert undo(page).json()["current"] == 1


def test_a_change_by_hand_is_a_version_too(page: TestClient, site: Path) -> None:
    save(page, PLACE)
    by_hand = site.read_text() + "# by hand\n"
    site.write_text(by_hand)
    assert page.get(f"{API}/map").json()["current"] == 0
    save(page, {**PLACE, "y": 0.5})
    assert undo(page).status_code == 200
    assert site.read_text() == by_hand


def test_a_line_that_was_cut_off_costs_no_other_version(page: TestClient, site: Path) -> None:
    save(page, PLACE)
    folder = site.parent / f"{site.stem}.versions"
    index = folder / "index.jsonl"
    index.write_bytes(index.read_bytes()[:-40] + b"\xc3")  # the power failed
    save(page, {**PLACE, "y": 0.5})
    copies = {one.name: one.read_bytes() for one in folder.glob("*.yaml")}
    seen = save(page, {**PLACE, "y": 0.6}).json()
    assert [one["number"] for one in seen["versions"]] == [1, 3, 4, 5]
    assert seen["current"] == 5
    assert copies.items() <= {one.name: one.read_bytes() for one in folder.glob("*.yaml")}.items()


def test_a_map_that_has_changed_since_is_not_overwritten(page: TestClient, site: Path) -> None:
    base = page.get(f"{API}/map").json()["base"]
    site.write_text(site.read_text() + "# by hand\n")
    answer = save(page, PLACE, base=base)
    assert answer.status_code == 409
    assert "load it again" in answer.json()["message"]


def test_kept_tasks_that_a_change_breaks_are_named(
    page: TestClient, site: Path, library: Path
) -> None:
    for room in ("hallway", "kitchen", "attic"):
        keep(library, room, f"Go to the {room}", f'def task_program():\n    go_to("{room}")\n')
    save(page, {"do": "rename_room", "room": "hallway", "name": "corridor"})
    state = checked(page)
    assert (state["done"], state["total"], state["fault"]) == (3, 3, "")
    found = {one["words"]: (one["before"], one["why"]) for one in state["broken"]}
    assert set(found) == {"Go to the hallway", "Go to the attic"}
    assert found["Go to the hallway"][0] is False and "hallway" in found["Go to the hallway"][1]
    assert found["Go to the attic"][0] is True
    undo(page)
    assert [one["words"] for one in checked(page)["broken"]] == ["Go to the attic"]
    save(page, {"do": "add_room", "name": "attic", "x": 6, "y": 1})
    assert checked(page)["broken"] == []
    save(page, {"do": "remove_room", "room": "kitchen"})
    broken = {one["words"]: one["before"] for one in checked(page)["broken"]}
    assert broken == {"Go to the kitchen": False}


def test_a_check_that_fails_ends_with_a_line(
    page: TestClient, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(library, "fetch", "Fetch the cup")

    def silent(*_: Any) -> None:
        raise WireTimeout

    monkeypatch.setattr("roboinstruct_ros.web.engineer.judge.VerifierWorker", silent)
    assert save(page, PLACE).status_code == 200
    assert "could not be verified" in checked(page)["fault"]


def test_the_map_does_not_change_below_a_run_unless_that_is_said(
    page: TestClient, link: FakeLink, site: Path
) -> None:
    task = page.post("/api/v1/tasks", json={"text": "Go to the kitchen."}).json()["id"]
    link.finish_generation(task)
    until(lambda: page.get(f"/api/v1/tasks/{task}").json()["phase"] == "ready")
    page.post(f"/api/v1/tasks/{task}/approve", json={"sha256": sha256()})
    before = site.read_text()
    answer = save(page, PLACE)
    assert (answer.status_code, answer.json()["error_name"]) == (409, "BUSY")
    assert "verified again" in answer.json()["message"]
    assert site.read_text() == before
    assert save(page, PLACE, during_run=True).status_code == 200
    assert site.read_text() != before


def test_a_map_that_ships_is_changed_in_a_copy(link: FakeLink, tmp_path: Path) -> None:
    shipped = shared_file("config/worlds/home.yaml")
    before = shipped.read_text()
    files = RuleFiles(domain_named("service_robot"), "home")
    app = create_app(link, None, bench=Workbench(files, copies=tmp_path / "maps"))
    with TestClient(app, base_url="http://localhost:8080", client=("127.0.0.1", 50000)) as page:
        seen = page.get(f"{API}/map").json()
        assert (seen["in_force"], seen["path"]) == (False, str(tmp_path / "maps" / "home.yaml"))
        assert save(page, {**PLACE, "x": 9}).status_code == 200
        room = {"do": "rename_room", "room": "garage", "name": "workshop"}
        assert save(page, room).json()["current"] == 3
    assert shipped.read_text() == before
    assert load_semantic_map(tmp_path / "maps" / "home.yaml").resolve("workshop")


def test_a_world_stays_one_that_can_be_simulated(link: FakeLink, tmp_path: Path) -> None:
    world = tmp_path / "home.yaml"
    shutil.copy(shared_file("config/worlds/home.yaml"), world)
    files = RuleFiles(domain_named("service_robot"), str(world))
    app = create_app(link, None, bench=Workbench(files))
    with TestClient(app, base_url="http://localhost:8080", client=("127.0.0.1", 50000)) as page:
        ghost = {"do": "add", "what": "people", "name": "Zoe", "room": "cellar"}
        answer = save(page, ghost)
        assert answer.status_code == 422
        assert "no room is named 'cellar'" in answer.json()["message"]
        assert save(page, {**ghost, "room": "garage"}).status_code == 200


def test_a_full_disk_is_told_and_leaves_the_map(
    page: TestClient, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = site.read_text()

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("roboinstruct_ros.web.engineer.map_file.os.fsync", full)
    answer = save(page, PLACE)
    assert (answer.status_code, answer.json()["error_name"]) == (503, "NOT_SAVED")
    assert "No space left" in answer.json()["message"]
    assert site.read_text() == before


def test_a_robot_without_a_map_says_so(link: FakeLink) -> None:
    app = create_app(link, None)
    with TestClient(app, base_url="http://localhost:8080", client=("127.0.0.1", 50000)) as page:
        assert page.get(f"{API}/map").json()["message"] == "this robot has no map"


def test_changes_are_for_engineers_and_recorded(people: People, audit: Path) -> None:
    base = people.here.ask("GET", "/engineer/map").json()["base"]
    edit = {"base": base, "changes": [PLACE]}
    assert people.let_in(Role.OPERATOR).ask("PUT", "/engineer/map", edit).status_code == 403
    eve = people.let_in(Role.ENGINEER, "Eve's laptop", "10.0.0.8")
    assert eve.ask("PUT", "/engineer/map", edit).status_code == 200
    lines = [json.loads(line) for line in audit.read_text().splitlines()]
    saved = [line for line in lines if line["what"] == "PUT /api/v1/engineer/map"]
    assert [(line["who"], line["status"]) for line in saved] == [
        ("Anna's tablet", 403), ("Eve's laptop", 200),
    ]  # fmt: skip
    assert saved[1]["changes"] == ["kitchen: placed at 0.5, 1.5, 1.57 rad"]
