"""The sentences that a page offers: proven on the map of now, and never in anybody's way."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest
from fake_link import ACCEPTED, MADE, PROGRAM, REJECTED, FakeLink
from fastapi.testclient import TestClient
from test_app import heard, in_phase, open_page, submit
from waiting import until

from roboinstruct_ros.domain.instruction import IN_BACKGROUND
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.web.app import create_app
from roboinstruct_ros.web.examples.examples import Examples
from roboinstruct_ros.web.robot_link import NodesSeen, WorldSeen

OWN = ("127.0.0.1", 50000)
HELLO, LOOK = MADE
Kiosk = Callable[[], AbstractContextManager[TestClient]]


@pytest.fixture(autouse=True)
def short_times(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PERIOD", "PAUSE"):
        monkeypatch.setattr(f"roboinstruct_ros.web.examples.examples.{name}", 0.01)


@pytest.fixture
def proven(tmp_path: Path) -> Path:
    return tmp_path / "data" / "proven_examples.json"


@pytest.fixture
def kiosk(link: FakeLink, maps: list[SemanticMap], proven: Path) -> Kiosk:
    """A start of the kiosk; use it as a context manager."""

    def start() -> TestClient:
        app = create_app(link, lambda: maps[-1], proven=proven)
        return TestClient(app, base_url="http://localhost:8080", client=OWN)

    return start


@pytest.fixture
def page(kiosk: Kiosk) -> Iterator[TestClient]:
    with kiosk() as page:
        yield page


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Waits until the kiosk has looked some times whether there is something to try."""
    looks: list[None] = []
    look = Examples.look

    async def counted(examples: Examples) -> None:
        await look(examples)
        looks.append(None)

    def wait() -> None:
        before = len(looks)
        until(lambda: len(looks) > before + 3)

    monkeypatch.setattr(Examples, "look", counted)
    return wait


def offered(page: TestClient) -> list[str]:
    return list(page.get("/api/v1/map").json()["examples"])


def trying(link: FakeLink, words: str, number: int = -1) -> str:
    """The id of a try of this sentence, once it has begun."""
    until(lambda: words in [one for _, one in link.tried[number:]][:1])
    return link.tried[number][0]


def kept(path: Path) -> list[str]:
    """What is known to hold at the one place that there is."""
    if not path.exists():
        return []
    (proven,) = json.loads(path.read_text()).values()
    return list(proven)


# What is offered


def test_what_nobody_has_proven_is_not_offered(page: TestClient, link: FakeLink) -> None:
    assert offered(page) == []
    link.ready()
    trying(link, HELLO)
    assert offered(page) == []
    link.finish_generation(link.tried[0][0])
    until(lambda: offered(page) == [HELLO])
    link.finish_generation(trying(link, LOOK))
    until(lambda: offered(page) == [HELLO, LOOK])
    assert not link.executed and not page.get("/api/v1/tasks").json()
    assert page.get("/api/v1/attempts").json() == []
    assert [source for _, source in link.shown] == [PROGRAM, PROGRAM]  # to the executor


def test_a_page_is_told_as_soon_as_one_holds(page: TestClient, link: FakeLink) -> None:
    with open_page(page) as socket:
        assert heard(socket, "snapshot")["examples"] == []
        link.ready()
        link.finish_generation(trying(link, HELLO))
        assert heard(socket, "examples")["examples"] == [HELLO]


DOUBTFUL: dict[str, Callable[[FakeLink, str], None]] = {
    "look twice": lambda link, one: link.finish_generation(
        one, notes=("The words name the hallway, the program does not.",)
    ),
    "rejected": lambda link, one: link.finish_generation(
        one, verdict=REJECTED, code=TaskErrorCode.NO_ACCEPTED_PROGRAM
    ),
    "refused": lambda link, one: link.say_instead(one, "cannot", "I have no arm."),
    "asked back": lambda link, one: link.say_instead(one, "question", "Which?", "red", "blue"),
    "in rounds": lambda link, one: link.finish_generation(one, deferred="bring what they want"),
    "to be asked first": lambda link, one: link.ask_first(one, "What is it?", "bring it"),
}


