"""The addresses on which the kiosk listens and who may use them, from its options."""

from __future__ import annotations

import ipaddress
import socket
import ssl
from pathlib import Path

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.nodes.kiosk.parameters import KioskOptions
from roboinstruct_ros.web.access.arrivals import is_loopback

HERE = "127.0.0.1"
BACKLOG = 4096
"""Backlog of connections; a client beyond it retries after a second."""


def reach_fault(chosen: KioskOptions) -> str:
    """Why the chosen addresses are unusable, in one line; empty if they are usable."""
    try:
        own, others = open_reach(chosen)
    except InputError as error:
        return str(error)
    own.close()
    if others is not None:
        others[0].close()
    return ""


def open_reach(
    chosen: KioskOptions,
) -> tuple[socket.socket, tuple[socket.socket, ssl.SSLContext] | None]:
    """The listening sockets, as for `KioskServer`. Raises InputError."""
    context = _tls_of(chosen)
    if context is None:
        return open_port(_host(chosen), chosen.port), None
    own = open_port(HERE, chosen.port)
    try:
        return own, (open_port(_host(chosen), chosen.tls_port), context)
    except InputError:
        own.close()
        raise


def address_lines(chosen: KioskOptions) -> list[str]:
    """URLs of the page, for a person."""
    host = _host(chosen) or "0.0.0.0"
    shown = f"[{host}]" if ":" in host else host
    if not chosen.tls:
        own = HERE if host == "0.0.0.0" else shown
        return [f"http://{own}:{chosen.port}"]
    name = socket.gethostname() if host in ("0.0.0.0", "::") else shown
    network, sha256 = f"https://{name}:{chosen.tls_port}", tls_fingerprint(chosen)
    told = f"{network} for other machines, by a certificate with SHA-256 {sha256}"
    return [f"http://{HERE}:{chosen.port}", told]


def tls_fingerprint(chosen: KioskOptions) -> str:
    """SHA-256 of the certificate for other machines, as hex; empty without TLS.

    Raises:
        InputError: it cannot be read.
    """
    if not chosen.tls:
        return ""
    # cryptography takes long to import, and few kiosks need it
    from roboinstruct_ros.security.kiosk_certificate import fingerprint

    return fingerprint(Path(chosen.tls).expanduser())


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


def _host(chosen: KioskOptions) -> str:
    return chosen.host.strip("[]")  # an IPv6 address may stand in brackets, as in a URL


def _tls_of(chosen: KioskOptions) -> ssl.SSLContext | None:
    """The context for other machines, None without TLS. Raises InputError: it is required."""
    if chosen.proxy:
        try:
            ipaddress.ip_address(chosen.proxy)
        except ValueError:
            message = f"proxy '{chosen.proxy}' is no address; give one, for example 127.0.0.2"
            raise InputError(message) from None
    if chosen.tls:
        from roboinstruct_ros.security.kiosk_certificate import server_context

        return server_context(Path(chosen.tls).expanduser())
    if not chosen.proxy and not is_loopback(_host(chosen)):
        open_port(_host(chosen), 0).close()  # reports an invalid address first
        raise InputError(
            f"host '{chosen.host}' lets other machines in: give tls, the folder of a certificate "
            "('roboinstruct devices certificate DIR' makes one), or the address of a proxy"
        )
    return None
