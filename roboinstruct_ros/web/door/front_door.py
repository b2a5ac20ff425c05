"""Where connections come in: a thread of its own, which serves Stop itself and hands on the rest.

The web server's event loop may be as busy as a page, a program or a body can make it: it never
touches Stop. The head of a request is only looked at (MSG_PEEK), so that the web server still reads
it from its beginning; and each of its answers ends its connection, so that every request comes by
here first. What is limited is what others can use up: time for a head, heads that are waited for,
connections in all and from one address. Stop has descriptors of its own beside them.
"""

from __future__ import annotations

import functools
import logging
import os
import resource
import selectors
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus

from starlette.datastructures import Headers

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.web.door.request_head import END, RequestHead, answer
from roboinstruct_ros.web.door.stop_socket import StopSocket
from roboinstruct_ros.web.web_error import WebErrorCode, error_json

MAX_HEAD = 16 * 1024
HEAD_LIMIT = 5.0
"""Time that a client gets to send the head of its request, s."""
LEAVE_LIMIT = 1.0
"""Time that a client gets to take a short answer, s."""
SILENCE_LIMIT_MS = 10_000
"""After this time in which a client has taken nothing of what was sent, the system ends it."""
KEEP_ALIVE = 60
"""Time without a word after which the system asks whether the other side is still there, s."""
AT_ONCE = 64
"""Connections that are taken in one turn, before those that are there are looked at."""

Peer = tuple[str, int]

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class DoorLimits:
    """Descriptors that each kind of connection may use, in all and for one address.

    Attributes:
        heads: whose head is waited for; above it the oldest has to go.
        served: handed to the web server; above it the next is refused.
        stops: open sockets for Stop.
    """

    heads: int
    served: int
    stops: int

    @classmethod
    def of_process(cls) -> DoorLimits:
        """Three quarters of what this process may open; the rest is for ROS and files."""
        share = min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 1024) // 8
        return cls(share, 4 * share, share)


class _Visitor:
    """A connection between its coming and its being handed on."""

    def __init__(self, connection: socket.socket, peer: tuple[str, int]) -> None:
        self.connection = connection
        self.peer = peer
        self.address = peer[0]
        self.headers = Headers()
        self.seen = 0
        self.deadline = time.monotonic() + HEAD_LIMIT
        self.stop_socket: StopSocket | None = None
        self.leaving = False


