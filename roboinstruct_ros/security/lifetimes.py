"""Validity of certificates, days; separate, to keep cryptography out of other commands."""

from __future__ import annotations

from dataclasses import dataclass

AUTHORITY_DAYS = 3650
ENCLAVE_DAYS = 365
MOST_DAYS = 36500


@dataclass(frozen=True)
class Lifetimes:
    """Validity of new certificates, days."""

    authority: int = AUTHORITY_DAYS
    enclave: int = ENCLAVE_DAYS
