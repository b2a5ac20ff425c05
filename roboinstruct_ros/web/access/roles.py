"""The three roles, and who asks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

LOCAL = "local"
"""Instead of a device's id: whoever is at this machine."""


class Role(str, Enum):
    """What a device may do; each may do what those before it may. Stop is everybody's.

    A viewer sees everything, an operator has tasks written and run, an engineer lets devices in.
    """

    VIEWER = "viewer"
    OPERATOR = "operator"
    ENGINEER = "engineer"

    def includes(self, needed: Role) -> bool:
        """Whether it may do what `needed` may."""
        ranks = list(Role)
        return ranks.index(self) >= ranks.index(needed)


@dataclass(frozen=True)
class Caller:
    """Who asks.

    Attributes:
        id: of the device; "local" for whoever is at this machine.
        name: as tasks, approvals and the record have it.
        address: where the request has come from.
    """

    id: str
    name: str
    role: Role
    address: str

    def as_json(self) -> dict[str, str]:
        """For the page."""
        return {"id": self.id, "name": self.name, "role": self.role.value}


def local_caller(address: str) -> Caller:
    """Whoever is at this machine; who can start processes here can do everything anyway."""
    return Caller(LOCAL, "kiosk", Role.ENGINEER, address)
