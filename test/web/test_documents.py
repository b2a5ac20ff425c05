"""The API does what its two documents say, whatever it is asked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.request import urlopen

import pytest
import schemathesis
from devices_of_people import People
from fake_link import FakeLink
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case
from schemathesis.specs.openapi.checks import positive_data_acceptance
from served_kiosk import served

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.web.access.rate_limit import RateLimit
from roboinstruct_ros.web.documents import asyncapi_document
from roboinstruct_ros.web.messages import EVENTS, EventMessage
from roboinstruct_ros.web.robot_link import (
    DictationSeen,
    NodesSeen,
    Question,
    RobotPose,
    Speech,
    StopAnswer,
    WorldSeen,
)

EXAMPLES = 8  # requests for each operation
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.sampled_from(["type", "seq", "task", "pressed", "sha256"]) | st.text(max_size=9),
            inner,
        )
    ),
    max_leaves=20,
).map(json.dumps)
"""Messages that have the form of the kiosk's own."""


@pytest.fixture
def address(app: FastAPI, link: FakeLink) -> Iterator[str]:
    app.state.access.pairing = app.state.access.pairing_of_all = RateLimit(10**6, 1.0)
    with served(app) as port:
        link.say(DictationSeen(True))
        yield f"http://127.0.0.1:{port}"


def test_every_request_is_answered_as_the_document_says(address: str) -> None:
    schema = schemathesis.openapi.from_url(f"{address}/api/v1/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) > 20
    for operation in operations:

        @given(case=operation.as_strategy())
        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def holds(case: Case) -> None:
            # What is asked may be right in form and yet not be possible now.
            case.call_and_validate(excluded_checks=[positive_data_acceptance])

        holds()


def test_the_document_says_what_each_answer_and_refusal_looks_like(people: People) -> None:
    document = people.here.ask("GET", "/openapi.json").json()
    for path, methods in document["paths"].items():
        for method, route in methods.items():
            good = [status for status in route["responses"] if status.startswith("2")]
            assert len(good) == 1, (method, path)
            assert path.startswith("/api/v1/")
            assert "schema" in route["responses"][good[0]]["content"]["application/json"]


def test_references_of_both_documents_lead_somewhere(people: People) -> None:
    for name in ("openapi", "asyncapi"):
        document = people.here.ask("GET", f"/{name}.json").json()
        references = set(re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(document)))
        assert references
        for reference in references:
            place = document
            for part in reference.split("/"):
                place = place[part]


def test_the_socket_document_has_every_message_and_its_fields() -> None:
    document = asyncapi_document()
    assert document["asyncapi"] == "3.0.0"
    addresses = {channel["address"] for channel in document["channels"].values()}
    assert addresses == {"/api/v1/events", "/api/v1/stop"}
    assert set(document["channels"]["events"]["messages"]) == {one.__name__ for one in EVENTS}
    schemas = document["components"]["schemas"]
    for message in document["components"]["messages"].values():
        assert message["summary"]
        assert message["payload"]["$ref"].rpartition("/")[2] in schemas
    assert {"source_more", "phase", "busy", "author"} <= set(schemas["TaskChange"]["properties"])


def test_all_kinds_of_messages_come_as_described(page: TestClient, link: FakeLink) -> None:
    seen = set()
    with page.websocket_connect("ws://localhost:8080/api/v1/events") as socket:
        page.post("/api/v1/pause", json={"paused": True})
        said = (
            RobotPose(1.0, 2.0, 0.5),
            WorldSeen(held="apple"),
            Question("Coffee?", "Anna", ("yes", "no"), True),
            Speech("Hello"),
            StopAnswer(True, 0.01, "stopped"),
            NodesSeen({"executor": "up"}),
            DictationSeen(True),
        )
        for one in said:
            link.say(one)
        link.event(EventKind.WARNING, "", message="low battery")
        page.post("/api/v1/tasks", json={"text": "Go to the kitchen."})
        link.missing = True
        wanted = {"snapshot", "control", "pose", "world", "question", "speech", "stopped", "nodes"}
        while not wanted | {"event", "task"} <= seen:
            text = socket.receive_text()
            EventMessage.validate_json(text)
            seen.add(json.loads(text)["type"])


def test_a_message_with_another_field_is_not_as_described() -> None:
    message = {"type": "speech", "seq": 1, "text": "Hello", "tone": "loud"}
    with pytest.raises(ValueError, match="tone"):
        EventMessage.validate_python(message)


@given(noise=st.lists(st.text(max_size=300) | st.binary(max_size=300) | JSON, max_size=20))
@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_noise_on_the_socket_changes_nothing(
    page: TestClient, link: FakeLink, noise: list[str | bytes]
) -> None:
    with page.websocket_connect("ws://localhost:8080/api/v1/events") as socket:
        assert socket.receive_json()["type"] == "snapshot"
        for one in noise:
            socket.send_bytes(one) if isinstance(one, bytes) else socket.send_text(one)
        link.say(Speech("still here"))
        assert socket.receive_json()["text"] == "still here"
    assert not link.stops
    assert not link.generated
    assert page.get("/api/v1/health").status_code == 200


@given(text=st.text(max_size=80))
@settings(max_examples=60, deadline=None, derandomize=True, database=None)
def test_any_text_for_a_token_or_an_address_is_refused_politely(text: str) -> None:
    from starlette.datastructures import Headers

    from roboinstruct_ros.web.access.access import token_in
    from roboinstruct_ros.web.access.devices import Devices

    raw = text.encode("latin-1", "replace")
    headers = Headers(raw=[(b"authorization", b"Bearer " + raw), (b"cookie", raw)])
    token = token_in(headers)
    assert not token or Devices().of_token(token) is None


def test_the_pages_of_the_documents_load_nothing_from_elsewhere(address: str) -> None:
    for path in ("/docs", "/devices"):
        with urlopen(address + path) as answer:
            text = answer.read().decode()
        assert re.findall(r'(?:src|href)="(https?:)?//', text) == []
        assert "<script>" not in text
