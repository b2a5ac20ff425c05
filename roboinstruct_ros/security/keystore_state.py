"""The contents of a keystore: validity and faults."""

from __future__ import annotations

import re
import stat
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

from cryptography import x509

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.security import certificates
from roboinstruct_ros.security.keystore import (
    authority_files,
    check_keystore,
    enclave_folder,
    namespace_of,
)
from roboinstruct_ros.security.roles import BY_NAME, CLI

SOON = timedelta(days=30)
"""How long before expiry to warn."""

_LINKED = ("identity_ca.cert.pem", "permissions_ca.cert.pem", "governance.p7s", "permissions.p7s")
_VALIDITY = re.compile(r"<not_after>(.*?)</not_after>")


@dataclass(frozen=True)
class Entry:
    """An authority or an enclave.

    Attributes:
        role: it is a role of this stack; other enclaves belong to others.
        until: end of validity, UTC; None if unreadable.
        fault: why it cannot be used, or is no secret, in one line; empty if all is good.
    """

    name: str
    role: bool
    until: datetime | None
    fault: str

    @property
    def warning(self) -> str:
        """A notice that it expires soon; empty if it does not."""
        if self.fault or self.until is None:
            return ""
        left = self.until - datetime.now(timezone.utc)
        return f"ends in {left.days} days" if left < SOON else ""


def entries(folder: Path) -> tuple[Entry, ...]:
    """The authorities, then all enclaves by name.

    Raises:
        ConfigError: no keystore.
    """
    check_keystore(folder)
    found = (path.parent for path in (folder / "enclaves").rglob("cert.pem"))
    enclaves = sorted(path.relative_to(folder / "enclaves").as_posix() for path in found)
    missing = sorted(set(BY_NAME) - set(enclaves))
    authorities = (_authority(folder, which) for which in ("identity_ca", "permissions_ca"))
    return (*authorities, *(_kept_enclave(folder, name) for name in (*enclaves, *missing)))


def check_usable(folder: Path, namespace: str, nodes: tuple[str, ...]) -> None:
    """Reject what DDS would later reject in every node.

    Args:
        nodes: nodes whose enclaves are needed, besides that of the command line.

    Raises:
        ConfigError: no keystore, one for another namespace, or an enclave that is missing, broken
            or expired.
    """
    made_for = namespace_of(folder)
    if made_for != namespace.strip("/"):
        message = f"this keystore is for {_told(made_for)}, the stack has {_told(namespace)}"
        raise ConfigError(folder, 0, "", f"{message}; make another with 'init --namespace'")
    for name in (*nodes, CLI):
        fault = _enclave(folder, name).fault
        if fault:
            mend = f"'roboinstruct security rotate {folder}' makes it anew"
            raise ConfigError(folder, 0, "", f"enclave '{name}': {fault}; {mend}")


def _told(namespace: str) -> str:
    return f"the namespace '{namespace.strip('/')}'" if namespace.strip("/") else "no namespace"


def _authority(folder: Path, which: str) -> Entry:
    public, key = authority_files(folder, which)
    try:
        certificate = certificates.read_certificate(public)
    except ConfigError as error:
        return Entry(which, True, None, error.message)
    until = certificate.not_valid_after_utc
    return Entry(which, True, until, _expired(until, "it") or _exposed(key))


def _kept_enclave(folder: Path, name: str) -> Entry:
    entry = _enclave(folder, name)
    key = enclave_folder(folder, name) / "key.pem"
    return replace(entry, fault=entry.fault or _exposed(key))


def _exposed(key: Path) -> str:
    try:
        mode = stat.S_IMODE(key.stat().st_mode)
    except OSError:  # a robot has no keys of the authority
        return ""
    if not mode & 0o077:
        return ""
    return f"{key.name} has mode {mode:04o}, only its owner may read and write it (0600)"


def _enclave(folder: Path, name: str) -> Entry:
    there, ours = enclave_folder(folder, name), name in BY_NAME
    try:
        certificate = certificates.read_identity(there / "cert.pem", there / "key.pem").certificate
        permitted = _permitted_until(there / "permissions.xml")
        fault = _unfit(folder, there, certificate)
    except ConfigError as error:
        return Entry(name, ours, None, f"{error.path.name}: {error.message}")
    fault = fault or _expired(certificate.not_valid_after_utc, "its certificate")
    fault = fault or _expired(permitted, "what it may do")
    return Entry(name, ours, min(certificate.not_valid_after_utc, permitted), fault)


def _unfit(folder: Path, there: Path, certificate: x509.Certificate) -> str:
    missing = [name for name in _LINKED if not (there / name).is_file()]
    if missing:
        return f"{', '.join(missing)} missing"
    authority = certificates.read_certificate(authority_files(folder, "identity_ca")[0])
    if not certificates.is_signed_by(certificate, authority):
        return "its certificate is of another authority"
    return ""


def _permitted_until(path: Path) -> datetime:
    try:
        found = _VALIDITY.findall(path.read_text())
        ends = [datetime.fromisoformat(text).replace(tzinfo=timezone.utc) for text in found]
        return min(ends)
    except OSError as error:
        raise ConfigError(path, 0, "", (error.strerror or str(error)).lower()) from None
    except ValueError:  # no end of validity, an invalid time, or not text
        raise ConfigError(path, 0, "", "it does not say until when it holds") from None


def _expired(until: datetime, what: str) -> str:
    return f"{what} expired on {until:%Y-%m-%d}" if until < datetime.now(timezone.utc) else ""
