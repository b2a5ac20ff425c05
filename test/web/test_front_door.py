"""Stop at the front door: nothing that others do there or behind it delays it."""

from __future__ import annotations

import contextlib
import json
import resource
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from fake_link import FakeLink
from fastapi import FastAPI
from given_time import GivenTime
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from served_kiosk import served
from waiting import LIMIT, until
from websockets.client import ClientProtocol
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.uri import parse_uri

from roboinstruct_ros.web.door.front_door import FrontDoor

STOP = b"POST /api/v1/stop HTTP/1.1\r\nHost: localhost\r\n"
AT_ONCE = 0.1  # s from the press to the stop request


@pytest.fixture
def port(app: FastAPI) -> Iterator[int]:
    with served(app) as port:
        yield port


@pytest.fixture
def descriptors() -> Iterator[None]:
    """As many as the hard limit gives, for this process plays both sides."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def said(port: int, request: bytes, limit: float = LIMIT) -> bytes:
    """The whole answer to some bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=limit) as client:
        client.sendall(request)
        parts = []
        with contextlib.suppress(ConnectionResetError):  # it was closed with something unread
            while part := client.recv(65536):
                parts.append(part)
        return b"".join(parts)


def press(port: int, link: FakeLink) -> float:
    """Given time from the press to the stop request, s."""
    before, given = len(link.stops), GivenTime()
    with socket.create_connection(("127.0.0.1", port), timeout=LIMIT) as client:
        client.sendall(STOP + b"\r\n")
        until(lambda: len(link.stops) > before)
        return given.until(link.stopped_at[-1])


def stop_socket(port: int, **headers: str) -> ClientConnection:
    return connect(f"ws://localhost:{port}/api/v1/stop", additional_headers=headers or None)


@contextlib.contextmanager
def busy_loop(app: FastAPI) -> Iterator[None]:
    """Keeps the web server's loop from everything else."""
    taken, free = threading.Event(), threading.Event()
    app.state.loop.call_soon_threadsafe(lambda: (taken.set(), free.wait(LIMIT)))
    assert taken.wait(LIMIT)
    yield
    free.set()


# Nothing is in its way


def test_stop_does_not_need_the_web_servers_loop(app: FastAPI, port: int, link: FakeLink) -> None:
    with busy_loop(app), stop_socket(port) as page:
        assert b"202 Accepted" in said(port, STOP + b"\r\n")
        page.send("{}")
        assert json.loads(page.recv(LIMIT)) == {"sent": True}
        assert len(link.stops) == 2


def test_half_open_connections_do_not_delay_stop(
    port: int, link: FakeLink, descriptors: None
) -> None:
    with contextlib.ExitStack() as open_:
        for _ in range(1500):
            client = open_.enter_context(socket.create_connection(("127.0.0.1", port)))
            with contextlib.suppress(OSError):  # the oldest have to go
                client.sendall(STOP)
        took = sorted(press(port, link) for _ in range(5))
        assert took[2] < AT_ONCE, took


def test_stop_is_served_when_everything_else_is_full(
    app: FastAPI, port: int, link: FakeLink, descriptors: None
) -> None:
    with contextlib.ExitStack() as open_, busy_loop(app):
        answers = set()
        for _ in range(600):
            client = open_.enter_context(socket.create_connection(("127.0.0.1", port)))
            client.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            client.settimeout(0.0)
            with contextlib.suppress(BlockingIOError):
                answers.add(client.recv(12))
        refusal = said(port, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert refusal.startswith(b"HTTP/1.1 503") and b"TOO_MANY" in refusal
        assert press(port, link) < AT_ONCE
        assert answers <= {b"HTTP/1.1 503"}


def test_what_a_client_sends_after_its_head_does_not_matter(port: int, link: FakeLink) -> None:
    head = STOP + b"Content-Length: 1000000000\r\n\r\n"
    for body in (b"", b"x" * 100_000, b"\0\xff" * 10):
        assert b'{"sent": true}' in said(port, head + body)
    assert len(link.stops) == 3


def test_a_head_that_comes_in_pieces_is_read(port: int, link: FakeLink) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=LIMIT) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in STOP + b"\r\n":
            client.sendall(bytes([byte]))
        assert b"202 Accepted" in client.recv(65536)
    assert len(link.stops) == 1


# Limits


