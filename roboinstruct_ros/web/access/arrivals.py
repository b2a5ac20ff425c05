"""Where a request has come from: this machine, the TLS door, or the proxy that was stated."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from roboinstruct_ros.web.web_error import WebError, WebErrorCode

if TYPE_CHECKING:
    from starlette.datastructures import Headers

Peer = tuple[str, int]

TLS_SIDE = "127.84.76.83"
"""Address of this machine from which the TLS door passes on, and nobody at this machine comes: a
request may be looked at when its connection has ended already."""

_FORWARDED = frozenset({"x-forwarded-for", "x-real-ip", "forwarded"})


@dataclass(frozen=True)
class Arrival:
    """An address, and whether it is of somebody at this machine."""

    address: str
    local: bool


class Arrivals:
    """Knows who stands behind a connection.

    Args:
        proxy: address of the proxy that other machines come through; empty for none. What comes
            from it is never of this machine.
    """

    def __init__(self, proxy: str = "") -> None:
        self._proxy = proxy
        self._by_tls: dict[Peer, str] = {}  # read by the front door's thread, too

    def enter(self, peer: Peer, address: str) -> None:
        """The TLS door passes on a connection of `address`; here it has the address `peer`."""
        self._by_tls[peer] = address

    def leave(self, peer: Peer) -> None:
        """That connection has ended."""
        self._by_tls.pop(peer, None)

    def address_of(self, peer: Sequence[Any]) -> str:
        """Who a connection is of, before anything of it is read."""
        return self._by_tls.get((peer[0], peer[1]), str(peer[0]))

    def of(self, peer: Sequence[Any] | None, headers: Headers) -> Arrival:
        """Where a request has come from.

        Raises:
            WebError: NOT_PAIRED, it came by a way that nobody may come.
        """
        if not peer:
            raise WebError(WebErrorCode.NOT_PAIRED, "it is not known where this has come from")
        address = self.address_of(peer)
        if peer[0] == TLS_SIDE:
            return Arrival(address, False)
        if self._proxy and address == self._proxy:
            return Arrival(_forwarded(headers), False)
        if not is_loopback(address):
            message = "other machines come in by TLS, or by the proxy that this kiosk was told of"
            raise WebError(WebErrorCode.NOT_PAIRED, message)
        if not _FORWARDED.isdisjoint(headers.keys()):
            message = f"a proxy asks from {address} for somebody else; start the kiosk with --proxy"
            raise WebError(WebErrorCode.NOT_PAIRED, f"{message} {address}")
        return Arrival(address, True)


def is_loopback(address: str) -> bool:
    """Whether it is one of this machine alone."""
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address.split("%")[0]).is_loopback
    except ValueError:
        return False


def network_of(address: str) -> str:
    """What of an address its owner cannot choose: of IPv6 the first 64 bits."""
    try:
        parsed = ipaddress.ip_address(address.split("%")[0])
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def _forwarded(headers: Headers) -> str:
    last = ",".join(headers.getlist("x-forwarded-for")).rpartition(",")[2].strip()
    try:
        return str(ipaddress.ip_address(last))
    except ValueError:
        message = "the proxy does not say whom it asks for; have it send X-Forwarded-For"
        raise WebError(WebErrorCode.NOT_PAIRED, message) from None
