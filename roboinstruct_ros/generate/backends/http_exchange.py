"""One question to an HTTP server that the asker can leave at any moment.

Name look-up, connecting, waiting for the head and reading all block for as long as the other side
likes. They happen on a thread; the asker takes what has arrived and looks at its stop signal
between. `http.client` is enough for that, and a robot then needs no further library.
"""

from __future__ import annotations

import contextlib
import http.client
import queue
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType

from roboinstruct_ros.generate.backends.backend import StopSignal
from roboinstruct_ros.generate.backends.server_address import ServerAddress

POLL = 0.01  # s between two looks at the stop signal
WAITING = 256  # lines that may wait for the asker, so that a flood stays in the network
LONGEST_LINE = 1 << 20  # bytes
LONGEST_ANSWER = 8 << 20  # bytes


class ServerFault(Exception):
    """The server cannot be heard; `str()` goes on after the address and a colon."""


class Left(Exception):
    """The stop signal was set before the answer had ended."""


@dataclass(frozen=True)
class Question:
    """What is asked.

    Attributes:
        method: GET or POST.
        path: Whole path.
        body: JSON text; "" is none.
        headers: Names and values.
    """

    method: str
    path: str
    body: str
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Patience:
    """How long to wait, s.

    Attributes:
        connect: Until the connection stands.
        silence: Between two lines of the answer.
    """

    connect: float
    silence: float


@dataclass(frozen=True)
class Before:
    """A stop signal that is set `limit` seconds after `start`, or when `also` is."""

    limit: float
    start: float
    also: StopSignal | None = None

    def is_set(self) -> bool:
        """Whether it is too late."""
        late = time.monotonic() - self.start > self.limit
        return late or (self.also is not None and self.also.is_set())


class Exchange:
    """A question on its way. To be used in a `with`, whose end closes the connection."""

    def __init__(self, address: ServerAddress, question: Question, patience: Patience) -> None:
        self._address = address
        self._question = question
        self._patience = patience
        self._arrived: queue.Queue[str | int | bytes | Exception | None] = queue.Queue(WAITING)
        self._closed = threading.Event()
        self._socket: socket.socket | None = None

    def __enter__(self) -> Exchange:
        threading.Thread(target=self._read, name="model server", daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._closed.set()
        if self._socket is not None:
            # Ends a read that waits on the thread, and tells the server to stop writing. The method
            # of the plain socket: TLS's own forgets the state that the thread still reads with.
            with contextlib.suppress(OSError):  # it may be closed already
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def status(self, stop: StopSignal) -> int:
        """The answer's HTTP status.

        Raises:
            ServerFault: Nothing answers there, or not in HTTP, or not in time.
            Left: `stop` was set first.
        """
        patience = self._patience
        self._take(patience.connect, f"does not answer within {patience.connect:g} s", stop)
        status = self._take(patience.silence, self._silent, stop)
        assert isinstance(status, int)
        return status

    def lines(self, stop: StopSignal) -> Iterator[bytes]:
        """The answer's lines, each with its line break; only a last one may lack it.

        Raises:
            ServerFault: The connection broke, or nothing came for too long.
            Left: `stop` was set first.
        """
        while isinstance(line := self._take(self._patience.silence, self._silent, stop), bytes):
            yield line

    @property
    def _silent(self) -> str:
        return f"sent nothing for {self._patience.silence:g} s"

    def _take(self, patience: float, fault: str, stop: StopSignal) -> str | int | bytes | None:
        """What arrives next; raises `fault` when nothing does."""
        deadline = time.monotonic() + patience
        while not stop.is_set():
            try:
                arrived = self._arrived.get(timeout=POLL)
            except queue.Empty:
                if time.monotonic() > deadline:
                    raise ServerFault(fault) from None
                continue
            if isinstance(arrived, TimeoutError):
                raise ServerFault(fault) from None
            if isinstance(arrived, Exception):
                raise ServerFault(_in_words(arrived, self._address)) from None
            return arrived
        raise Left

    def _read(self) -> None:
        """On the thread: "" once connected, the status, the lines, None; or what went wrong."""
        connection: http.client.HTTPConnection | None = None
        try:
            connection = self._connection()
            connection.connect()
            self._socket = connection.sock
            self._tell("")
            connection.sock.settimeout(None)  # the asker keeps the time from here on
            question = self._question
            body = question.body.encode() or None
            connection.request(question.method, question.path, body, dict(question.headers))
            answer = connection.getresponse()
            self._tell(answer.status)
            while not self._closed.is_set() and (line := answer.readline(LONGEST_LINE)):
                self._tell(line)
            self._tell(None)
        except Exception as error:  # of whatever kind: the asker waits for it
            self._tell(error)
        finally:
            if connection is not None:
                connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        host, port, patience = self._address.host, self._address.port, self._patience.connect
        if not self._address.secure:
            return http.client.HTTPConnection(host, port, timeout=patience)
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(host, port, timeout=patience, context=context)

    def _tell(self, arrived: str | int | bytes | Exception | None) -> None:
        while not self._closed.is_set():
            try:
                return self._arrived.put(arrived, timeout=0.1)
            except queue.Full:
                continue


def whole(lines: Iterator[bytes]) -> bytes:
    """All of an answer that is not a stream.

    Raises:
        ServerFault: It does not end.
    """
    answer = b""
    for line in lines:
        answer += line
        if len(answer) > LONGEST_ANSWER:
            raise ServerFault(f"sent more than {LONGEST_ANSWER >> 20} MB; it is no model server")
    return answer


def _in_words(error: Exception, address: ServerAddress) -> str:
    if isinstance(error, ConnectionRefusedError):
        return "nothing listens there; start the server or mend the address"
    if isinstance(error, socket.gaierror | UnicodeError):
        return f"there is no host '{address.host}' on this network"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return "does not speak TLS; begin the address with http://"
    if isinstance(error, ConnectionError):
        return "the server broke the connection off"
    if isinstance(error, http.client.HTTPException):
        return "does not speak HTTP; is this the port of a model server?"
    if isinstance(error, OSError):
        return f"cannot be reached: {(error.strerror or str(error)).lower()}"
    return f"cannot be asked: {type(error).__name__}"
