"""Devices are let in by a PIN, for a while, and withdrawn; and what everybody did is recorded."""

from __future__ import annotations

import json
import resource
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path

import pytest
from devices_of_people import People, Person
from fake_link import FakeLink
from served_kiosk import served
from starlette.websockets import WebSocketDisconnect
from waiting import until

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.web import events_socket
from roboinstruct_ros.web.access.access import COOKIE, PAIRING_OF_ALL
from roboinstruct_ros.web.access.audit import AuditLog
from roboinstruct_ros.web.access.devices import DAY, PIN_LIFE, PIN_TRIES, PINS, Devices
from roboinstruct_ros.web.access.rate_limit import RateLimit
from roboinstruct_ros.web.access.roles import Role
from roboinstruct_ros.web.client import KioskClient
from roboinstruct_ros.web.web_error import WebError

CANNOT_READ = "the devices cannot be read now: no such table: devices"
EVIL = "<img src=x onerror=alert(1)>"


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def refused(devices: Devices, pin: str) -> str:
    with pytest.raises(WebError) as fault:
        devices.pair(pin, "tablet", "10.0.0.7")
    return fault.value.code.name


def another(pin: str) -> str:
    return f"{(int(pin) + 1) % 10**6:06}"


# The PIN


def test_a_pin_lets_one_device_in_with_its_role() -> None:
    devices = Devices()
    pin = devices.new_pin(Role.VIEWER).pin
    device, token = devices.pair(pin, "tablet", "10.0.0.7")
    assert (device.role, device.address) == (Role.VIEWER, "10.0.0.7")
    assert devices.of_token(token) == device
    assert refused(devices, pin) == "WRONG_PIN"


def test_a_pin_is_over_after_two_minutes() -> None:
    clock = Clock()
    devices = Devices(clock=clock)
    pin = devices.new_pin(Role.VIEWER).pin
    clock.now += PIN_LIFE + 0.1
    assert refused(devices, pin) == "WRONG_PIN"


def test_the_right_pin_is_void_before_one_in_a_thousand_was_tried() -> None:
    assert PIN_TRIES / PINS < 1e-3
    devices = Devices()
    pin = devices.new_pin(Role.ENGINEER).pin
    for _ in range(PIN_TRIES):
        assert refused(devices, another(pin)) == "WRONG_PIN"
    assert refused(devices, pin) == "WRONG_PIN"


