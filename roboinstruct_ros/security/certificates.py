"""Certificates, keys and signatures as DDS-Security requires: P-256, SHA-256, S/MIME."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
    pkcs7,
)
from cryptography.x509.oid import NameOID

from roboinstruct_ros.domain.configuration import ConfigError

MOST_DAYS = 36500
"""Longest validity of a certificate, days."""

EARLIER = timedelta(days=1)
"""Validity begins this long before creation, because the clocks of machines differ."""

Extension = tuple[x509.ExtensionType, bool]
"""An extension of a certificate, and whether it is critical."""


@dataclass(frozen=True)
class Lifetimes:
    """Validity of new certificates, days."""

    authority: int = 3650
    enclave: int = 365


@dataclass(frozen=True)
class Identity:
    """A certificate with its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def certificate_pem(self) -> bytes:
        return self.certificate.public_bytes(Encoding.PEM)

    @property
    def key_pem(self) -> bytes:
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def make_authority(days: int) -> Identity:
    """A self-signed certificate authority."""
    return make_self_signed("sros2CA", days, (x509.BasicConstraints(True, path_length=1), True))


def make_self_signed(name: str, days: int, *extensions: Extension) -> Identity:
    """A certificate signed by its own key."""
    return _made(name, _end(days), extensions)


def make_identity(authority: Identity, name: str, days: int) -> Identity:
    """An enclave's certificate; it never outlives its authority."""
    end = min(_end(days), authority.certificate.not_valid_after_utc)
    return _made(name, end, [(x509.BasicConstraints(False, path_length=None), False)], authority)


def sign(authority: Identity, document: bytes) -> bytes:
    """The document with its signature, as S/MIME."""
    builder = pkcs7.PKCS7SignatureBuilder().set_data(document)
    builder = builder.add_signer(authority.certificate, authority.key, hashes.SHA256())
    options = [pkcs7.PKCS7Options.Text, pkcs7.PKCS7Options.DetachedSignature]
    return builder.sign(Encoding.SMIME, options)


def read_identity(certificate: Path, key: Path) -> Identity:
    """Read a certificate and its key.

    Raises:
        ConfigError: a file is missing or invalid, or the two do not match.
    """
    found = read_certificate(certificate)
    try:
        private = load_pem_private_key(_read(key), None)
    except (ValueError, TypeError):
        raise ConfigError(key, 0, "", "this is no unencrypted private key in PEM") from None
    if not isinstance(private, ec.EllipticCurvePrivateKey):
        raise ConfigError(key, 0, "", "this is no key of an elliptic curve")
    if private.public_key() != found.public_key():
        raise ConfigError(key, 0, "", f"this is not the key of {certificate}")
    return Identity(found, private)


def read_certificate(path: Path) -> x509.Certificate:
    """Read a certificate.

    Raises:
        ConfigError: it is missing or not a certificate.
    """
    try:
        return x509.load_pem_x509_certificate(_read(path))
    except ValueError:
        raise ConfigError(path, 0, "", "this is no certificate in PEM") from None


def is_signed_by(certificate: x509.Certificate, authority: x509.Certificate) -> bool:
    """Whether the authority's key made the certificate's signature."""
    try:
        certificate.verify_directly_issued_by(authority)
    except Exception:  # InvalidSignature, or incompatible names or key types: not signed by it
        return False
    return True


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigError(path, 0, "", f"cannot be read: {reason}") from None


def _end(days: int) -> datetime:
    return datetime.now(timezone.utc) + timedelta(days=days)


def _made(
    name: str, end: datetime, extensions: Iterable[Extension], issuer: Identity | None = None
) -> Identity:
    """A new key and its certificate, signed by the issuer's key; without issuer, by its own."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    issuer_name = issuer.certificate.subject if issuer else subject
    builder = x509.CertificateBuilder(
        issuer_name, subject, key.public_key(), x509.random_serial_number()
    )
    builder = builder.not_valid_before(datetime.now(timezone.utc) - EARLIER).not_valid_after(end)
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical)
    return Identity(builder.sign(issuer.key if issuer else key, hashes.SHA256()), key)
