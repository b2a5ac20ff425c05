"""The listening socket of the kiosk."""

from __future__ import annotations

import socket

from roboinstruct_ros.domain.configuration import InputError

BACKLOG = 4096
"""Backlog of connections; a client beyond it retries after a second."""


def open_port(host: str, port: int) -> socket.socket:
    """Open a socket that listens on the address.

    Raises:
        InputError: the port is taken, or the host is not an address of this machine.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise InputError(f"host '{host}' is no address of this machine: {error.strerror}") from None
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        another = port + 1 if port < 65535 else 8080
        raise InputError(
            f"cannot listen on {host} port {port}: {(error.strerror or str(error)).lower()}; "
            f"choose another port, for example {another} "
            f"('roboinstruct up --port {another}', 'port:={another}')"
        ) from None
    return listening


def address_fault(host: str, port: int) -> str:
    """Why the address cannot be listened on, in one line; empty if it can."""
    try:
        open_port(host, port).close()
    except InputError as error:
        return str(error)
    return ""
