"""The kiosk's self-signed certificate, by which other machines recognise it."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
import ssl
from datetime import datetime, timezone
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.security.certificates import make_self_signed

CERTIFICATE, KEY = "certificate.pem", "key.pem"
DAYS = 825
"""Days of validity; some browsers accept no longer one."""

_HOST = re.compile(r"[\w*.-]+", re.ASCII)


def make_certificate(folder: Path, names: tuple[str, ...] = (), days: int = DAYS) -> str:
    """Write certificate and key. Returns the fingerprint.

    Args:
        folder: folder of the two files.
        names: additional host names and addresses of this machine.
        days: validity.

    Raises:
        ConfigError: a certificate exists already, the folder cannot be written, or a name is none.
    """
    for name in names:
        if _general(name) is None:
            message = f"'{name}' is no host name or address; right: robot1.local, 192.168.1.20"
            raise ConfigError("--name", 0, "", message)
    own = socket.gethostname().lower()
    known = dict.fromkeys((own, f"{own}.local", "localhost", "127.0.0.1", *_addresses(), *names))
    made = make_self_signed(
        "roboinstruct kiosk",
        days,
        (x509.SubjectAlternativeName(filter(None, map(_general, known))), False),
        (x509.BasicConstraints(ca=False, path_length=None), True),
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / KEY, made.key_pem, 0o600)
        _write(folder / CERTIFICATE, made.certificate_pem, 0o644)
    except FileExistsError as error:
        message = "it is there already; name another folder, or move it away first"
        raise ConfigError(error.filename, 0, "", message) from None
    except OSError as error:
        raise ConfigError(folder, 0, "", f"cannot be written: {error.strerror}") from None
    return fingerprint(folder)


def fingerprint(folder: Path) -> str:
    """SHA-256 fingerprint of the certificate, as browsers show it. Raises ConfigError."""
    path = folder / CERTIFICATE
    try:
        found = x509.load_pem_x509_certificate(path.read_bytes())
    except (OSError, ValueError):
        message = f"'roboinstruct devices certificate {folder}' makes one"
        raise ConfigError(path, 0, "", f"this is no certificate in PEM; {message}") from None
    if found.not_valid_after_utc < datetime.now(timezone.utc):
        raise ConfigError(path, 0, "", "this certificate has ended; make a new one")
    return found.fingerprint(hashes.SHA256()).hex(":").upper()


def server_context(folder: Path) -> ssl.SSLContext:
    """A context for TLS 1.2 and later with the certificate of a folder. Raises ConfigError."""
    fingerprint(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    # No session tickets: they come after the handshake, and a client that reads in one thread and
    # writes in another (websockets, before Python 3.13) loses its connection when both meet.
    context.num_tickets = 0
    try:
        context.load_cert_chain(folder / CERTIFICATE, folder / KEY)
    except (OSError, ssl.SSLError) as error:
        why = error.strerror or str(error)
        raise ConfigError(
            folder / KEY, 0, "", f"this is not the certificate's key: {why}"
        ) from None
    return context


def _write(path: Path, content: bytes, mode: int) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)


def _addresses() -> list[str]:
    """Addresses of this machine, as far as its host name resolves."""
    try:
        found = socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM)
    except OSError:
        return []
    return [str(one[4][0]).split("%")[0] for one in found]


def _general(name: str) -> x509.GeneralName | None:
    """The name in a certificate; None if it is no host name or address."""
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        pass
    try:
        ascii_name = name.encode("idna").decode("ascii")
    except UnicodeError:  # a part is empty or too long
        ascii_name = ""
    return x509.DNSName(ascii_name) if _HOST.fullmatch(ascii_name) else None
