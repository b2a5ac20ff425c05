"""The web server behind the front door."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import socket
import ssl
from collections.abc import Iterator
from typing import Any

import uvicorn
from fastapi import FastAPI
from starlette.datastructures import Headers

from roboinstruct_ros.web.door.front_door import FrontDoor
from roboinstruct_ros.web.door.guard import MAX_BODY
from roboinstruct_ros.web.door.tls_door import TlsDoor

NetworkSide = tuple[socket.socket, ssl.SSLContext]
"""A listening socket for other machines, with the certificate that they are shown."""


class KioskServer(uvicorn.Server):
    """uvicorn with connections that the front door has accepted.

    uvicorn 0.54 takes listening sockets only, and all that it does with one is to give
    `loop.create_server` a factory of its protocol. Given no socket it starts, ticks and ends as
    always; what the door hands over gets the same protocol by `loop.connect_accepted_socket`.

    Args:
        app: as `create_app` makes it.
        listening: where the door is.
        network: where other machines come in, and by which certificate.
    """

    def __init__(
        self, app: FastAPI, listening: socket.socket, network: NetworkSide | None = None
    ) -> None:
        options = {"log_level": "warning", "access_log": False, "ws_max_size": MAX_BODY}
        # Who is believed to speak for others is `Arrivals`' to say.
        options["proxy_headers"] = False
        super().__init__(uvicorn.Config(app, timeout_graceful_shutdown=1, **options))  # type: ignore[arg-type]
        self._loop: asyncio.AbstractEventLoop
        stop, self._access = app.state.session.stop, app.state.access
        self._door = FrontDoor(
            listening,
            lambda pressed: stop("Stop pressed", pressed),
            app.state.hosts.fault,
            self._take_over,
            address_of=self._access.arrivals.address_of,
            note_stop=self._note_stop,
        )
        self._tls: TlsDoor | None = None
        if network is not None:
            inner = listening.getsockname()[:2]
            self._tls = TlsDoor(*network, inner, self._access.arrivals)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup([])
        self._loop = asyncio.get_running_loop()
        self._door.open()
        if self._tls is not None:
            self._tls.open()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._tls is not None:
            self._tls.close()
        self._door.close()
        await super().shutdown([])

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves signals alone: uvicorn would raise them again after its end."""
        yield

    def _note_stop(self, peer: tuple[str, int], headers: Headers) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has closed in between
            self._loop.call_soon_threadsafe(self._access.note_stop, peer, headers)

    def _take_over(self, connection: socket.socket) -> None:
        try:
            self._loop.call_soon_threadsafe(self._connect, connection)
        except RuntimeError:  # the loop has closed in between
            connection.close()

    def _connect(self, connection: socket.socket) -> None:
        task = self._loop.create_task(self._serve_one(connection))
        # The set keeps the task while it lasts.
        self.server_state.tasks.add(task)
        task.add_done_callback(self.server_state.tasks.discard)

    async def _serve_one(self, connection: socket.socket) -> None:
        protocol: Any = self.config.http_protocol_class
        make = functools.partial(
            protocol, self.config, self.server_state, self.lifespan.state, self._loop
        )
        with contextlib.suppress(OSError):  # the client has gone in between
            await self._loop.connect_accepted_socket(make, connection)
