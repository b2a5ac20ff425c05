"""A keystore is what sros2 would have made, and is never half of one."""

from __future__ import annotations

import shutil
import stat
import subprocess
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import NameOID

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.security import keystore
from roboinstruct_ros.security.certificates import Lifetimes
from roboinstruct_ros.security.keystore import init, namespace_of, rotate
from roboinstruct_ros.security.keystore_state import Entry, check_usable, entries
from roboinstruct_ros.security.roles import BY_NAME

ENCLAVE_FILES = {
    "cert.pem", "key.pem", "governance.p7s", "identity_ca.cert.pem", "permissions_ca.cert.pem",
    "permissions.xml", "permissions.p7s",
}  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "keys"
    init(folder, "", Lifetimes())
    return folder


def certificate(folder: Path, enclave: str) -> x509.Certificate:
    return x509.load_pem_x509_certificate((folder / f"enclaves/{enclave}/cert.pem").read_bytes())


def entry(folder: Path, name: str) -> Entry:
    return next(one for one in entries(folder) if one.name == name)


def openssl(*arguments: object) -> None:
    done = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def refusal(action: object, *arguments: object) -> str:
    with pytest.raises(ConfigError) as refused:
        action(*arguments)  # type: ignore[operator]
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_the_files_are_those_of_sros2(store: Path) -> None:
    kinds = ("ca", "identity_ca", "permissions_ca")
    assert {p.name for p in (store / "public").iterdir()} == {f"{k}.cert.pem" for k in kinds}
    assert {p.name for p in (store / "private").iterdir()} == {f"{k}.key.pem" for k in kinds}
    there = {path.name: path for path in (store / "enclaves").iterdir()}
    assert set(there) == {"governance.xml", "governance.p7s", *BY_NAME}
    for name in BY_NAME:
        assert {path.name for path in there[name].iterdir()} == ENCLAVE_FILES


def test_nobody_else_may_read_a_key(store: Path) -> None:
    keys = [*store.rglob("key.pem"), store / "private" / "ca.key.pem"]
    assert {stat.S_IMODE(key.stat().st_mode) for key in keys} == {0o600}
    assert stat.S_IMODE((store / "private").stat().st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o666, 0o644, 0o620])
def test_a_key_that_others_may_read_or_write_is_a_fault(store: Path, mode: int) -> None:
    (store / "private" / "ca.key.pem").chmod(mode)
    (store / "enclaves" / "kiosk" / "key.pem").chmod(mode)
    faults = {one.name: one.fault for one in entries(store) if one.fault}
    told = f"has mode {mode:04o}, only its owner may read and write it (0600)"
    assert faults == {
        "identity_ca": f"identity_ca.key.pem {told}",
        "permissions_ca": f"permissions_ca.key.pem {told}",
        "kiosk": f"key.pem {told}",
    }
    rotate(store, (), True, Lifetimes())
    assert not any(one.fault for one in entries(store)), "the new keys are of their owner alone"


def test_openssl_takes_every_certificate_and_signature(store: Path, tmp_path: Path) -> None:
    authority = store / "public" / "ca.cert.pem"
    signed = [*store.rglob("permissions.p7s"), store / "enclaves" / "governance.p7s"]
    assert len(signed) == len(BY_NAME) + 1
    for path in signed:
        out = tmp_path / "document"
        openssl("smime", "-verify", "-text", "-in", path, "-CAfile", authority, "-out", out)
        read = out.read_bytes().replace(b"\r\n", b"\n")
        assert read == path.with_suffix(".xml").read_bytes()
    for name in BY_NAME:
        openssl("verify", "-CAfile", authority, store / "enclaves" / name / "cert.pem")


def test_each_enclave_has_its_own_name_and_key(store: Path) -> None:
    names, keys = set(), set()
    for enclave in BY_NAME:
        found = certificate(store, enclave)
        (name,) = found.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
        names.add(name.value)
        keys.add((store / "enclaves" / enclave / "key.pem").read_bytes())
    assert names == {f"/{enclave}" for enclave in BY_NAME}
    assert len(keys) == len(BY_NAME)


def test_lifetimes_are_the_stated_ones(tmp_path: Path) -> None:
    init(tmp_path / "keys", "", Lifetimes(authority=20, enclave=7))
    now = datetime.now(timezone.utc)
    left = {one.name: one.until - now for one in entries(tmp_path / "keys") if one.until}
    assert abs(left["identity_ca"] - timedelta(days=20)) < timedelta(minutes=5)
    assert abs(left["kiosk"] - timedelta(days=7)) < timedelta(minutes=5)
    permitted = (tmp_path / "keys/enclaves/kiosk/permissions.xml").read_text()
    until = certificate(tmp_path / "keys", "kiosk").not_valid_after_utc
    assert f"<not_after>{until:%Y-%m-%dT%H:%M:%S}</not_after>" in permitted


def test_an_enclave_does_not_outlive_its_authority(tmp_path: Path) -> None:
    init(tmp_path / "keys", "", Lifetimes(authority=20, enclave=365))
    assert entry(tmp_path / "keys", "cli").until == entry(tmp_path / "keys", "identity_ca").until