def test_wrong_pins_count_on_over_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "devices.sqlite"
    pin = Devices(path).new_pin(Role.ENGINEER).pin
    for start in (Devices(path), Devices(path)):
        for _ in range(PIN_TRIES // 2):
            refused(start, another(pin))
    assert refused(Devices(path), pin) == "WRONG_PIN"


def test_a_new_pin_makes_an_earlier_one_void() -> None:
    devices = Devices()
    first, second = devices.new_pin(Role.VIEWER).pin, devices.new_pin(Role.VIEWER).pin
    if first != second:
        assert refused(devices, first) == "WRONG_PIN"
    devices.pair(second, "tablet", "10.0.0.7")


@pytest.mark.parametrize("pin", ["none", "", "12345", "1234567", "１２３４５６", "\ud800"])
def test_without_a_pin_nothing_lets_in(pin: str) -> None:
    assert refused(Devices(), pin) == "WRONG_PIN"


def test_brute_force_gets_few_tries_and_is_told_to_wait(people: People) -> None:
    people.here.ask("POST", "/pin", {"role": "engineer"})
    thief = people.stranger()
    tries = [thief.ask("POST", "/pair", {"pin": f"{n:06}", "name": "x"}) for n in range(40)]
    statuses = [answer.status_code for answer in tries]
    assert statuses[:5] == [403] * 5
    assert set(statuses[5:]) == {429}
    assert tries[-1].json()["error_name"] == "TOO_OFTEN"


def test_brute_force_from_many_addresses_gets_few_tries_too(people: People) -> None:
    people.here.ask("POST", "/pin", {"role": "engineer"})
    body = {"pin": "000000", "name": "x"}
    statuses = [
        people.stranger(f"10.0.{n}.1").ask("POST", "/pair", body).status_code for n in range(60)
    ]
    assert set(statuses) == {403}  # each of them has its own few
    tries, clock = 0, Clock()
    people.access.pairing_of_all = RateLimit(*PAIRING_OF_ALL, clock)
    end = clock.now + PIN_LIFE
    while clock.now < end:
        for number in range(100):  # as many a second as the network brings
            with suppress(WebError):
                people.access.check_pairing(f"10.{tries % 200}.{number}.{int(clock.now) % 250}")
                tries += 1
        clock.now += 0.1
    assert 800 < tries < PINS / 1000


def test_who_has_a_whole_network_of_ipv6_is_one_address(people: People) -> None:
    people.here.ask("POST", "/pin", {"role": "engineer"})
    body = {"pin": "000000", "name": "x"}
    asked = [people.stranger(f"2001:db8::{n:x}").ask("POST", "/pair", body) for n in range(1, 20)]
    assert [one.status_code for one in asked].count(403) == 5
    assert people.stranger("2001:db8:0:1::1").ask("POST", "/pair", body).status_code == 403


def test_a_stranger_who_types_wrong_pins_keeps_nobody_else_from_pairing(people: People) -> None:
    pin = people.here.ask("POST", "/pin", {"role": "operator"}).json()["pin"]
    thief = people.stranger("10.0.0.66")
    tries = [thief.ask("POST", "/pair", {"pin": another(pin), "name": "x"}) for _ in range(100)]
    assert {one.status_code for one in tries} == {403, 429}
    holder = people.stranger("10.0.0.7").ask("POST", "/pair", {"pin": pin, "name": "tablet"})
    assert holder.status_code == 201


def test_a_pin_is_spent_by_no_request_that_cannot_be_read(people: People) -> None:
    pin = people.here.ask("POST", "/pin", {"role": "viewer"}).json()["pin"]
    for name in ("", " ", "\u202eevil", "a\nb\u0000", "kiosk", "x" * 41):
        answer = people.stranger().ask("POST", "/pair", {"pin": pin, "name": name})
        assert answer.status_code == 422, name
    people.access.pairing = RateLimit(5, 60.0)
    good = people.stranger().ask("POST", "/pair", {"pin": pin, "name": "tablet"})
    assert good.status_code == 201


# Sessions


def test_a_page_gets_a_cookie_that_scripts_and_other_sites_do_not(people: People) -> None:
    pin = people.here.ask("POST", "/pin", {"role": "viewer"}).json()["pin"]
    answer = people.stranger().ask("POST", "/pair", {"pin": pin, "name": "tablet"})
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    for needed in ("HttpOnly", "Secure", "SameSite=strict", "Path=/"):
        assert needed in cookie
    phone = people.stranger()
    phone.headers["Cookie"] = f"other=1; {COOKIE}={answer.json()['token']}"
    assert phone.ask("GET", "/me").json()["name"] == "tablet"


def test_a_device_is_let_in_no_more_after_its_days() -> None:
    clock = Clock()
    devices = Devices(days=2.0, clock=clock)
    _, token = devices.pair(devices.new_pin(Role.VIEWER).pin, "tablet", "10.0.0.7")
    clock.now += 2 * DAY - 1
    assert devices.of_token(token) is not None
    clock.now += 2
    assert devices.of_token(token) is None
    assert devices.all() == []


def test_a_withdrawn_device_is_refused_and_its_open_page_closed(people: People) -> None:
    anna, boss = people.let_in(Role.OPERATOR), people.let_in(Role.ENGINEER, "boss")
    with anna.open_page() as socket:
        assert socket.receive_json()["you"]["id"] == anna.id
        assert boss.ask("POST", f"/devices/{anna.id}/withdraw").status_code == 200
        with pytest.raises(WebSocketDisconnect) as closed:
            while True:
                socket.receive_json()
    assert closed.value.code == 4001
    assert anna.ask("GET", "/tasks").json()["error_name"] == "NOT_PAIRED"


def test_a_device_may_withdraw_itself_and_no_other(people: People) -> None:
    anna, bob = people.let_in(Role.OPERATOR), people.let_in(Role.VIEWER, "bob")
    assert bob.ask("POST", f"/devices/{anna.id}/withdraw").status_code == 403
    assert bob.ask("POST", f"/devices/{bob.id}/withdraw").status_code == 200
    assert bob.ask("GET", "/me").status_code == 401


def test_a_full_disk_keeps_no_device_out(tmp_path: Path) -> None:
    clock = Clock()
    devices = Devices(tmp_path / "devices.sqlite", clock=clock)
    device, token = devices.pair(devices.new_pin(Role.VIEWER).pin, "tablet", "10.0.0.7")
    clock.now += DAY
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, before[1]))
    try:
        found = devices.of_token(token)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert found is not None and found.id == device.id
    later = devices.of_token(token)  # noted as used again, once there is room
    assert later is not None and devices.all()[0].used == clock.now


