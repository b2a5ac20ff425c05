"""A keystore on disk in the layout of sros2, readable by `ros2 security` and rcl.

public/{ca,identity_ca,permissions_ca}.cert.pem     public certificates
private/{ca,identity_ca,permissions_ca}.key.pem     keys that create enclaves
enclaves/governance.{xml,p7s}
enclaves/NAME/{cert,key}.pem, permissions.{xml,p7s}, and links to the rest
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta, timezone
from pathlib import Path

from roboinstruct_ros import names
from roboinstruct_ros.domain.configuration import ConfigError, nearest_name
from roboinstruct_ros.security import certificates, rules_xml
from roboinstruct_ros.security.certificates import Identity, Lifetimes
from roboinstruct_ros.security.roles import BY_NAME, ROLES, Role

_AUTHORITIES = ("identity_ca", "permissions_ca")
_SECRET, _OPEN = 0o600, 0o644
_HEARTBEAT = re.compile(rf"<topic>rt/(?:(.+)/)?{names.HEARTBEAT_TOPIC}</topic>")


def init(folder: Path, namespace: str, lifetimes: Lifetimes) -> None:
    """Make a keystore with an enclave for each role.

    Raises:
        ConfigError: the folder exists and is not empty, or cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        there = "a keystore is there already; renew it with 'rotate'"
        other = "this exists and is no empty folder; name a new one"
        raise ConfigError(folder, 0, "", there if is_keystore(folder) else other)
    with _written_or_told(folder):
        _make_authority(folder, lifetimes.authority)
        _write_enclaves(folder, ROLES, namespace, lifetimes.enclave)


def rotate(
    folder: Path, chosen: tuple[str, ...], new_authority: bool, lifetimes: Lifetimes
) -> tuple[str, ...]:
    """Renew certificates, keys and permissions; enclaves of others are not changed.

    Run it again after an interrupted rotation.

    Args:
        chosen: names of enclaves; empty for all.
        new_authority: also make a new certificate authority, which invalidates all older
            certificates.

    Returns:
        The enclaves that were renewed.

    Raises:
        ConfigError: no keystore, an expired or unreadable authority, or an unknown enclave.
    """
    namespace = namespace_of(folder)
    roles = tuple(_role(folder, name) for name in chosen) or ROLES
    with _written_or_told(folder):
        if new_authority:
            _make_authority(folder, lifetimes.authority)
        _write_enclaves(folder, roles, namespace, lifetimes.enclave)
    return tuple(role.name for role in roles)


def is_keystore(folder: Path) -> bool:
    """Whether sros2 would accept it as a keystore."""
    public = all((folder / "public" / f"{name}.cert.pem").is_file() for name in _AUTHORITIES)
    return public and (folder / "enclaves" / "governance.p7s").is_file()


def check_keystore(folder: Path) -> None:
    """Check that the folder is a keystore.

    Raises:
        ConfigError: it is not.
    """
    if not is_keystore(folder):
        mend = f"make one with 'roboinstruct security init {folder}'"
        raise ConfigError(folder, 0, "", f"this is no keystore; {mend}")


def namespace_of(folder: Path) -> str:
    """The namespace for which the permissions were made; empty for none.

    Raises:
        ConfigError: no keystore, or not one of this stack.
    """
    check_keystore(folder)
    for role in ROLES:
        with suppress(OSError, UnicodeDecodeError):
            permitted = enclave_folder(folder, role.name) / "permissions.xml"
            if found := _HEARTBEAT.search(permitted.read_text()):
                return found[1] or ""
    raise ConfigError(folder, 0, "", "none of its enclaves is of this stack; name a new folder")


def enclave_folder(folder: Path, name: str) -> Path:
    return folder / "enclaves" / name


def authority_files(folder: Path, which: str) -> tuple[Path, Path]:
    """Certificate and key of `identity_ca` or `permissions_ca`."""
    return folder / "public" / f"{which}.cert.pem", folder / "private" / f"{which}.key.pem"


def _role(folder: Path, name: str) -> Role:
    if name in BY_NAME:
        return BY_NAME[name]
    known = list(BY_NAME)
    message = f"no enclave of this stack is called '{name}'; there are {', '.join(known)}"
    raise ConfigError(folder, 0, "", message, nearest_name(name, known))


@contextmanager
def _written_or_told(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigError(error.filename or folder, 0, "", f"cannot be written: {reason}") from None


def _make_authority(folder: Path, days: int) -> None:
    (folder / "public").mkdir(parents=True, exist_ok=True)
    (folder / "private").mkdir(mode=0o700, exist_ok=True)
    (folder / "enclaves").mkdir(exist_ok=True)
    authority = certificates.make_authority(days)
    _write(folder / "public" / "ca.cert.pem", authority.certificate_pem)
    _write(folder / "private" / "ca.key.pem", authority.key_pem, _SECRET)
    for which in _AUTHORITIES:
        for path in authority_files(folder, which):
            _link(path, path.name.replace(which, "ca"))


def _write_enclaves(folder: Path, roles: Iterable[Role], namespace: str, days: int) -> None:
    identity_ca, permissions_ca = (_read_authority(folder, which) for which in _AUTHORITIES)
    _write_signed(folder / "enclaves" / "governance", rules_xml.governance(), permissions_ca)
    for role in roles:
        there = enclave_folder(folder, role.name)
        there.mkdir(exist_ok=True)
        identity = certificates.make_identity(identity_ca, f"/{role.name}", days)
        _write(there / "key.pem", identity.key_pem, _SECRET)
        _write(there / "cert.pem", identity.certificate_pem)
        begin = identity.certificate.not_valid_before_utc
        end = identity.certificate.not_valid_after_utc
        allowed = rules_xml.permissions(role, namespace, begin, end)
        _write_signed(there / "permissions", allowed, permissions_ca)
        for which in _AUTHORITIES:
            _link(there / f"{which}.cert.pem", f"../../public/{which}.cert.pem")
        _link(there / "governance.p7s", "../governance.p7s")


def _read_authority(folder: Path, which: str) -> Identity:
    certificate, key = authority_files(folder, which)
    authority = certificates.read_identity(certificate, key)
    end = authority.certificate.not_valid_after_utc
    if end < datetime.now(timezone.utc) + timedelta(minutes=1):
        mend = "make a new one with 'rotate --all'"
        raise ConfigError(certificate, 0, "", f"this authority expired on {end:%Y-%m-%d}; {mend}")
    return authority


def _write_signed(path: Path, document: bytes, authority: Identity) -> None:
    _write(path.with_suffix(".xml"), document)
    _write(path.with_suffix(".p7s"), certificates.sign(authority, document))


def _write(path: Path, content: bytes, mode: int = _OPEN) -> None:
    """Write atomically, and never readable by others in between."""
    beside = path.with_name(f".{path.name}.new")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)
    beside.replace(path)


def _link(path: Path, target: str) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(target)
