"""The wall in front of every route: who may ask, how much, and what browsers may do with it.

The kiosk moves a robot and has no password, so a web page of somebody else must not reach it: not
by a form or fetch from another site (Origin), nor under another name that resolves here (Host).
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from roboinstruct_ros.web.web_error import WebErrorCode, error_json

MAX_BODY = 64 * 1024
"""Bytes of a request; the longest instruction is far below it."""

EXCHANGE_LIMIT = 10.0
"""Time that a request and its answer may take, s."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


class OwnHosts:
    """Who may ask, by the headers of a request.

    Args:
        host_names: Names, beside `localhost`, this machine's own and literal IP addresses, under
            which a browser may call the kiosk.
    """

    def __init__(self, host_names: Iterable[str] = ()) -> None:
        own = socket.gethostname().lower()
        self._names = {"localhost", own, f"{own}.local", *(n.lower() for n in host_names)} - {""}

    def fault(self, headers: Headers) -> str | None:
        """Why a request with these headers is refused; None when it is not."""
        host = headers.get("host", "")
        if not self._is_own(host):
            return f"the kiosk does not answer to the name '{host[:60]}'; add it to allowed_hosts"
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != host.lower():
            return f"requests from {origin[:60]} are refused; open the kiosk's own page"
        cross_site = origin is None and headers.get("sec-fetch-site") == "cross-site"
        # Following a link to the page is fine, everything else from another site is not.
        if cross_site and headers.get("sec-fetch-mode") != "navigate":
            return "requests from another site are refused; open the kiosk's own page"
        return None

    def _is_own(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self._names:
            return True
        try:
            # Only a name can be made to resolve to another machine; an address is what it says.
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


class Guard:
    """ASGI middleware; refuses with 403 (typed JSON), for a WebSocket before it is accepted.

    Args:
        hosts: who may ask.
        exchange_limit: time that a request and its answer may take, s; no handler waits, so it is
            spent only on a client that sends or reads slowly.
    """

    def __init__(
        self, app: ASGIApp, hosts: OwnHosts, exchange_limit: float = EXCHANGE_LIMIT
    ) -> None:
        self._app, self._hosts, self._limit = app, hosts, exchange_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        fault = self._hosts.fault(Headers(scope=scope))
        if scope["type"] == "websocket":
            if fault is None:
                await self._app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008, "reason": fault[:120]})
        elif fault is None:
            await self._exchange(scope, receive, _with_headers(send))
        else:
            answer = JSONResponse(error_json(WebErrorCode.FOREIGN_ORIGIN, fault), 403)
            await answer(scope, receive, _with_headers(send))

    async def _exchange(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await asyncio.wait_for(self._app(scope, _limited(scope, receive), noted), self._limit)
        except asyncio.TimeoutError:
            if not begun:  # else the connection is closed in the middle of the answer
                message = f"the request was not complete after {self._limit:g} s"
                answer = JSONResponse(error_json(WebErrorCode.TOO_LATE, message), 408)
                await answer(scope, receive, send)


def _limited(scope: Scope, receive: Receive) -> Receive:
    taken = 0
    announced = Headers(scope=scope).get("content-length", "0")

    async def limited() -> Message:
        nonlocal taken
        if announced.isdigit() and int(announced) > MAX_BODY:
            raise HTTPException(413)
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > MAX_BODY:
            raise HTTPException(413)
        return message

    return limited


def _with_headers(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            # So that every request comes by the front door, where Stop is served.
            headers["Connection"] = "close"
        await send(message)

    return with_headers
