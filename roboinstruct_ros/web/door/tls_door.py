"""Where other machines come in: TLS ends here, and what was in it goes to the front door.

A thread and a loop of its own, so that a busy web server delays no Stop here either. Each
connection gets one to the front door on this machine, and `Arrivals` is told whose that is.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import ssl
import threading
from collections import Counter

from roboinstruct_ros.web.access.arrivals import TLS_SIDE, Arrivals
from roboinstruct_ros.web.door.front_door import end_if_gone

HANDSHAKE_LIMIT = 5.0
"""Time that a client gets for its handshake, s."""
CLOSE_LIMIT = 1.0
CHUNK = 64 * 1024
MOST = 96
"""Connections in all; each takes two descriptors here."""
MOST_OF_ONE = 80
"""Connections of one address."""

_log = logging.getLogger(__name__)


class TlsDoor:
    """A listening socket for other machines.

    Args:
        listening: is closed with the door.
        inner: address of the front door.
    """

    def __init__(
        self,
        listening: socket.socket,
        context: ssl.SSLContext,
        inner: tuple[str, int],
        arrivals: Arrivals,
    ) -> None:
        self._listening, self._context = listening, context
        self._inner, self._arrivals = inner, arrivals
        self._open: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="tls door", daemon=True)

    def open(self) -> None:
        """Begins to serve."""
        self._listening.setblocking(False)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread and every connection."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(CLOSE_LIMIT)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        accepting = self._loop.create_task(self._accept())
        self._loop.run_forever()
        for task in (accepting, *self._tasks):
            task.cancel()
        self._loop.run_until_complete(
            asyncio.gather(accepting, *self._tasks, return_exceptions=True)
        )
        self._loop.close()
        self._listening.close()

    async def _accept(self) -> None:
        while True:
            try:
                connection, address = await self._loop.sock_accept(self._listening)
            except OSError as error:
                _log.warning("a connection cannot be taken: %s", error)
                await asyncio.sleep(0.1)
                continue
            if self._open.total() >= MOST or self._open[address[0]] >= MOST_OF_ONE:
                connection.close()
                continue
            end_if_gone(connection)
            self._open[address[0]] += 1
            task = self._loop.create_task(self._serve(connection, address[0]))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _serve(self, connection: socket.socket, address: str) -> None:
        try:
            # What fails here is the client's: no handshake, no answer, an end in the middle.
            with contextlib.suppress(OSError, asyncio.TimeoutError, asyncio.IncompleteReadError):
                await self._pass_on(connection, address)
        finally:
            connection.close()
            self._open[address] -= 1
            self._open += Counter()  # drops what is 0

    async def _pass_on(self, connection: socket.socket, address: str) -> None:
        reader = asyncio.StreamReader(CHUNK)
        protocol = asyncio.StreamReaderProtocol(reader)
        transport, _ = await self._loop.connect_accepted_socket(
            lambda: protocol,
            connection,
            ssl=self._context,
            ssl_handshake_timeout=HANDSHAKE_LIMIT,
        )
        writer = asyncio.StreamWriter(transport, protocol, reader, self._loop)
        inner_reader, inner_writer = await asyncio.open_connection(
            *self._inner, local_addr=(TLS_SIDE, 0)
        )
        peer = inner_writer.get_extra_info("sockname")[:2]
        self._arrivals.enter(peer, address)  # before the first byte is passed on
        ways = [
            self._loop.create_task(_pump(reader, inner_writer)),
            self._loop.create_task(_pump(inner_reader, writer)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            self._arrivals.leave(peer)
            inner_writer.close()
            writer.close()
            try:
                await asyncio.wait_for(writer.wait_closed(), CLOSE_LIMIT)
            except (OSError, asyncio.TimeoutError):
                # Else the loop would go on watching a number that the next connection may get.
                transport.abort()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