def test_a_head_that_never_ends_is_closed(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roboinstruct_ros.web.door.front_door.HEAD_LIMIT", 0.3)
    assert said(port, STOP) == b""


def test_a_head_that_is_too_long_is_refused(port: int) -> None:
    assert said(port, STOP + b"A: " + b"x" * 20_000).startswith(b"HTTP/1.1 431")


def test_every_request_comes_by_the_door(port: int) -> None:
    for path in (b"/", b"/api/v1/health", b"/static/main.js", b"/nothing"):
        answer = said(port, b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"connection: close" in answer.lower(), path


def test_a_body_that_never_comes_is_closed(app: FastAPI) -> None:
    guard = app.user_middleware[0]
    guard.kwargs["exchange_limit"] = 0.3
    head = b"POST /api/v1/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
    with served(app) as port:
        answer = said(port, head)
    assert answer.startswith(b"HTTP/1.1 408") and b"TOO_LATE" in answer


def test_a_page_that_says_much_is_closed(port: int) -> None:
    with connect(f"ws://localhost:{port}/api/v1/events") as page:
        for _ in range(101):
            page.send("noise")
        until(lambda: page.close_code or _read(page))
        assert page.close_code == 1008


def _read(page: ClientConnection) -> None:
    with contextlib.suppress(Exception):
        page.recv(0.1)


def test_stop_sockets_have_a_cap_and_stop_goes_on(port: int, link: FakeLink) -> None:
    with contextlib.ExitStack() as open_:
        with pytest.raises(InvalidStatus) as refusal:
            for _ in range(200):
                open_.enter_context(stop_socket(port))
        assert refusal.value.response.status_code == 503
        assert press(port, link) < AT_ONCE


# Who may


@pytest.mark.parametrize(
    "headers",
    [
        b"Host: localhost\r\nOrigin: http://evil.example\r\n",
        b"Host: localhost\r\nOrigin: null\r\n",
        b"Host: localhost:8080\r\nOrigin: http://localhost:9999\r\n",
        b"Host: evil.example\r\n",
        b"Host: \r\n",
        b"",
    ],
)
def test_another_site_cannot_stop_the_robot(port: int, link: FakeLink, headers: bytes) -> None:
    answer = said(port, b"POST /api/v1/stop HTTP/1.1\r\n" + headers + b"\r\n")
    assert answer.startswith(b"HTTP/1.1 403") and b"FOREIGN_ORIGIN" in answer
    foreign = {"Origin": "http://evil.example"}
    with pytest.raises(InvalidStatus) as refusal, stop_socket(port, **foreign):
        pass
    assert refusal.value.response.status_code == 403
    assert not link.stops


# The socket for Stop


def test_the_socket_carries_the_time_of_the_press(port: int, link: FakeLink) -> None:
    pressed = time.time() - 0.02
    with stop_socket(port) as page:
        page.send(json.dumps({"pressed": pressed}))
        page.recv(LIMIT)
    assert link.stops == [("Stop pressed", pressed)]


@pytest.mark.parametrize(
    "message",
    ["", "no json", "[]", "{}", '{"pressed": "now"}', '{"pressed": -1}', '{"pressed": 1e300}',
     '{"pressed": ' + "9" * 400 + "}", "[" * 1000, '{"pressed": true}', b"\xff"],
)  # fmt: skip
def test_whatever_is_said_on_it_stops(port: int, link: FakeLink, message: str | bytes) -> None:
    with stop_socket(port) as page:
        page.send(message)
        page.recv(LIMIT)
    assert abs(link.stops[0][1] - time.time()) < LIMIT


def test_a_message_too_long_to_be_read_stops(port: int, link: FakeLink) -> None:
    with stop_socket(port) as page, contextlib.suppress(ConnectionClosed):
        page.send("x" * 1500)
        page.recv(LIMIT)
    until(lambda: link.stops)


def test_stop_and_a_closed_page_in_one_segment_are_a_stop(
    port: int, link: FakeLink, caplog: pytest.LogCaptureFixture
) -> None:
    protocol = ClientProtocol(parse_uri(f"ws://localhost:{port}/api/v1/stop"))
    with socket.create_connection(("localhost", port)) as page:
        protocol.send_request(protocol.connect())
        page.sendall(b"".join(protocol.data_to_send()))
        while not list(protocol.events_received()):
            protocol.receive_data(page.recv(4096))
        protocol.send_text(b"{}")
        protocol.send_close()
        page.sendall(b"".join(protocol.data_to_send()))
        while page.recv(4096):
            pass
    until(lambda: link.stops)
    assert not caplog.records


@given(noise=st.binary(max_size=600))
@settings(
    max_examples=40, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_noise_in_the_place_of_frames_ends_its_own_socket_at_most(
    port: int, link: FakeLink, noise: bytes
) -> None:
    with stop_socket(port) as page, contextlib.suppress(OSError):
        page.socket.sendall(noise)
        page.socket.shutdown(socket.SHUT_WR)
        while page.socket.recv(4096):
            pass
    press(port, link)


def test_a_door_closes_in_whichever_order_its_thread_sees_it() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    address = listening.getsockname()
    door = FrontDoor(listening, lambda pressed: None, lambda headers: None, socket.socket.close)
    door.open()
    door._closing = True  # as between the two halves of `close`
    with socket.create_connection(address):  # a visitor wakes the thread, which ends
        until(lambda: not door._thread.is_alive())
    door.close()


def test_a_page_that_is_gone_leaves_nothing(port: int, link: FakeLink) -> None:
    for _ in range(200):  # more than may be open
        with stop_socket(port):
            pass
    with stop_socket(port) as page:
        page.send("{}")
        page.recv(LIMIT)
    assert len(link.stops) == 1