def end_if_gone(connection: socket.socket) -> None:
    """Has the system end a connection whose other side has vanished, or takes nothing."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, KEEP_ALIVE)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENCE_LIMIT_MS)


class FrontDoor:
    """The kiosk's listening socket and the thread that serves it.

    Args:
        listening: is closed with the door.
        stop: stops the robot, given the time of the press or None for now; called on the door's
            thread, must not wait.
        fault: why a request with these headers is refused; None when it is not.
        hand_over: takes every other connection; called on the door's thread, must not wait.
        address_of: whose a connection is, where it was passed on.
        note_stop: told who has pressed Stop, after it was sent; must not wait.
    """

    def __init__(
        self,
        listening: socket.socket,
        stop: Callable[[float | None], None],
        fault: Callable[[Headers], str | None],
        hand_over: Callable[[socket.socket], None],
        address_of: Callable[[Peer], str] = lambda peer: peer[0],
        note_stop: Callable[[Peer, Headers], None] = lambda peer, headers: None,
    ) -> None:
        self._listening, self._stop = listening, stop
        self._address_of, self._note_stop = address_of, note_stop
        self._fault, self._hand_over = fault, hand_over
        self._limits = DoorLimits.of_process()
        self._waiting: dict[socket.socket, _Visitor] = {}
        self._stops: dict[socket.socket, _Visitor] = {}
        self._served: list[tuple[socket.socket, str]] = []
        self._selector = selectors.DefaultSelector()
        self._bell, self._rope = socket.socketpair()
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="door", daemon=True)

    def open(self) -> None:
        """Begins to serve."""
        self._listening.setblocking(False)
        self._selector.register(self._listening, selectors.EVENT_READ)
        self._selector.register(self._bell, selectors.EVENT_READ)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread and every connection that was not handed on."""
        self._closing = True
        self._rope.send(b"\0")
        self._thread.join(LEAVE_LIMIT)
        # Not the thread's to close: it may have seen `_closing` before the rope was pulled.
        self._bell.close()
        self._rope.close()

    def _run(self) -> None:
        try:
            while not self._closing:
                self._turn()
        except BaseException:
            # Without its Stop the kiosk is no kiosk; whoever watches it starts it anew.
            _log.critical("the front door failed", exc_info=True)
            os._exit(1)
        for visitor in [*self._waiting.values(), *self._stops.values()]:
            self._end(visitor)
        for own in (self._listening, self._selector):
            own.close()

    def _turn(self) -> None:
        # While a head is waited for, its limit has to be looked at; else only news wakes the door.
        for key, _ in self._selector.select(LEAVE_LIMIT / 2 if self._waiting else None):
            if key.fileobj is self._listening:
                self._let_in()
            elif key.data is not None:
                self._look_after(key.data)
        now = time.monotonic()
        for visitor in [v for v in self._waiting.values() if v.deadline < now]:
            self._end(visitor)

    def _let_in(self) -> None:
        for _ in range(AT_ONCE):
            try:
                connection, address = self._listening.accept()
            except BlockingIOError:
                return
            except OSError as error:  # the caps keep descriptors free, so others have used them up
                _log.warning("a connection cannot be taken: %s", error)
                self._make_room(list(self._waiting.values()))
                return
            connection.setblocking(False)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            end_if_gone(connection)
            visitor = _Visitor(connection, address[:2])
            self._waiting[connection] = visitor
            self._selector.register(connection, selectors.EVENT_READ, visitor)
            self._look_after(visitor)  # mostly the head is there: nobody after it can push it out
            waiting = list(self._waiting.values())
            if len(waiting) > self._limits.heads:
                self._make_room(waiting)
            own = [other for other in waiting if other.address == visitor.address]
            if len(own) > max(1, self._limits.heads // 2):
                self._make_room(own)

    def _make_room(self, visitors: list[_Visitor]) -> None:
        if visitors:
            self._end(visitors[0])

    def _look_after(self, visitor: _Visitor) -> None:
        if visitor.connection.fileno() == -1:  # ended earlier in the same turn
            return
        try:
            if visitor.leaving:
                self._see_off(visitor)
            elif visitor.stop_socket is not None:
                if not visitor.stop_socket.take():
                    self._end(visitor)
            else:
                self._read_head(visitor)
        except BlockingIOError:
            if visitor.stop_socket is not None:
                self._end(visitor)  # it takes no answers
        except OSError:
            self._end(visitor)
        except Exception:
            _log.exception("a request at the front door failed")
            self._end(visitor)

    def _read_head(self, visitor: _Visitor) -> None:
        seen = visitor.connection.recv(MAX_HEAD, socket.MSG_PEEK)
        head, end, _ = seen.partition(END)
        if end:
            self._serve(visitor, head)
        elif len(seen) >= MAX_HEAD:
            status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            message = f"a request's head has at most {MAX_HEAD} bytes"
            self._refuse(visitor, status, WebErrorCode.TOO_LARGE, message)
        elif len(seen) == visitor.seen:  # woken without news: the other side has ended it
            self._end(visitor)
        else:
            visitor.seen = len(seen)
            # Wakes for more than what was seen; what is only looked at would wake it for ever.
            visitor.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, len(seen) + 1)

    def _serve(self, visitor: _Visitor, raw: bytes) -> None:
        head = RequestHead.read(raw)
        visitor.address = self._address_of(visitor.peer)
        visitor.headers = head.headers if head else visitor.headers
        if head is None or not head.is_stop:
            self._pass_on(visitor)
        elif fault := self._fault(head.headers):
            self._refuse(visitor, HTTPStatus.FORBIDDEN, WebErrorCode.FOREIGN_ORIGIN, fault)
        elif head.opens_a_socket:
            self._keep_open(visitor)
        else:
            # No body is read: nothing that a client sends or holds back may delay a stop.
            self._stop_and_answer(visitor)

    def _stop_and_answer(self, visitor: _Visitor) -> None:
        try:
            self._stop_for(visitor, None)
        except Exception:
            _log.exception("Stop could not be sent")
            self._refuse(visitor, HTTPStatus.INTERNAL_SERVER_ERROR, TaskErrorCode.UNKNOWN,
                         "Stop could not be sent; use the robot's own stop button")  # fmt: skip
        else:
            self._answer(visitor, answer(HTTPStatus.ACCEPTED, {"sent": True}))

    def _stop_for(self, visitor: _Visitor, pressed: float | None) -> None:
        self._stop(pressed)
        self._note_stop(visitor.peer, visitor.headers)

    def _keep_open(self, visitor: _Visitor) -> None:
        own = sum(other.address == visitor.address for other in self._stops.values())
        if len(self._stops) >= self._limits.stops or own >= max(1, self._limits.stops // 2):
            self._refuse_as_full(visitor)
            return
        del self._waiting[visitor.connection]
        self._stops[visitor.connection] = visitor
        visitor.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)
        visitor.stop_socket = StopSocket(
            visitor.connection, functools.partial(self._stop_for, visitor)
        )
        self._look_after(visitor)

    def _pass_on(self, visitor: _Visitor) -> None:
        # A closed socket has no number any more: so nobody has to tell the door of an end.
        self._served = [one for one in self._served if one[0].fileno() != -1]
        own = sum(address == visitor.address for _, address in self._served)
        if len(self._served) >= self._limits.served or own >= max(1, self._limits.served // 2):
            self._refuse_as_full(visitor)
            return
        self._selector.unregister(visitor.connection)
        del self._waiting[visitor.connection]
        visitor.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)
        self._served.append((visitor.connection, visitor.address))
        self._hand_over(visitor.connection)

    def _refuse_as_full(self, visitor: _Visitor) -> None:
        self._refuse(visitor, HTTPStatus.SERVICE_UNAVAILABLE, WebErrorCode.TOO_MANY,
                     "too many connections are open; close some pages and try again")  # fmt: skip

    def _refuse(
        self, visitor: _Visitor, status: HTTPStatus, code: WebErrorCode | TaskErrorCode, why: str
    ) -> None:
        self._answer(visitor, answer(status, error_json(code, why)))

    def _answer(self, visitor: _Visitor, whole: bytes) -> None:
        """Sends an answer; closing before its request is read would take it from the client."""
        visitor.connection.send(whole)
        visitor.connection.shutdown(socket.SHUT_WR)
        visitor.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)
        visitor.leaving, visitor.deadline = True, time.monotonic() + LEAVE_LIMIT
        self._see_off(visitor)

    def _see_off(self, visitor: _Visitor) -> None:
        if not visitor.connection.recv(MAX_HEAD):
            self._end(visitor)

    def _end(self, visitor: _Visitor) -> None:
        if visitor.connection.fileno() == -1:
            return
        self._selector.unregister(visitor.connection)
        self._waiting.pop(visitor.connection, None)
        self._stops.pop(visitor.connection, None)
        visitor.connection.close()
