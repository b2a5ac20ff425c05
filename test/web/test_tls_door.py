"""Other machines come in by TLS: what the page and a program get there, and who is not let in."""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest
from fake_link import PROGRAM, FakeLink
from fastapi import FastAPI
from served_kiosk import served
from starlette.datastructures import Headers
from waiting import until
from websockets.exceptions import ConnectionClosed

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.security.kiosk_certificate import (
    KEY,
    fingerprint,
    make_certificate,
    server_context,
)
from roboinstruct_ros.web.access.access import Access
from roboinstruct_ros.web.access.arrivals import Arrivals
from roboinstruct_ros.web.access.roles import Role
from roboinstruct_ros.web.client import KioskClient, KioskRefused
from roboinstruct_ros.web.door import front_door
from roboinstruct_ros.web.door.tls_door import MOST_OF_ONE, TlsDoor


@dataclass
class Network:
    """A kiosk with a TLS door.

    Attributes:
        port: of the door; `own`: of this machine's own page.
    """

    port: int
    own: int
    sha256: str
    access: Access

    def device(self, role: Role | None = None) -> KioskClient:
        """A program on another machine; without a role a stranger's."""
        client = KioskClient(f"https://127.0.0.1:{self.port}", fingerprint=self.sha256)
        if role is not None:
            local = KioskClient(f"http://127.0.0.1:{self.own}")
            pin = local.request("POST", "/pin", {"role": role.value})["pin"]
            client.pair(pin, f"the {role.value}")
        return client


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tls") / "certificate"
    make_certificate(folder)
    return folder


@pytest.fixture
def network(app: FastAPI, certificate: Path) -> Iterator[Network]:
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    with served(app, network=(listening, server_context(certificate))) as own:
        yield Network(port, own, fingerprint(certificate), app.state.access)


def test_a_task_is_done_from_another_machine(network: Network, link: FakeLink) -> None:
    anna = network.device(Role.OPERATOR)
    task = anna.ask("Go to the kitchen.")
    link.finish_generation(task.id)
    ready = anna.wait_for_plan(task)
    assert (ready.source, ready.author) == (PROGRAM, "the operator")
    assert anna.approve(ready).phase.value == "running"
    follow = anna.follow(task)
    assert next(follow).phase.value == "running"
    link.finish_run(task.id, ("go_to", ["kitchen"], None))
    ended = anna.wait_for_end(task)
    assert [call.skill for call in ended.calls] == ["go_to"]
    assert ended.phase.value == "succeeded"


def test_a_stranger_may_do_nothing_but_stop(network: Network, link: FakeLink) -> None:
    stranger = network.device()
    with pytest.raises(KioskRefused, match="NOT_PAIRED"):
        stranger.ask("Go to the kitchen.")
    with pytest.raises(KioskRefused, match="NOT_PAIRED"):
        stranger.request("POST", "/pin", {"role": "engineer"})
    with pytest.raises(ConnectionClosed) as closed:
        next(stranger.messages())
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4001
    stranger.stop()
    assert len(link.stops) == 1


def test_a_viewer_may_watch_and_stop(network: Network, link: FakeLink) -> None:
    viewer = network.device(Role.VIEWER)
    assert viewer.tasks() == []
    with pytest.raises(KioskRefused, match="NOT_ALLOWED"):
        viewer.ask("Go to the kitchen.")
    viewer.stop()
    assert len(link.stops) == 1


def test_another_kiosk_gets_no_token(network: Network, tmp_path: Path) -> None:
    other = make_certificate(tmp_path / "other")
    client = KioskClient(f"https://127.0.0.1:{network.port}", "secret", other)
    with pytest.raises(ConnectionError, match="another kiosk"):
        client.tasks()
    with pytest.raises(ConnectionError, match="another kiosk"):
        next(client.messages())


def test_without_its_fingerprint_the_certificate_is_not_trusted(network: Network) -> None:
    with pytest.raises(ssl.SSLError):
        KioskClient(f"https://127.0.0.1:{network.port}").tasks()


def test_nothing_but_answers_comes_after_the_handshake(certificate: Path, network: Network) -> None:
    """A session ticket, read while a request is written, costs some clients their connection."""
    context = ssl.create_default_context(cafile=str(certificate / "certificate.pem"))
    plain = socket.create_connection(("127.0.0.1", network.port), 30)
    with context.wrap_socket(plain, server_hostname="localhost") as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert client.recv(4096).startswith(b"HTTP/1.1 ")
        assert client.session is not None and not client.session.has_ticket


