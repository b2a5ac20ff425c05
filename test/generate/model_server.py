"""A small OpenAI-compatible HTTP server in this process, which does what a test tells it to."""

from __future__ import annotations

import json
import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LIMIT = 60.0  # s, for what should happen soon


class Reply(BaseHTTPRequestHandler):
    """One request and the ways to answer it."""

    protocol_version = "HTTP/1.1"
    asked: Any = None

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self.asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._serve()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on the terminal."""

    def whole(self, body: bytes | str | dict[str, Any], status: int = 200) -> None:
        """A whole answer; a dictionary becomes JSON."""
        text = json.dumps(body) if isinstance(body, dict) else body
        data = text if isinstance(text, bytes) else text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def begin(self) -> None:
        """The head of a stream."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def send(self, data: bytes) -> None:
        """A part of a stream."""
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))

    def say(self, text: str, reason: str | None = None) -> None:
        """One event of a completion."""
        event = {"choices": [{"index": 0, "text": text, "finish_reason": reason}]}
        self.send(f"data: {json.dumps(event)}\n\n".encode())

    def done(self) -> None:
        """The end of a stream."""
        self.send(b"data: [DONE]\n\n")
        self.send(b"")

    def wait_until_left(self) -> bool:
        """Say nothing more until the other side has closed the connection."""
        self.connection.settimeout(LIMIT)
        try:
            return self.connection.recv(1) == b""
        except ConnectionError:
            return True
        except TimeoutError:
            return False

    def die(self) -> None:
        """Break the connection off, as the kernel does for a process that is killed."""
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.wfile.close()
        self.rfile.close()
        self.connection.close()

    def _serve(self) -> None:
        server: Any = self.server
        house: ModelServer = server.house
        place = f"{self.command} {self.path}"
        house.asked.append((place, self.asked, dict(self.headers)))
        answer = house.answers.get(place)
        self.close_connection = True
        if answer is None:
            self.whole({"error": {"message": f"no {place}"}}, 404)
        else:
            answer(self)


Answer = Callable[[Reply], None]


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that one side broke off is what many tests are about."""
        if not isinstance(sys.exc_info()[1], OSError | ValueError):
            super().handle_error(request, client_address)


@dataclass
class ModelServer:
    """What the server answers to `GET /v1/models` and the like, and what it was asked."""

    address: str
    answers: dict[str, Answer] = field(default_factory=dict)
    asked: list[tuple[str, Any, dict[str, str]]] = field(default_factory=list)

    def completes(self, answer: Answer) -> None:
        self.answers["POST /v1/completions"] = answer

    def last(self, place: str) -> Any:
        """The body of the latest request there."""
        return next(body for at, body, _ in reversed(self.asked) if at == place)


def fixed(body: bytes | str | dict[str, Any], status: int = 200) -> Answer:
    return lambda reply: reply.whole(body, status)


def models(*entries: dict[str, Any]) -> Answer:
    return fixed({"object": "list", "data": list(entries)})


def words(texts: Iterable[str]) -> Answer:
    def answer(reply: Reply) -> None:
        reply.begin()
        for text in texts:
            reply.say(text)
        reply.say("", "stop")
        reply.done()

    return answer


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """A running server with one model, `tiny`, that says nothing yet."""
    server = _Server(("127.0.0.1", 0), Reply)
    house = ModelServer(f"http://127.0.0.1:{server.server_port}/v1")
    house.answers["GET /v1/models"] = models({"id": "tiny", "max_model_len": 512})
    server.house = house  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield house
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