def test_what_ends_soon_is_warned_of(tmp_path: Path) -> None:
    init(tmp_path / "keys", "", Lifetimes(enclave=7))
    assert entry(tmp_path / "keys", "kiosk").warning == "ends in 6 days"
    assert entry(tmp_path / "keys", "identity_ca").warning == ""


def test_rotation_renews_enclaves_under_the_same_authority(store: Path) -> None:
    before = {name: certificate(store, name) for name in BY_NAME}
    authority = (store / "public" / "ca.cert.pem").read_bytes()
    assert set(rotate(store, (), False, Lifetimes())) == set(BY_NAME)
    assert all(certificate(store, name) != before[name] for name in BY_NAME)
    assert (store / "public" / "ca.cert.pem").read_bytes() == authority
    check_usable(store, "", tuple(BY_NAME))


def test_rotation_of_one_leaves_the_others(store: Path) -> None:
    before = {name: certificate(store, name) for name in BY_NAME}
    rotate(store, ("kiosk",), False, Lifetimes())
    assert [name for name in BY_NAME if certificate(store, name) != before[name]] == ["kiosk"]


def test_a_new_authority_makes_older_certificates_worthless(store: Path) -> None:
    stolen = (store / "enclaves/kiosk/cert.pem").read_bytes()
    key = (store / "enclaves/kiosk/key.pem").read_bytes()
    rotate(store, (), True, Lifetimes())
    check_usable(store, "", tuple(BY_NAME))
    (store / "enclaves/kiosk/cert.pem").write_bytes(stolen)
    (store / "enclaves/kiosk/key.pem").write_bytes(key)
    assert "of another authority" in refusal(check_usable, store, "", ("kiosk",))


def test_rotation_keeps_the_namespace(tmp_path: Path) -> None:
    init(tmp_path / "keys", "fleet/robot1", Lifetimes())
    rotate(tmp_path / "keys", (), False, Lifetimes())
    assert namespace_of(tmp_path / "keys") == "fleet/robot1"
    assert "'fleet/robot1', the stack has no namespace" in refusal(
        check_usable, tmp_path / "keys", "", ()
    )


def test_enclaves_of_others_are_shown_and_left_alone(store: Path) -> None:
    other = store / "enclaves" / "camera"
    other.mkdir()
    for path in (store / "enclaves" / "robot").iterdir():
        (other / path.name).write_bytes(path.read_bytes())
    before = (other / "cert.pem").read_bytes()
    rotate(store, (), False, Lifetimes())
    assert (other / "cert.pem").read_bytes() == before
    assert not entry(store, "camera").role


def test_a_robot_runs_without_the_keys_of_the_authority(store: Path) -> None:
    shutil.rmtree(store / "private")
    check_usable(store, "", tuple(BY_NAME))
    assert "ca.key.pem: cannot be read" in refusal(rotate, store, (), False, Lifetimes())


def test_a_folder_with_something_in_it_is_left_alone(store: Path, tmp_path: Path) -> None:
    assert "already; renew it with 'rotate'" in refusal(init, store, "", Lifetimes())
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "text").touch()
    assert "no empty folder" in refusal(init, tmp_path / "notes", "", Lifetimes())
    assert "no empty folder" in refusal(init, tmp_path / "notes" / "text", "", Lifetimes())


def test_an_expired_authority_is_named_with_the_mend(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = datetime.now(timezone.utc) + timedelta(days=Lifetimes.authority + 1)

    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return later

    monkeypatch.setattr(keystore, "datetime", Clock)
    line = refusal(rotate, store, (), False, Lifetimes())
    assert "this authority expired on" in line
    assert "'rotate --all'" in line


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("private/ca.key.pem", None, "cannot be read: no such file"),
        ("private/ca.key.pem", b"nonsense", "no unencrypted private key in PEM"),
        ("public/ca.cert.pem", b"nonsense", "no certificate in PEM"),
    ],
)
def test_an_authority_that_cannot_be_read(
    store: Path, name: str, content: bytes | None, told: str
) -> None:
    if content is None:
        (store / name).unlink()
    else:
        (store / name).write_bytes(content)
    assert told in refusal(rotate, store, (), False, Lifetimes())


def test_a_key_of_another_certificate(store: Path) -> None:
    key = store / "enclaves" / "kiosk" / "key.pem"
    key.write_bytes((store / "enclaves" / "cli" / "key.pem").read_bytes())
    assert "this is not the key of" in entry(store, "kiosk").fault
    assert "rotate" in refusal(check_usable, store, "", ("kiosk",))


def test_an_unknown_enclave_names_the_nearest(store: Path) -> None:
    line = refusal(rotate, store, ("kisk",), False, Lifetimes())
    assert "did you mean 'kiosk'" in line


def test_a_missing_enclave_is_seen(store: Path) -> None:
    (store / "enclaves" / "kiosk" / "cert.pem").unlink()
    assert "cert.pem: cannot be read" in entry(store, "kiosk").fault
    assert "enclave 'kiosk'" in refusal(check_usable, store, "", ("executor", "kiosk"))
    check_usable(store, "", ("executor",))


def test_a_folder_that_is_no_keystore(tmp_path: Path) -> None:
    for action in (entries, namespace_of):
        assert "'roboinstruct security init" in refusal(action, tmp_path)
