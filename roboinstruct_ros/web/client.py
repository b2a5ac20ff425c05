"""A Python client of the kiosk: what the page does, without the page.

kiosk = KioskClient("http://127.0.0.1:8080")
task = kiosk.wait_for_plan(kiosk.ask("Go to the kitchen."))
kiosk.approve(task)
print(kiosk.wait_for_end(task).phase)
"""

from __future__ import annotations

import hashlib
import http.client
import json
import socket
import ssl
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote, urlsplit

from websockets.sync.client import ClientConnection, connect

from roboinstruct_ros.web.door.request_head import API
from roboinstruct_ros.web.messages import EventMessage, ForgottenTold, Snapshot, TaskTold
from roboinstruct_ros.web.task_view import MAX_CALLS, MAX_PRINTED, Phase, TaskView

TIMEOUT = 30.0
"""Time for one request, or for a WebSocket to open, s."""
MAX_MESSAGE = 16 * 1024 * 1024


class KioskRefused(Exception):
    """The kiosk did not do it: `name` as in its API, and one line."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"{name}: {message}")
        self.name, self.message = name, message


class KioskClient:
    """One device that uses a kiosk.

    Args:
        url: of the kiosk; `https` from another machine.
        token: as `pair` gives it; this machine needs none.
        fingerprint: SHA-256 of the kiosk's certificate, as `roboinstruct up` shows it; empty takes
            a certificate that this machine trusts.
    """

    def __init__(self, url: str, token: str = "", fingerprint: str = "") -> None:
        parts = urlsplit(url)
        secure = parts.scheme == "https"
        self._host = parts.hostname or "127.0.0.1"
        self._port = parts.port or (443 if secure else 80)
        self._token, self._fingerprint = token, fingerprint.replace(":", "").lower()
        # Before a connection is open: reading all that this machine trusts takes long.
        self._tls = _context(bool(self._fingerprint)) if secure else None

    def pair(self, pin: str, name: str) -> str:
        """The token of this device from now on, which this client uses at once."""
        self._token = str(self.request("POST", "/pair", {"pin": pin, "name": name})["token"])
        return self._token

    def ask(self, text: str) -> TaskView:
        """Has a program written; nothing moves."""
        return self._task("POST", "/tasks", {"text": text})

    def tasks(self) -> list[TaskView]:
        """Of the kiosk's session, oldest first."""
        return [TaskView.model_validate(one) for one in self.request("GET", "/tasks")]

    def wait_for_plan(self, task: TaskView) -> TaskView:
        """The task when its program is written, or something is said instead."""
        return self._wait(task, lambda now: now.phase is not Phase.WRITING)

    def approve(self, task: TaskView) -> TaskView:
        """Runs the program, if it is still the one in `task`."""
        return self._task("POST", f"/tasks/{quote(task.id)}/approve", {"sha256": task.sha256})

    def wait_for_end(self, task: TaskView) -> TaskView:
        """The task when its run is over, or its program was put away."""
        return self._wait(task, lambda now: now.ended or now.phase is Phase.DISCARDED)

    def follow(self, task: TaskView) -> Iterator[TaskView]:
        """The task as it is now, then each time that it changes; ends with the connection.

        Raises:
            KioskRefused: NOT_FOUND, the kiosk has been started anew or has forgotten the task.
        """
        tasks: dict[str, dict[str, Any]] = {}
        for message in self.messages():
            gone = isinstance(message, ForgottenTold) and message.id == task.id
            if isinstance(message, Snapshot):
                tasks = {one.id: one.model_dump() for one in message.tasks}
                told, gone = task.id in tasks, task.id not in tasks
            elif told := isinstance(message, TaskTold) and message.task.id == task.id:  # type: ignore[attr-defined]
                change = message.task.model_dump(exclude_unset=True)  # type: ignore[attr-defined]
                tasks[task.id] = merged(tasks.get(task.id, {}), change)
            if gone:
                raise KioskRefused("NOT_FOUND", "the kiosk does not know this task any more")
            if told:
                yield TaskView.model_validate(tasks[task.id])

    def stop(self) -> None:
        """Stops the robot now."""
        self.request("POST", "/stop")

    def messages(self) -> Iterator[Any]:
        """What happens, as `messages.py` has it; ends with the connection."""
        with self._socket() as events:
            for text in events:
                yield EventMessage.validate_json(text)

    def request(self, method: str, path: str, body: Any = None) -> Any:
        """One request below the API.

        Raises:
            KioskRefused: with the kiosk's own reason.
            OSError: there is no kiosk, or another one.
        """
        connection = self._connection()
        try:
            headers = {"Content-Type": "application/json", **self._leave()}
            sent = None if body is None else json.dumps(body)
            connection.request(method, API + path, sent, headers)
            answer = connection.getresponse()
            told = json.loads(answer.read() or b"null")
        finally:
            connection.close()
        if answer.status >= 400:
            raise KioskRefused(told["error_name"], told["message"])
        return told

    def _task(self, method: str, path: str, body: Any = None) -> TaskView:
        return TaskView.model_validate(self.request(method, path, body))

    def _wait(self, task: TaskView, until: Callable[[TaskView], bool]) -> TaskView:
        for now in self.follow(task):
            if until(now):
                return now
        raise ConnectionError("the kiosk has ended the connection")

    def _leave(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._token}"} if self._token else {}

    def _connection(self) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection(self._host, self._port, timeout=TIMEOUT)
        connection.sock = self._connected()
        return connection

    def _socket(self) -> ClientConnection:
        # TLS stands already; and no proxy of the environment stands between it and a robot.
        connection = self._connected()
        connection.settimeout(None)  # nothing may happen for long
        return connect(
            f"ws://{self._host}:{self._port}{API}/events",
            sock=connection,
            open_timeout=TIMEOUT,
            additional_headers=self._leave(),
            max_size=MAX_MESSAGE,
            proxy=None,
        )

    def _connected(self) -> socket.socket:
        """A connection to the kiosk; whose it is, is known before anything is sent."""
        plain = socket.create_connection((self._host, self._port), TIMEOUT)
        if self._tls is None:
            return plain
        secure = self._tls.wrap_socket(plain, server_hostname=self._host)
        shown = hashlib.sha256(secure.getpeercert(True) or b"").hexdigest()
        if self._fingerprint and shown != self._fingerprint:
            secure.close()
            raise ConnectionError(f"this is another kiosk: its certificate's SHA-256 is {shown}")
        return secure


def _context(by_fingerprint: bool) -> ssl.SSLContext:
    if not by_fingerprint:
        return ssl.create_default_context()
    # The certificate signs itself: what it is, is all there is to know.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def merged(before: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """A task with what a `TaskChange` says of it."""
    now = {**before, **{name: new for name, new in change.items() if name in TaskView.model_fields}}
    anew = before.get("run_started") != now.get("run_started")
    now["source"] = now.get("source", "") + change.get("source_more", "")
    calls = {} if anew else {one["index"]: one for one in before.get("calls", ())}
    calls |= {one["index"]: one for one in change.get("calls_more", ())}
    printed = [] if anew else list(before.get("printed", ()))
    if "calls" not in change:
        now["calls"] = [calls[index] for index in sorted(calls)][-MAX_CALLS:]
    if "printed" not in change:
        now["printed"] = [*printed, *change.get("printed_more", ())][-MAX_PRINTED:]
    return now
