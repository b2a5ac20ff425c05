"""Two kiosks: one has control, the other sees whose it is, asks for it, and can always stop."""

from __future__ import annotations

from typing import Any

import pytest
from devices_of_people import People, Person
from fake_link import FakeLink

from roboinstruct_ros.web.access.control import Control
from roboinstruct_ros.web.access.roles import Role


@pytest.fixture
def anna(people: People) -> Person:
    return people.let_in(Role.OPERATOR, "Anna's tablet", "10.0.0.7")


@pytest.fixture
def bob(people: People) -> Person:
    return people.let_in(Role.OPERATOR, "Bob's phone", "10.0.0.8")


def act(person: Person) -> tuple[int, str]:
    answer = person.ask("POST", "/pause", {"paused": True})
    return answer.status_code, answer.json().get("error_name", "")


def told(socket: Any) -> tuple[str | None, str | None]:
    """Who has control and who asks for it, as the page is told next."""
    while (message := socket.receive_json())["type"] not in ("snapshot", "control"):
        pass
    control = message["control"]
    return tuple(control[key] and control[key]["name"] for key in ("holder", "asking"))  # type: ignore[return-value]


def limits(people: People, answer: float = 60.0, away: float = 60.0) -> None:
    people.access.control._answer_limit, people.access.control._away_limit = answer, away


def test_who_acts_first_has_control_and_the_other_sees_whose_it_is(
    anna: Person, bob: Person, link: FakeLink
) -> None:
    with anna.open_page(), bob.open_page() as page:
        assert told(page) == (None, None)
        assert act(anna) == (202, "")
        assert told(page) == ("Anna's tablet", None)
        assert act(bob) == (409, "NOT_IN_CONTROL")
        message = bob.ask("POST", "/tasks", {"text": "Go home."}).json()["message"]
        assert message == "Anna's tablet has control; ask for it, or press Stop"
    assert link.pauses == [True]
    assert not link.generated


def test_control_is_asked_for_and_given(anna: Person, bob: Person) -> None:
    with anna.open_page() as page, bob.open_page():
        act(anna)
        assert bob.ask("POST", "/control/ask").json()["asking"]["name"] == "Bob's phone"
        assert [told(page) for _ in range(3)][-1] == ("Anna's tablet", "Bob's phone")
        assert act(anna) == (202, "")
        anna.ask("POST", "/control/answer", {"give": True})
        assert told(page) == ("Bob's phone", None)
        assert act(anna) == (409, "NOT_IN_CONTROL")
        assert act(bob) == (202, "")


def test_who_has_control_may_keep_it(anna: Person, bob: Person) -> None:
    with anna.open_page(), bob.open_page():
        act(anna)
        bob.ask("POST", "/control/ask")
        answer = anna.ask("POST", "/control/answer", {"give": False}).json()
        assert (answer["holder"]["name"], answer["asking"]) == ("Anna's tablet", None)
        assert act(bob) == (409, "NOT_IN_CONTROL")


def test_control_goes_over_when_the_holder_does_not_answer(
    people: People, anna: Person, bob: Person
) -> None:
    limits(people, answer=0.2)
    with anna.open_page(), bob.open_page() as page:
        act(anna)
        bob.ask("POST", "/control/ask")
        while told(page) != ("Bob's phone", None):
            pass
        assert act(bob) == (202, "")


def test_control_is_free_when_the_holders_page_is_gone(
    people: People, anna: Person, bob: Person
) -> None:
    limits(people, away=0.2)
    with bob.open_page() as page:
        with anna.open_page() as own:
            act(anna)
            own.close()
        while told(page) != (None, None) or act(bob) != (202, ""):
            pass
        assert told(page) == ("Bob's phone", None)


def test_a_page_that_is_loaded_anew_keeps_control(
    people: People, anna: Person, bob: Person
) -> None:
    limits(people, away=30.0)
    with anna.open_page() as page:
        act(anna)
        page.close()
    with anna.open_page():
        assert act(bob) == (409, "NOT_IN_CONTROL")
        assert act(anna) == (202, "")


def test_nobody_else_asks_meanwhile_nor_answers(people: People, anna: Person, bob: Person) -> None:
    cleo = people.let_in(Role.OPERATOR, "Cleo", "10.0.0.9")
    with anna.open_page(), bob.open_page():
        act(anna)
        bob.ask("POST", "/control/ask")
        assert cleo.ask("POST", "/control/ask").json()["error_name"] == "NOT_IN_CONTROL"
        assert bob.ask("POST", "/control/answer", {"give": True}).status_code == 409


def test_a_withdrawn_device_has_no_control(people: People, anna: Person, bob: Person) -> None:
    with anna.open_page():
        act(anna)
        people.here.ask("POST", f"/devices/{anna.id}/withdraw")
        assert act(bob) == (202, "")


def test_two_windows_of_this_machine_share_control(people: People) -> None:
    with people.here.open_page(), people.here.open_page():
        assert act(people.here) == (202, "")
        assert act(people.here) == (202, "")


def test_stop_is_not_asked_for(people: People, anna: Person, link: FakeLink) -> None:
    with anna.open_page():
        act(anna)
        app: Any = people.client.app
        app._app.state.session.stop("Stop pressed")
        people.access.note_stop(("10.0.0.66", 1), {})  # type: ignore[arg-type]
    assert link.stops


def test_the_limits_are_half_a_minute() -> None:
    control = Control(None)  # type: ignore[arg-type]
    assert (control._answer_limit, control._away_limit) == (30.0, 30.0)