def test_a_change_that_another_process_held_up_holds_up_no_later_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "devices.sqlite"
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, **{**k, "timeout": 0.05}))
    kiosk, other = Devices(path), sqlite3.connect(path)
    other.execute("BEGIN")
    other.execute("SELECT * FROM pin").fetchall()
    with pytest.raises(WebError, match="the devices cannot be changed now: database is locked"):
        kiosk.new_pin(Role.VIEWER)
    other.rollback()
    device, token = kiosk.pair(kiosk.new_pin(Role.VIEWER).pin, "tablet", "10.0.0.7")
    Devices(path).withdraw(device.id)
    assert kiosk.of_token(token) is None


def test_another_process_withdraws_too(tmp_path: Path) -> None:
    path = tmp_path / "devices.sqlite"
    kiosk = Devices(path)
    device, token = kiosk.pair(kiosk.new_pin(Role.VIEWER).pin, "tablet", "10.0.0.7")
    Devices(path).withdraw(device.id)
    assert kiosk.of_token(token) is None


def test_a_file_that_cannot_be_read_is_told_and_nobody_hears_that_it_is_not_let_in(
    people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events_socket, "STILL_PERIOD", 0.05)
    path = tmp_path / "devices.sqlite"
    people.access.devices = Devices(path)
    anna, other = people.let_in(Role.OPERATOR), sqlite3.connect(path)
    with anna.open_page() as page, pytest.raises(WebSocketDisconnect) as closed:
        assert page.receive_json()["type"] == "snapshot"
        other.execute("ALTER TABLE devices RENAME TO lost")
        while True:
            page.receive_json()
    assert (closed.value.code, closed.value.reason) == (1013, CANNOT_READ)
    answer = anna.ask("GET", "/tasks")
    assert (answer.status_code, answer.json()["error_name"]) == (503, "DEVICES_FAILED")
    assert answer.json()["message"] == CANNOT_READ
    with anna.open_page() as page, pytest.raises(WebSocketDisconnect) as closed:
        page.receive_json()
    assert closed.value.code == 1013
    other.execute("ALTER TABLE lost RENAME TO devices")
    with anna.open_page() as page:
        assert page.receive_json()["type"] == "snapshot"


