"""Who asks, and whether they may: what every route below the API depends on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from roboinstruct_ros.web.access.arrivals import Arrival, Arrivals, network_of
from roboinstruct_ros.web.access.audit import AuditLog
from roboinstruct_ros.web.access.control import Control
from roboinstruct_ros.web.access.devices import Devices
from roboinstruct_ros.web.access.rate_limit import RateLimit
from roboinstruct_ros.web.access.roles import LOCAL, Caller, Role, local_caller
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

COOKIE = "__Host-roboinstruct"
"""Holds a device's token; browsers send it by TLS only, and scripts cannot read it."""

PAIRING = (5, 60.0)
"""PINs that an address may try at once, and the time in which as many more come, s."""
PAIRING_OF_ALL = (290, 60.0)
"""The same for all addresses together: 290 at once and 580 more in the 120 s of a PIN are 870, of a
million that there are fewer than one in 1,000. One address alone does not use them up."""


class Access:
    """What the kiosk knows of devices.

    Attributes:
        control: set when the kiosk is made, for it tells the pages.
        fingerprint: of the certificate that other machines are shown; empty without TLS.
    """

    control: Control

    def __init__(
        self,
        devices: Devices | None = None,
        audit: AuditLog | None = None,
        arrivals: Arrivals | None = None,
        fingerprint: str = "",
    ) -> None:
        self.devices = devices or Devices()
        self.audit = audit or AuditLog()
        self.arrivals = arrivals or Arrivals()
        self.fingerprint = fingerprint
        self.requests = RateLimit(240, 60.0)
        self.pairing = RateLimit(*PAIRING)
        self.pairing_of_all = RateLimit(*PAIRING_OF_ALL)
        self._stops = RateLimit(30, 60.0)
        self._strangers = RateLimit(60, 600.0)

    def arrival(self, scope: Any) -> Arrival:
        """Where a request has come from. Raises WebError."""
        return self.arrivals.of(scope.get("client"), Headers(scope=scope))

    def caller(self, connection: HTTPConnection) -> Caller:
        """Who asks.

        Raises:
            WebError: NOT_PAIRED or DEVICES_FAILED.
        """
        arrival = self.arrival(connection.scope)
        if arrival.local:
            return local_caller(arrival.address)
        return self._paired(token_in(connection.headers), arrival.address)

    def _paired(self, token: str, address: str) -> Caller:
        device = self.devices.of_token(token) if token else None
        if device is None:
            message = "this device is not let in, or not any more; pair it at /devices"
            raise WebError(WebErrorCode.NOT_PAIRED, message)
        return Caller(device.id, device.name, device.role, address)

    def lets_in(self, connection: HTTPConnection, needed: Role = Role.VIEWER) -> bool:
        """Whether who asks is known to be let in, with that role at least."""
        try:
            return self.caller(connection).role.includes(needed)
        except WebError:
            return False

    def may_run(self, device_id: str) -> bool:
        """Whether a device may have programs run now; "local" is this machine."""
        found = (one for one in self.devices.all() if one.id == device_id)
        return device_id == LOCAL or any(one.role.includes(Role.OPERATOR) for one in found)

    def check_pairing(self, address: str) -> None:
        """Raises WebError: TOO_OFTEN, PINs were tried too often, from there or by all together."""
        wait = self.pairing.take(network_of(address)) or self.pairing_of_all.take("")
        if wait:
            message = f"too many PINs were tried; try again in {wait:.0f} s"
            raise WebError(WebErrorCode.TOO_OFTEN, message)

    def note(self, caller: Caller | None, address: str, what: str, **more: Any) -> None:
        """Records what was done; who was not let in cannot push out what others did."""
        if caller is not None or not self._strangers.take(""):
            self.audit.note(caller, address, what, **more)

    def note_stop(self, peer: Any, headers: Headers) -> None:
        """Somebody has pressed Stop, let in or not."""
        caller, address = None, self.arrivals.address_of(peer)
        try:
            arrival = self.arrivals.of(peer, headers)
            address = arrival.address
            local = local_caller(address) if arrival.local else None
            caller = local or self._paired(token_in(headers), address)
        except WebError:
            pass
        if not self._stops.take(address):
            self.note(caller, address, "stop")


def token_in(headers: Headers) -> str:
    """The token of a device, as its page or a program sends it; empty for none."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return token.strip()
    for part in headers.get("cookie", "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE:
            return value
    return ""


@dataclass(frozen=True)
class Needs:
    """A dependency: who asks has this role at least, and `control` of the robot where that is
    asked for, or takes it now as nobody has it."""

    role: Role
    control: bool = False

    # On the loop, not on threads: the file of devices is used by one thread at a time.
    async def __call__(self, connection: HTTPConnection) -> Caller:
        access: Access = connection.app.state.access
        caller = access.caller(connection)
        connection.state.caller = caller
        if not caller.role.includes(self.role):
            needed, own = self.role.value, caller.role.value
            message = f"only the role {needed} may do this, and this device is {own}"
            raise WebError(WebErrorCode.NOT_ALLOWED, message)
        if self.control:
            access.control.act(caller)
        return caller


Viewer = Annotated[Caller, Depends(Needs(Role.VIEWER))]
Operator = Annotated[Caller, Depends(Needs(Role.OPERATOR))]
InControl = Annotated[Caller, Depends(Needs(Role.OPERATOR, control=True))]
Engineer = Annotated[Caller, Depends(Needs(Role.ENGINEER))]
