"""How long certificates are valid, d; here, so that no other command loads what makes them."""

from __future__ import annotations

from dataclasses import dataclass

AUTHORITY_DAYS = 3650
ENCLAVE_DAYS = 365
MOST_DAYS = 36500


@dataclass(frozen=True)
class Lifetimes:
    """How long what is made is valid, d."""

    authority: int = AUTHORITY_DAYS
    enclave: int = ENCLAVE_DAYS