def test_a_stolen_file_lets_nobody_in(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "devices.sqlite"
    devices = Devices(path)
    _, token = devices.pair(devices.new_pin(Role.VIEWER).pin, "tablet", "10.0.0.7")
    assert token.encode() not in path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_is_none_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "devices.sqlite"
    path.write_text("this is no database, but a text that is long enough" * 100)
    with pytest.raises(InputError, match=r"devices\.sqlite: .*pair the devices again"):
        Devices(path)


@pytest.mark.parametrize("token", ["", "x", "\x00", "é" * 5000, "' OR 1=1 --"])
def test_a_made_up_token_is_nobodys(people: People, token: str) -> None:
    thief = people.stranger()
    thief.headers["Authorization"] = b"Bearer " + token.encode()
    assert thief.ask("GET", "/tasks").status_code == 401


# Behind a proxy


def test_who_comes_by_the_proxy_is_never_of_this_machine(people: People) -> None:
    people.access.arrivals._proxy = "127.0.0.2"
    phone = Person(people.client, "127.0.0.2", "", "")
    assert "X-Forwarded-For" in phone.ask("GET", "/me").json()["message"]
    phone.headers["X-Forwarded-For"] = "127.0.0.1, 10.0.0.8"
    assert phone.ask("GET", "/me").json()["error_name"] == "NOT_PAIRED"
    pin = people.here.ask("POST", "/pin", {"role": "viewer"}).json()["pin"]
    paired = phone.ask("POST", "/pair", {"pin": pin, "name": "phone"}).json()
    assert paired["device"]["address"] == "10.0.0.8"


@pytest.mark.parametrize("header", ["X-Forwarded-For", "X-Real-IP", "Forwarded"])
def test_a_proxy_that_nobody_stated_is_not_this_machine(people: People, header: str) -> None:
    proxied = Person(people.client, "127.0.0.1", "", "")
    assert proxied.ask("GET", "/me").json()["role"] == "engineer"
    proxied.headers[header] = "for=10.0.0.8"
    refused = proxied.ask("GET", "/me")
    assert (refused.status_code, refused.json()["error_name"]) == (401, "NOT_PAIRED")
    assert "--proxy 127.0.0.1" in refused.json()["message"]


def test_nobody_else_is_believed_to_speak_for_others(people: People) -> None:
    liar = people.stranger("10.0.0.9")
    liar.headers["X-Forwarded-For"] = "127.0.0.1"
    assert liar.ask("GET", "/me").status_code == 401


# How often


def test_another_machine_that_asks_without_end_is_told_to_wait(people: People) -> None:
    anna = people.let_in(Role.VIEWER)
    people.access.requests = RateLimit(20, 60.0)
    answers = [anna.ask("GET", "/me") for _ in range(30)]
    assert [one.status_code for one in answers] == [200] * 20 + [429] * 10
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert people.here.ask("GET", "/me").status_code == 200
    assert people.let_in  # and this machine goes on


def test_a_bucket_fills_again() -> None:
    clock = Clock()
    limit = RateLimit(2, 10.0, clock)
    assert [limit.take("a") for _ in range(3)] == [0.0, 0.0, 5.0]
    assert limit.take("b") == 0.0
    clock.now += 5.0
    assert limit.take("a") == 0.0


# The record


def lines_of(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_record_says_who_did_what_when_and_from_where(people: People, tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    people.access.audit = AuditLog(path)
    anna = people.let_in(Role.OPERATOR, EVIL)
    anna.ask("POST", "/tasks", {"text": "Go to the kitchen."})
    anna.ask("GET", "/tasks")
    anna.ask("POST", "/pin", {"role": "engineer"})
    people.stranger().ask("POST", "/tasks", {"text": "x"})
    made, paired, asked, refused, unknown = lines_of(path)
    assert (made["who"], made["what"], made["status"]) == ("kiosk", "POST /api/v1/pin", 201)
    assert (paired["paired"], paired["as"], paired["from"]) == (anna.id, "operator", anna.address)
    assert (asked["who"], asked["device"], asked["from"]) == (EVIL, anna.id, anna.address)
    assert (refused["who"], refused["status"]) == (EVIL, 403)
    assert (unknown["who"], unknown["status"], unknown["from"]) == (None, 401, "10.0.0.66")
    assert "pin" not in json.dumps(paired).replace("POST /api/v1/pair", "")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_record_outlives_a_restart_and_rotates(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    AuditLog(path, most=400, kept=2).note(None, "10.0.0.1", "first")
    log = AuditLog(path, most=400, kept=2)
    assert [line["what"] for line in lines_of(path)] == ["first"]
    for number in range(30):
        log.note(None, "10.0.0.1", f"number {number}")
    kept = sorted(tmp_path.iterdir())
    assert [one.name for one in kept] == ["audit.jsonl", "audit.jsonl.1", "audit.jsonl.2"]
    assert all(one.stat().st_size <= 400 for one in kept)
    assert lines_of(path)[-1]["what"] == "number 29"


def test_strangers_do_not_push_out_what_others_did(people: People, tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    people.access.audit = AuditLog(path)
    for n in range(300):
        people.stranger(f"10.1.{n % 250}.1").ask("POST", "/tasks", {"text": "x"})
    assert len(lines_of(path)) <= 61


def test_a_full_disk_ends_nothing(people: People, caplog: pytest.LogCaptureFixture) -> None:
    people.access.audit = AuditLog(Path("/dev/full"))
    assert people.here.ask("POST", "/pause", {"paused": True}).status_code == 202
    assert "cannot be recorded" in caplog.text


# Stop


def test_stop_is_everybodys_and_recorded(people: People, link: FakeLink, tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    people.access.audit = AuditLog(path)
    with served(people.client.app._app) as port:  # type: ignore[attr-defined]
        KioskClient(f"http://127.0.0.1:{port}").stop()
        until(lambda: link.stops and lines_of(path))
    [line] = lines_of(path)
    assert (line["who"], line["what"], line["from"]) == ("kiosk", "stop", "127.0.0.1")
