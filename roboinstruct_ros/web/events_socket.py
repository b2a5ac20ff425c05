"""The socket on which a page follows everything: a snapshot first, then what changes."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect

from roboinstruct_ros.web.access.access import Access
from roboinstruct_ros.web.access.roles import Caller
from roboinstruct_ros.web.event_hub import Subscription
from roboinstruct_ros.web.session import Session
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

TOO_SLOW = 4008
"""Close code for a page that did not keep up; it may come back at once."""
CLOSE_LIMIT = 1.0
"""Time that a slow page gets to take its close code, s."""
UNPAIRED = 4001
"""Close code for a page whose device is not let in, or not any more."""
TRY_LATER = 1013
"""Close code for a page of which that cannot be known now; it may come back."""
STILL_PERIOD = 2.0
"""Time between two looks whether a device is still let in, s."""
ALIVE_PERIOD = 1.0
"""Time between two signs of life, s: a page that hears nothing counts as cut off."""
MAX_NOISE = 100
"""Messages of a page that are overlooked; one that sends more is closed."""


def offer_events(
    api: APIRouter, session: Session, access: Access, more: Callable[[], dict[str, Any]]
) -> None:
    """The socket over which a page hears everything.

    Args:
        more: what a snapshot has beside the session.
    """

    @api.websocket("/events")
    async def events(socket: WebSocket) -> None:
        await socket.accept()  # a page cannot read why it is refused before
        try:
            caller = access.caller(socket)
        except WebError as error:
            await socket.close(*_told(error))
            return
        with access.control.page_of(caller):
            await _follow(socket, session, access, more, caller)


async def _follow(
    socket: WebSocket,
    session: Session,
    access: Access,
    more: Callable[[], dict[str, Any]],
    caller: Caller,
) -> None:
    # before the subscription: it sends what is due
    seen = session.snapshot() | {"control": access.control.as_json(), "you": caller.as_json()}
    seen |= more()
    with session.hub.subscribed() as subscription:
        refused = asyncio.create_task(_refused(socket, access))
        work = [
            asyncio.create_task(_send(socket, json.dumps(seen), subscription)),
            asyncio.create_task(_receive(socket)),
            asyncio.create_task(_say_alive(subscription)),
            asyncio.create_task(subscription.too_slow.wait()),
            refused,
        ]
        try:
            await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in work:
                task.cancel()
    closed = _told(refused.result()) if refused.done() else (TOO_SLOW, "too slow")
    if subscription.too_slow.is_set() or closed[0] != TOO_SLOW:
        await asyncio.wait(work, timeout=CLOSE_LIMIT)
        with contextlib.suppress(Exception):
            await asyncio.wait_for(socket.close(*closed), CLOSE_LIMIT)


async def _refused(socket: WebSocket, access: Access) -> WebError:
    """Why nothing more is sent, once the page's device has expired or is withdrawn, here or by the
    command line, or that cannot be known."""
    while True:
        try:
            access.caller(socket)
        except WebError as error:
            return error
        await asyncio.sleep(STILL_PERIOD)


def _told(error: WebError) -> tuple[int, str]:
    """Close code and reason, bytes of which a frame has few."""
    unknown = error.code is WebErrorCode.DEVICES_FAILED
    return TRY_LATER if unknown else UNPAIRED, error.message[:120]


async def _say_alive(subscription: Subscription) -> None:
    while True:
        await asyncio.sleep(ALIVE_PERIOD)
        subscription.offer(json.dumps({"type": "alive"}), may_skip=True)


async def _send(socket: WebSocket, snapshot: str, subscription: Subscription) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(snapshot)
        while True:
            await socket.send_text(await subscription.next())


async def _receive(socket: WebSocket) -> None:
    """Waits for the end of a page, which has nothing to say here."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        for _ in range(MAX_NOISE):
            if (await socket.receive())["type"] == "websocket.disconnect":
                return
        await socket.close(1008, "nothing is read here")