@pytest.mark.parametrize("what", DOUBTFUL)
def test_one_that_leaves_a_doubt_is_not_offered(
    page: TestClient, link: FakeLink, what: str, proven: Path, caplog: pytest.LogCaptureFixture
) -> None:
    link.ready()
    DOUBTFUL[what](link, trying(link, HELLO))
    link.finish_generation(trying(link, LOOK))
    until(lambda: offered(page) == [LOOK])
    until(lambda: kept(proven) == [LOOK])
    assert f"the example '{HELLO}' is not offered: " in caplog.text


def test_one_that_the_executor_does_not_accept_is_not_offered(
    page: TestClient, link: FakeLink
) -> None:
    link.judges = [REJECTED]
    link.ready()
    link.finish_generation(trying(link, HELLO))
    trying(link, LOOK)
    link.judges = [ACCEPTED]
    link.finish_generation(link.tried[-1][0])
    until(lambda: offered(page) == [LOOK])


def test_what_a_program_takes_for_granted_is_no_doubt(page: TestClient, link: FakeLink) -> None:
    link.judges = [ACCEPTED | {"assumptions": ["Alice is in the living room."]}]
    link.ready()
    link.finish_generation(trying(link, HELLO))
    until(lambda: offered(page) == [HELLO])


# Whose turn it is


def test_a_person_never_waits_for_an_example(page: TestClient, link: FakeLink) -> None:
    link.ready()
    background = trying(link, HELLO)
    task = submit(page)  # while the model is at the example, which it takes long for
    assert link.generated[-1][0] == task and link.cancelled == [background]
    link.finish_generation(background, "", {}, TaskErrorCode.CANCELED)
    link.finish_generation(task)
    in_phase(page, task, "ready")
    assert trying(link, HELLO, 1) != background  # it is tried again, after the person


def test_nothing_is_tried_while_a_task_is_written_or_runs(
    looked: Callable[[], None], page: TestClient, link: FakeLink
) -> None:
    task = submit(page)
    link.ready()
    looked()
    assert not link.tried
    link.finish_generation(task)
    trying(link, HELLO)
    link.finish_generation(link.tried[0][0], "", {}, TaskErrorCode.CANCELED)
    seen = {"sha256": in_phase(page, task, "ready")["sha256"]}
    page.post(f"/api/v1/tasks/{task}/approve", json=seen)
    running = len(link.tried)
    if running > 1:  # begun before the approval: it gives way to the run
        assert link.cancelled[-1] == link.tried[-1][0]
        link.finish_generation(link.tried[-1][0], "", {}, TaskErrorCode.CANCELED)
    looked()
    assert len(link.tried) == running


def test_the_verdict_on_an_example_gives_way_too(page: TestClient, link: FakeLink) -> None:
    link.judges = [None]  # the executor is silent
    link.ready()
    link.finish_generation(trying(link, HELLO))
    until(lambda: link.shown)
    link.judges = [ACCEPTED]
    task = submit(page)
    link.finish_generation(task)
    in_phase(page, task, "ready")
    assert trying(link, HELLO, 1)


@pytest.mark.parametrize(
    "lacking",
    [
        lambda link: link.say(NodesSeen({"generator": "lost", "executor": "up"})),
        lambda link: link.say(NodesSeen({"generator": "up", "executor": "lost"})),
        lambda link: link.say(WorldSeen(held="cup")),  # or a program that takes one is rejected
        lambda link: link.ready(state="loading"),
    ],
)
def test_nothing_is_tried_before_all_is_there(
    looked: Callable[[], None],
    page: TestClient,
    link: FakeLink,
    lacking: Callable[[FakeLink], None],
) -> None:
    link.missing = True
    link.ready()
    lacking(link)
    looked()
    link.missing = False
    looked()
    assert not link.tried


