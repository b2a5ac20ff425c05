"""A cable between a page and its kiosk, which can be cut and mended."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

from typing_extensions import Self


class Cable:
    """Use it as a context manager.

    Attributes:
        port: of this machine, where the kiosk is met.
    """

    def __init__(self, kiosk: int) -> None:
        self._kiosk = kiosk
        self._whole = True
        self._ends: set[socket.socket] = set()
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = int(self._listening.getsockname()[1])

    def __enter__(self) -> Self:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()
        self.cut()

    def cut(self) -> None:
        """Everything that is on it ends, and nothing more gets through."""
        self._whole = False
        for end in list(self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Whoever tries again gets through."""
        self._whole = True

    def _serve(self) -> None:
        with suppress(OSError):  # closed
            while True:
                page, _ = self._listening.accept()
                threading.Thread(target=self._connect, args=(page,), daemon=True).start()

    def _connect(self, page: socket.socket) -> None:
        with suppress(OSError), page:
            if not self._whole:
                return
            with socket.create_connection(("127.0.0.1", self._kiosk)) as kiosk:
                self._ends |= {page, kiosk}
                back = threading.Thread(target=_carry, args=(kiosk, page), daemon=True)
                back.start()
                _carry(page, kiosk)
                back.join()
                self._ends -= {page, kiosk}


def _carry(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while part := source.recv(65536):
            target.sendall(part)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
