"""`roboinstruct devices`, and a kiosk that lets other machines in by no open door."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from ipaddress import ip_address
from pathlib import Path

import pytest
from command_line import cli, one_line
from cryptography import x509

from roboinstruct_ros.commands.devices import list_devices
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.nodes.kiosk.parameters import KioskOptions
from roboinstruct_ros.nodes.kiosk.reach import address_lines, reach_fault
from roboinstruct_ros.security.kiosk_certificate import fingerprint, make_certificate
from roboinstruct_ros.web.access.devices import Devices
from roboinstruct_ros.web.access.roles import Role


def devices(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "roboinstruct_ros.cli", "devices", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.stack
def test_a_pin_that_the_terminal_shows_lets_a_device_in_until_it_is_withdrawn(
    tmp_path: Path,
) -> None:
    file = tmp_path / "devices.sqlite"
    kiosk = Devices(file)
    shown = devices("pair", "--role", "viewer", "--devices", str(file)).stdout
    pin = re.search(r"PIN (\d{6}) lets one device in as viewer", shown)
    assert pin, shown
    device, token = kiosk.pair(pin[1], "Anna's tablet", "10.0.0.7")
    [listed] = json.loads(devices("list", "--json", "--devices", str(file)).stdout)
    assert (listed["id"], listed["name"], listed["role"]) == (device.id, "Anna's tablet", "viewer")
    assert "token" not in listed
    ended = devices("withdraw", device.id, "--devices", str(file))
    assert ended.stdout == f"Anna's tablet ({device.id}) is let in no more\n"
    assert kiosk.of_token(token) is None
    again = devices("withdraw", device.id, "--devices", str(file))
    assert again.returncode == 2
    assert f"there is no device '{device.id}'" in again.stderr


def test_a_damaged_file_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "devices.sqlite"
    kiosk = Devices(file)
    kiosk.pair(kiosk.new_pin(Role.VIEWER).pin, "tablet", "10.0.0.7")
    pages = file.read_bytes()
    file.write_bytes(pages[:4096] + b"\xff" * (len(pages) - 4096))
    with pytest.raises(InputError, match=r"the devices cannot be read now: .*malformed"):
        list_devices(str(file))


@pytest.mark.stack
def test_a_certificate_is_made_once_and_its_fingerprint_shown(tmp_path: Path) -> None:
    folder = tmp_path / "tls"
    made = devices("certificate", str(folder), "--name", "robot.example")
    assert fingerprint(folder) in made.stdout
    again = devices("certificate", str(folder))
    assert again.returncode == 2
    assert "it is there already" in again.stderr
    assert len(again.stderr.splitlines()) == 1


def test_a_certificate_is_for_names_and_addresses(tmp_path: Path) -> None:
    given = ["--name", "küche.local", "--name", "fe80::1"]
    assert cli("devices", "certificate", str(tmp_path), *given).returncode == 0
    made = x509.load_pem_x509_certificate((tmp_path / "certificate.pem").read_bytes())
    names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert "xn--kche-0ra.local" in names.get_values_for_type(x509.DNSName)
    assert ip_address("fe80::1") in names.get_values_for_type(x509.IPAddress)
    for wrong in ("", "my robot", "https://robot:8443", "a..b"):
        line = one_line(cli("devices", "certificate", str(tmp_path / "b"), "--name", wrong))
        assert f"'{wrong}' is no host name or address" in line


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "[::]"])
def test_an_address_of_others_needs_tls_or_a_proxy(host: str) -> None:
    fault = reach_fault(KioskOptions(host=host))
    assert "lets other machines in: give tls" in fault
    assert "\n" not in fault


def test_an_address_may_stand_in_brackets_as_it_is_shown() -> None:
    chosen = KioskOptions(host="[::1]", port=0)
    assert reach_fault(chosen) == ""
    assert address_lines(chosen) == ["http://[::1]:0"]


def test_a_proxy_has_to_be_an_address() -> None:
    assert "is no address" in reach_fault(KioskOptions(host="0.0.0.0", proxy="everybody"))


def test_with_tls_this_machines_page_stays_where_it_was(tmp_path: Path) -> None:
    sha256 = make_certificate(tmp_path / "tls")
    own, other = address_lines(KioskOptions(host="0.0.0.0", tls=str(tmp_path / "tls")))
    assert own == "http://127.0.0.1:8080"
    assert ":8443 for other machines" in other
    assert sha256 in other


def test_roles_are_those_of_the_docs() -> None:
    text = (Path(__file__).parents[2] / "docs" / "security.md").read_text()
    rows = re.findall(r"^\| (\w+) \| ", text, re.MULTILINE)
    assert {"anybody", *(role.value for role in Role)} <= set(rows)
