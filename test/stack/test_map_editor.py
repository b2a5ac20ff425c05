"""The map is changed on the engineer's page of a whole stack, and its executor follows."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from chromium import chromium
from playwright.sync_api import expect
from running_stack import wait_up
from waiting import until

from roboinstruct_ros.domain.files.shared_files import shared_file

GO = 'def task_program():\n    go_to("{}")\n'


@pytest.mark.stack
def test_the_executor_judges_by_the_map_that_was_saved(
    stack_process: Callable[..., subprocess.Popen[bytes]],
    ros_domain: int,
    port: int,
    tmp_path: Path,
) -> None:
    world = tmp_path / "home.yaml"
    shutil.copy(shared_file("config/worlds/home.yaml"), world)
    stack = ("up", "--port", str(port), "--world", str(world), "--speed", "0")
    up = stack_process("roboinstruct_ros.cli", *stack)
    wait_up(lambda: stack_process.log_of(up))  # type: ignore[attr-defined]

    def ask(method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        url = f"http://127.0.0.1:{port}/api/v1{path}"
        request = urllib.request.Request(url, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def judged(room: str) -> str:
        source = GO.format(room)
        shared = {"words": f"Go to {room}", "source": source}
        shared["sha256"] = hashlib.sha256(source.encode()).hexdigest()
        task = ask("POST", "/library", shared)["id"]
        place = f"/tasks/{task}"
        until(lambda: ask("GET", place)["phase"] != "writing", "the executor has judged")
        phase = str(ask("GET", place)["phase"])
        ask("POST", f"{place}/discard")
        return phase

    assert judged("garage") == "ready"
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(f"http://127.0.0.1:{port}/engineer#nodes")
        executor = page.locator("#nodes-list > li").filter(has_text="executor")
        expect(executor).to_contain_text("ok policies: 0 hold")
        page.get_by_role("link", name="Map").click()
        page.locator("#room-chosen").select_option("garage")
        page.locator("#room-name").fill("workshop")
        page.get_by_role("button", name="Save the room").click()
        expect(page.locator("#check-text")).to_have_text("Of 1 kept task, this change breaks 1.")
        expect(page.locator("#check-broken")).to_contain_text("Go to garage")
        assert (judged("garage"), judged("workshop")) == ("rejected", "ready")
        page.get_by_role("button", name="Undo the last change").click()
        expect(page.locator("#versions li[aria-current]")).to_contain_text("as it was found")
    assert judged("garage") == "ready"