def test_a_fault_of_the_model_is_not_held_against_the_sentence(
    page: TestClient, link: FakeLink, proven: Path
) -> None:
    link.ready()
    for number in range(3):
        one = trying(link, HELLO, number)
        link.finish_generation(one, "", {}, TaskErrorCode.MODEL_FAILED, error_msg="it is gone")
        until(lambda number=number: len(link.tried) > number + 1)
    link.finish_generation(trying(link, LOOK))  # not for ever
    until(lambda: kept(proven) == [LOOK])


def test_a_model_that_is_busy_elsewhere_is_asked_again_and_again(
    page: TestClient, link: FakeLink
) -> None:
    link.ready()
    for number in range(5):
        link.finish_generation(trying(link, HELLO, number), "", {}, TaskErrorCode.BUSY)
    link.finish_generation(trying(link, HELLO, 5))
    until(lambda: offered(page) == [HELLO])


# What stays


def test_a_restart_offers_at_once_what_was_proven(
    looked: Callable[[], None], kiosk: Kiosk, link: FakeLink, proven: Path
) -> None:
    with kiosk() as page:
        link.ready()
        link.prove(HELLO)
        link.say_instead(trying(link, LOOK), "cannot", "I see nobody.")
        until(lambda: kept(proven) == [HELLO])
    with kiosk() as page:
        link.ready(state="loading")
        until(lambda: offered(page) == [HELLO])
        link.ready()
        link.finish_generation(trying(link, LOOK, 2))  # what did not hold is tried again
        until(lambda: offered(page) == [HELLO, LOOK])
        looked()
    assert len(link.tried) == 3


def test_another_map_or_model_is_proven_anew(
    page: TestClient, link: FakeLink, maps: list[SemanticMap]
) -> None:
    link.ready()
    link.prove(HELLO, LOOK)
    until(lambda: len(offered(page)) == 2)
    first, hall = maps[0].rooms
    maps.append(SemanticMap((first, replace(hall, name="corridor"))))
    until(lambda: offered(page) == [])
    link.say_instead(trying(link, HELLO.replace("hallway", "corridor")), "cannot", "No.")
    link.finish_generation(trying(link, LOOK))
    until(lambda: offered(page) == [LOOK])
    link.ready("another")
    until(lambda: offered(page) == [])
    maps.append(maps[0])
    link.ready()
    until(lambda: offered(page) == [HELLO, LOOK])  # both are known here


def test_one_that_is_tried_as_the_map_changes_is_tried_again(
    page: TestClient, link: FakeLink, maps: list[SemanticMap]
) -> None:
    link.ready()
    old = trying(link, HELLO)
    maps.append(replace(maps[0], objects=("cup",)))
    until(lambda: old in link.cancelled)
    link.finish_generation(old)  # too late to be cancelled
    assert trying(link, HELLO, 1) != old
    assert offered(page) == []


def test_one_that_the_map_offers_no_more_gives_way(
    page: TestClient, link: FakeLink, maps: list[SemanticMap]
) -> None:
    link.ready()
    old = trying(link, HELLO)
    maps.append(replace(maps[0], examples=("Bring me the tea",)))
    until(lambda: old in link.cancelled)
    link.finish_generation(old, "", {}, TaskErrorCode.CANCELED)
    link.finish_generation(trying(link, "Bring me the tea"))
    until(lambda: offered(page) == ["Bring me the tea"])


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"x": "y"}'])
def test_a_damaged_file_costs_a_proof_and_no_more(
    kiosk: Kiosk, link: FakeLink, proven: Path, text: str
) -> None:
    proven.parent.mkdir()
    proven.write_text(text)
    with kiosk() as page:
        link.ready()
        link.prove(HELLO, LOOK)
        until(lambda: offered(page) == [HELLO, LOOK])
        until(lambda: kept(proven) == [HELLO, LOOK])


def test_no_device_is_called_as_nobody() -> None:
    from roboinstruct_ros.web.access.devices import MAX_NAME

    assert len(IN_BACKGROUND) > MAX_NAME
