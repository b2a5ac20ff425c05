"""The whole stack tries the examples of a user's own map, and its page offers those that hold."""

from __future__ import annotations

import json
import subprocess
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from chromium import chromium
from playwright.sync_api import expect
from running_stack import run, wait_up
from waiting import until

from roboinstruct_ros.domain.files.shared_files import shared_file

pytestmark = pytest.mark.stack

HOLDS = "Go to the kitchen and if there is an apple, bring it to the living room"
CANNOT = "Go to the ballroom"
"""There is none."""


def test_an_example_that_cannot_hold_is_not_offered(
    stack_process: Callable[..., subprocess.Popen[bytes]], port: int, tmp_path: Path
) -> None:
    world = tmp_path / "own.yaml"
    home = yaml.safe_load(shared_file("config/worlds/home.yaml").read_text())
    world.write_text(yaml.safe_dump(home | {"examples": [CANNOT, HOLDS]}))
    own = ("--library", str(tmp_path / "library.sqlite"), "--directory", str(tmp_path / "runs"))
    options = ("up", "--port", str(port), "--world", str(world), "--speed", "0", *own)

    def get(path: str) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1{path}", timeout=60) as told:
            return json.load(told)

    up = stack_process("roboinstruct_ros.cli", *options)
    log = lambda: stack_process.log_of(up)  # type: ignore[attr-defined] # noqa: E731
    wait_up(log)
    done = run("Go to the study")  # by somebody else, while the model may be at an example
    assert done.exit_code == 0, done.error_msg
    with chromium() as browser:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}")
        chips = page.get_by_role("group", name="Examples").get_by_role("button")
        expect(chips).to_have_text([HOLDS])
        until(lambda: f"'{CANNOT}' is not offered" in log(), "the other was tried")
        expect(chips).to_have_text([HOLDS])
        # Nobody asked for them: they are no tasks.
        assert [one["text"] for one in get("/tasks")] == ["Go to the study"]
        assert [one["words"] for one in get("/library")] == ["Go to the study"]
        assert get("/attempts") == []
        # The map gets the room: what did not hold there is tried again on it.
        room = next(one for one in home["rooms"] if one["name"] == "garage")
        room["aliases"] = ["ballroom"]
        world.write_text(yaml.safe_dump(home | {"examples": [CANNOT, HOLDS]}))
        expect(chips).to_have_text([CANNOT, HOLDS])
