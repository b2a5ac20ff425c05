"""The Python client as docs/kiosk.md shows it."""

from __future__ import annotations

import contextlib
import io
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_link import FakeLink
from fastapi import FastAPI
from served_kiosk import served
from waiting import until

from roboinstruct_ros.web.client import KioskClient, KioskRefused, merged
from roboinstruct_ros.web.messages import ForgottenTold, Snapshot
from roboinstruct_ros.web.task_view import Phase, TaskView

TASK = TaskView(id="a", text="Go home.", created=1.0, phase=Phase.READY)
DOCS = Path(__file__).parents[2] / "docs" / "kiosk.md"


class Told(KioskClient):
    """Hears only what it is given."""

    def __init__(self, told: list[Any]) -> None:
        self._told = told

    def messages(self) -> Iterator[Any]:
        yield from self._told


def test_the_example_of_the_docs_does_a_task(app: FastAPI, link: FakeLink) -> None:
    [example] = re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
    shown = io.StringIO()
    with served(app) as port, contextlib.redirect_stdout(shown):
        code = example.replace("http://127.0.0.1:8080", f"http://127.0.0.1:{port}")
        person = threading.Thread(target=exec, args=(code, {}))
        person.start()
        until(lambda: link.generated)
        link.finish_generation(link.generated[0][0])
        until(lambda: link.executed)
        link.finish_run(link.executed[0][0], ("go_to", ["kitchen"], None))
        person.join(60)
    assert "1 Go to the kitchen" in shown.getvalue()
    assert shown.getvalue().splitlines()[-1].startswith("succeeded")


@pytest.mark.parametrize(
    "told",
    [
        [Snapshot.model_construct(tasks=[])],
        [Snapshot.model_construct(tasks=[TASK]), ForgottenTold(seq=1, type="forgotten", id="a")],
    ],
)
def test_a_task_that_the_kiosk_knows_no_more_is_not_waited_for(told: list[Any]) -> None:
    with pytest.raises(KioskRefused, match="NOT_FOUND"):
        Told(told).wait_for_end(TASK)


def test_a_task_that_was_put_away_is_over() -> None:
    put_away = TASK.changed(phase=Phase.DISCARDED)
    told = [Snapshot.model_construct(tasks=[put_away])]
    assert Told(told).wait_for_end(TASK) == put_away


def test_what_grows_is_added_and_begins_anew_with_a_run() -> None:
    call = {"index": 0, "skill": "say"}
    task = merged({}, {"id": "a", "source": "def", "run_started": 1.0, "printed_more": ["one"]})
    task = merged(task, {"id": "a", "source_more": " task", "calls_more": [call]})
    task = merged(task, {"id": "a", "calls_more": [{**call, "ended": 2.0}], "printed_more": ["2"]})
    assert task["source"] == "def task"
    assert task["calls"] == [{**call, "ended": 2.0}]
    assert task["printed"] == ["one", "2"]
    again = merged(task, {"id": "a", "run_started": 5.0})
    assert (again["calls"], again["printed"]) == ([], [])
