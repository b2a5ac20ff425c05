"""ASGI middleware: how often other machines may ask, and the record of what was done."""

from __future__ import annotations

import math

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from roboinstruct_ros.web.access.access import Access
from roboinstruct_ros.web.web_error import WebError, WebErrorCode, error_json

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing, and are not recorded."""


class Watch:
    """Refuses with 429 whoever asks too often; nobody at this machine does. Stop is not here."""

    def __init__(self, app: ASGIApp, access: Access, below: str) -> None:
        self._app, self._access, self._below = app, access, below

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or not scope["path"].startswith(self._below):
            await self._app(scope, receive, send)
            return
        try:
            arrival = self._access.arrival(scope)
        except WebError:  # the route refuses it, in its own words
            address, wait = str((scope.get("client") or ("",))[0]), 0.0
        else:
            address = arrival.address
            wait = 0.0 if arrival.local else self._access.requests.take(address)
        if wait:
            await _refuse(scope, receive, send, wait)
        elif scope["type"] == "websocket" or scope["method"] in SAFE:
            await self._app(scope, receive, send)
        else:
            await self._recorded(address, scope, receive, send)

    async def _recorded(self, address: str, scope: Scope, receive: Receive, send: Send) -> None:
        state = scope.setdefault("state", {})
        status = 0

        async def noted(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            what = f"{scope['method']} {scope['path'][:200]}"
            told = state.get("told", {})
            self._access.note(state.get("caller"), address, what, status=status, **told)


async def _refuse(scope: Scope, receive: Receive, send: Send, wait: float) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1013, "reason": "too many requests"})
        return
    message = f"too many requests; try again in {math.ceil(wait)} s"
    answer = JSONResponse(
        error_json(WebErrorCode.TOO_OFTEN, message), 429, {"Retry-After": str(math.ceil(wait))}
    )
    await answer(scope, receive, send)
