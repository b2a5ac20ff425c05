"""Devices of several people, and this machine's own page, before one kiosk on one loop."""

from __future__ import annotations

from typing import Any

import httpx
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.types import Receive, Scope, Send

from roboinstruct_ros.web.access.access import Access
from roboinstruct_ros.web.access.arrivals import TLS_SIDE
from roboinstruct_ros.web.access.roles import Role

FROM = "x-comes-from"
PORT = 50000
API = "/api/v1"


class _FromWhere:
    """Gives each request the peer that a header names; none is this machine.

    Args:
        by_tls: port at the TLS door's side of each address that comes by it.
    """

    def __init__(self, app: FastAPI, by_tls: dict[str, int]) -> None:
        self._app, self._by_tls = app, by_tls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            address = dict(scope["headers"]).get(FROM.encode(), b"127.0.0.1").decode()
            port = self._by_tls.get(address)
            scope["client"] = (TLS_SIDE, port) if port else (address, PORT)
        await self._app(scope, receive, send)


class Person:
    """One device, or nobody's where it has no token."""

    def __init__(self, client: TestClient, address: str, device_id: str, token: str) -> None:
        self._client, self.address, self.id, self.token = client, address, device_id, token
        self.headers: dict[str, str | bytes] = {FROM: address} | (
            {"Authorization": f"Bearer {token}"} if token else {}
        )

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """A request below the API."""
        self._client.cookies.clear()  # each device keeps its own
        return self._client.request(method, API + path, json=body, headers=self.headers)

    def open_page(self) -> Any:
        """The socket of a page; a context manager."""
        return self._client.websocket_connect(
            f"wss://localhost:8443{API}/events", headers=self.headers
        )


class People:
    """A kiosk, and who stands before it."""

    def __init__(self, app: FastAPI) -> None:
        self.access: Access = app.state.access
        self._by_tls: dict[str, int] = {}
        origin: Any = _FromWhere(app, self._by_tls)
        self.client = TestClient(origin, base_url="https://localhost:8443")
        self.here = Person(self.client, "127.0.0.1", "local", "")

    def __enter__(self) -> People:
        self.client.__enter__()
        return self

    def __exit__(self, *told: Any) -> None:
        self.client.__exit__(*told)

    def stranger(self, address: str = "10.0.0.66") -> Person:
        """Somebody with a browser on the network, who came in by TLS."""
        port = self._by_tls.setdefault(address, PORT + 1 + len(self._by_tls))
        self.access.arrivals.enter((TLS_SIDE, port), address)
        return Person(self.client, address, "", "")

    def let_in(self, role: Role, name: str = "Anna's tablet", address: str = "10.0.0.7") -> Person:
        """Somebody who has paired a device."""
        pin = self.here.ask("POST", "/pin", {"role": role.value}).json()["pin"]
        answer = self.stranger(address).ask("POST", "/pair", {"pin": pin, "name": name})
        assert answer.status_code == 201, answer.text
        paired = answer.json()
        return Person(self.client, address, paired["device"]["id"], paired["token"])
