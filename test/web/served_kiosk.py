"""The kiosk behind its front door, on a port of this machine."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient
from waiting import until

from roboinstruct_ros.web.door.server import KioskServer, NetworkSide


def press_stop(page: TestClient, pressed: float | None = None) -> None:
    """Stop as the front door tells it, on a thread that is not the loop's."""
    app: Any = page.app
    app.state.session.stop("Stop pressed", pressed)


@contextmanager
def served(app: FastAPI, port: int = 0, network: NetworkSide | None = None) -> Iterator[int]:
    """The kiosk on its port; the web server's loop is `app.state.loop`."""
    listening = socket.create_server(("127.0.0.1", port), backlog=4096)
    port = listening.getsockname()[1]
    server = KioskServer(app, listening, network)

    async def serve() -> None:
        app.state.loop = asyncio.get_running_loop()
        await server.serve()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    until(lambda: server.started)
    try:
        yield port
    finally:
        server.should_exit = True
        thread.join()
