"""From the kiosk's talk button to the speech node's dictation and back, over DDS."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from speech_client import speech
from voices import spoken
from waiting import LIMIT, until
from websockets.sync.client import ClientConnection, connect

pytestmark = pytest.mark.stack

WRITER = """\
class Segment:
    def __init__(self, text):
        self.text = text

class WhisperModel:
    def __init__(self, *arguments, **options):
        pass

    def transcribe(self, sound, **options):
        return [Segment(f"heard {len(sound) / 16000:.0f} s")], None
"""
"""In the place of faster-whisper, whose weights nobody fetches for a test."""


def told(socket: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=LIMIT))
        if message["type"] == kind:
            return message


def press(port: int, down: bool) -> int:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/talk",
        json.dumps({"down": down}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=LIMIT) as answer:
        return int(answer.status)


def test_what_is_said_while_the_page_holds_the_button_comes_to_the_page(
    stack_process: Callable[..., Any],
    ros_domain: int,
    port: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "faster_whisper.py").write_text(WRITER)
    for name in ("model.bin", "config.json"):
        (tmp_path / name).write_text("{}")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    stack_process("roboinstruct_ros.nodes.kiosk.node", "--ros-args", "-p", f"port:={port}")
    with speech(ros_domain, dictation_model=tmp_path) as robot:
        until(lambda: answers(port))
        with connect(f"ws://127.0.0.1:{port}/api/v1/events", open_timeout=LIMIT) as socket:
            if not told(socket, "snapshot")["dictation"]:
                assert told(socket, "dictation")["offered"] is True
            assert press(port, True) == 202
            robot.speak(spoken("bring me the newspaper"))
            assert press(port, False) == 202
            assert told(socket, "dictated")["text"].startswith("heard ")
            until(lambda: robot.dictated)
            assert not robot.stops


def test_without_dictation_there_is_no_button(
    stack_process: Callable[..., Any], ros_domain: int, port: int
) -> None:
    stack_process("roboinstruct_ros.nodes.kiosk.node", "--ros-args", "-p", f"port:={port}")
    with speech(ros_domain) as robot:
        until(lambda: answers(port))
        # the speech node is seen by the kiosk: it hears whoever has a button
        until(lambda: robot.node.count_publishers(robot.button.topic) == 2)
        with pytest.raises(urllib.error.HTTPError) as refused:
            press(port, True)
        assert refused.value.code == 503


def answers(port: int) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/health"):
        return True
    return False
