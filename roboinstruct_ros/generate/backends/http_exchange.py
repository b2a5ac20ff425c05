"""An HTTP request that the caller can abandon at any moment.

Name look-up, connecting and reading block as long as the other side likes. They therefore run in a
thread, while the caller takes what has arrived and checks its stop signal in between. `http.client`
suffices for that, so a robot needs no further library.
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

POLL = 0.01  # s between two checks of the stop signal
WAITING = 256  # lines queued for the caller; further ones stay in the network
LONGEST_LINE = 1 << 20  # bytes
LONGEST_ANSWER = 8 << 20  # bytes


class ServerFault(Exception):
    """No usable answer from the server; `str()` continues after the address and a colon."""


class Left(Exception):
    """The stop signal was set before the end of the answer."""


@dataclass(frozen=True)
class Question:
    """A request.

    Attributes:
        method: GET or POST.
        path: Absolute path.
        body: JSON text; "" is none.
        headers: Names and values.
    """

    method: str
    path: str
    body: str
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Patience:
    """Timeouts, s.

    Attributes:
        connect: Until the connection is established.
        silence: Between two lines of the answer.
    """

    connect: float
    silence: float


@dataclass(frozen=True)
class Before:
    """A stop signal that is set `limit` seconds after `start`, or when `also` is set."""

    limit: float
    start: float
    also: StopSignal | None = None

    def is_set(self) -> bool:
        late = time.monotonic() - self.start > self.limit
        return late or (self.also is not None and self.also.is_set())


class Exchange:
    """A request in progress. Use it in a `with`, whose end closes the connection."""

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
            # Ends a blocked read in the thread and tells the server to stop. Calls the plain
            # socket's method, as TLS's own discards state that the thread is still reading with.
            with contextlib.suppress(OSError):  # it may be closed already
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def status(self, stop: StopSignal) -> int:
        """The HTTP status of the answer.

        Raises:
            ServerFault: There is no answer, no HTTP answer, or none in time.
            Left: `stop` was set first.
        """
        patience = self._patience
        self._take(patience.connect, f"does not answer within {patience.connect:g} s", stop)
        status = self._take(patience.silence, self._silent, stop)
        assert isinstance(status, int)
        return status

    def lines(self, stop: StopSignal) -> Iterator[bytes]:
        """The lines of the answer with their line breaks; only the last one may lack it.

        Raises:
            ServerFault: The connection broke, or was silent for too long.
            Left: `stop` was set first.
        """
        while isinstance(line := self._take(self._patience.silence, self._silent, stop), bytes):
            yield line

    @property
    def _silent(self) -> str:
        return f"sent nothing for {self._patience.silence:g} s"

    def _take(self, patience: float, fault: str, stop: StopSignal) -> str | int | bytes | None:
        """The next item from the thread; raises ServerFault with `fault` after `patience` s."""
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
        """In the thread: queue "" once connected, the status, the lines, None; or an error."""
        connection: http.client.HTTPConnection | None = None
        try:
            connection = self._connection()
            connection.connect()
            self._socket = connection.sock
            if self._closed.is_set():  # left meanwhile: nothing is asked
                return
            self._tell("")
            connection.sock.settimeout(None)  # the caller keeps the time from here on
            question = self._question
            body = question.body.encode() or None
            connection.request(question.method, question.path, body, dict(question.headers))
            answer = connection.getresponse()
            self._tell(answer.status)
            while not self._closed.is_set() and (line := answer.readline(LONGEST_LINE)):
                self._tell(line)
            self._tell(None)
        except Exception as error:  # any error: the caller waits for it
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
    """The complete body of an answer that is not a stream.

    Raises:
        ServerFault: It is too long.
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
    if isinstance(error, ConnectionError | http.client.IncompleteRead):
        return "the server broke the connection off"
    if isinstance(error, http.client.HTTPException):
        return "does not speak HTTP; is this the port of a model server?"
    if isinstance(error, OSError):
        return f"cannot be reached: {(error.strerror or str(error)).lower()}"
    return f"cannot be asked: {type(error).__name__}"