def test_plain_http_and_noise_get_no_answer(network: Network) -> None:
    for said in (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\x16\x03\x01" + b"\xff" * 500):
        with closing(socket.create_connection(("127.0.0.1", network.port), 30)) as client:
            client.sendall(said)
            heard = b""
            try:
                while more := client.recv(4096):
                    heard += more
            except ConnectionResetError:
                pass
            assert b"HTTP" not in heard


def test_handshakes_that_never_come_shut_nobody_of_this_machine_out(
    network: Network, link: FakeLink
) -> None:
    silent = [
        socket.create_connection(("127.0.0.1", network.port)) for _ in range(MOST_OF_ONE + 40)
    ]
    local = KioskClient(f"http://127.0.0.1:{network.own}")
    local.stop()
    assert local.request("GET", "/me")["id"] == "local"
    assert len(link.stops) == 1
    for one in silent:
        one.close()

    def stopped() -> bool:
        with suppress(OSError):  # as long as the door counts those that have just left
            network.device().stop()
            return True
        return False

    until(stopped)


def test_thirty_pages_watch_one_run_and_all_see_its_end(network: Network, link: FakeLink) -> None:
    operator, watchers = network.device(Role.OPERATOR), network.device(Role.VIEWER)
    task = operator.ask("Go to the kitchen.")
    link.finish_generation(task.id)
    ready = operator.wait_for_plan(task)
    ends: list[str] = []
    threads = [
        threading.Thread(target=lambda: ends.append(watchers.wait_for_end(task).phase.value))
        for _ in range(30)
    ]
    for thread in threads:
        thread.start()
    hub = KioskClient(f"http://127.0.0.1:{network.own}")
    until(lambda: hub.request("GET", "/health")["pages"] == 30)
    operator.approve(ready)
    link.finish_run(task.id, *[("say", [str(n)], None) for n in range(100)])
    for thread in threads:
        thread.join(60)
    assert ends == ["succeeded"] * 30
    until(lambda: hub.request("GET", "/health")["pages"] == 0)


def test_a_connection_that_is_cut_is_forgotten(network: Network) -> None:
    viewer = network.device(Role.VIEWER)
    local = KioskClient(f"http://127.0.0.1:{network.own}")
    messages = viewer.messages()
    next(messages)
    assert local.request("GET", "/health")["pages"] == 1
    messages.close()  # type: ignore[attr-defined]
    until(lambda: local.request("GET", "/health")["pages"] == 0)
    until(lambda: not network.access.arrivals._by_tls)


class Greeting(NamedTuple):
    """A client that has said hello by a door, and what the door has passed on, from which peer."""

    door: TlsDoor
    client: ssl.SSLSocket
    served: socket.socket
    peer: tuple[str, int]


@contextmanager
def greeting(certificate: Path, arrivals: Arrivals | None = None) -> Iterator[Greeting]:
    context = ssl.create_default_context(cafile=str(certificate / "certificate.pem"))
    with ExitStack() as stack:
        inner, listening = (
            stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)
        )
        inside = inner.getsockname()
        door = TlsDoor(listening, server_context(certificate), inside, arrivals or Arrivals())
        door.open()
        stack.callback(door.close)
        plain = socket.create_connection(listening.getsockname())
        client = stack.enter_context(context.wrap_socket(plain, server_hostname="localhost"))
        client.sendall(b"hello")
        served, peer = inner.accept()
        with served:
            assert served.recv(5) == b"hello"
            yield Greeting(door, client, served, peer)


def test_a_client_that_never_says_goodbye_leaves_nothing_to_watch(certificate: Path) -> None:
    """A number that the door's loop goes on watching is soon one of another connection."""
    with greeting(certificate) as hello:
        hello.served.close()
        until(lambda: not hello.door._open)
        watched = hello.door._loop._selector  # type: ignore[attr-defined]
        assert len(watched.get_map()) == 2  # its own: the listening socket, and to be woken


def test_who_leaves_at_once_is_not_taken_for_this_machine(certificate: Path) -> None:
    """Whose a request is may be asked when its connection has ended already."""
    arrivals = Arrivals()
    with greeting(certificate, arrivals) as hello:
        assert arrivals.of(hello.peer, Headers()).address == "127.0.0.1"
        hello.client.close()
        until(lambda: not arrivals._by_tls)
        assert not arrivals.of(hello.peer, Headers()).local


def test_a_client_that_takes_nothing_is_let_go(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front_door, "SILENCE_LIMIT_MS", 100)
    with greeting(certificate) as hello:
        hello.served.settimeout(10)
        with pytest.raises(ConnectionError):
            while True:  # until the door, which cannot get rid of it, ends
                hello.served.sendall(bytes(1024 * 1024))
        until(lambda: not hello.door._open)


def test_a_client_that_vanishes_is_noticed() -> None:
    """A device that has left the network says no goodbye, and its Stop socket sends nothing."""
    with closing(socket.socket()) as connection:
        front_door.end_if_gone(connection)
        assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 60


def test_the_certificate_names_this_machine_and_its_key_is_its_owners(certificate: Path) -> None:
    assert (certificate / KEY).stat().st_mode & 0o777 == 0o600
    assert len(fingerprint(certificate)) == 95
    context = ssl.create_default_context(cafile=str(certificate / "certificate.pem"))
    assert context.check_hostname
    with pytest.raises(ConfigError, match="already"):
        make_certificate(certificate)


@pytest.mark.parametrize("broken", ["certificate.pem", "key.pem"])
def test_a_folder_without_a_good_certificate_is_one_line(tmp_path: Path, broken: str) -> None:
    folder = tmp_path / "tls"
    make_certificate(folder)
    (folder / broken).write_text(json.dumps("no PEM"))
    with pytest.raises(ConfigError) as fault:
        server_context(folder)
    assert "\n" not in str(fault.value)
    assert broken in str(fault.value)
