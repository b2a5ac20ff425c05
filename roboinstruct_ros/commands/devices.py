"""`roboinstruct devices pair|list|withdraw|certificate`."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from roboinstruct_ros.commands.ending import bad_input
from roboinstruct_ros.commands.exit_code import ExitCode
from roboinstruct_ros.security.kiosk_certificate import make_certificate
from roboinstruct_ros.web.access.devices import PIN_LIFE, PIN_TRIES, Devices, devices_path
from roboinstruct_ros.web.access.roles import Role
from roboinstruct_ros.web.web_error import WebError


def show_pin(file: str, role: Role) -> ExitCode:
    """Print a PIN for one more device. Raises InputError."""
    pin = Devices(devices_path(file)).new_pin(role)
    print(
        f"PIN {pin.pin} lets one device in as {role.value}, for {PIN_LIFE:.0f} s and {PIN_TRIES} "
        "tries: open the kiosk there, and type it"
    )
    return ExitCode.SUCCESS


def list_devices(file: str, as_json: bool) -> ExitCode:
    """Print the devices that may come in. Raises InputError."""
    found = Devices(devices_path(file)).all()
    if as_json:
        print(json.dumps([asdict(device) for device in found]))
        return ExitCode.SUCCESS
    table = Table()
    for heading in ("id", "name", "role", "let in", "last seen", "until", "from"):
        table.add_column(heading)
    for one in found:
        times = (_shown(when) for when in (one.paired, one.used, one.expires))
        table.add_row(one.id, one.name, one.role.value, *times, one.address)
    console = Console(highlight=False, markup=False)
    console.print(table if found else "no device is let in; this machine needs no leave")
    return ExitCode.SUCCESS


def withdraw_device(file: str, device_id: str) -> ExitCode:
    """Let a device in no more. Raises InputError."""
    try:
        device = Devices(devices_path(file)).withdraw(device_id)
    except WebError as error:
        return bad_input(error.message)
    print(f"{device.name} ({device.id}) is let in no more")
    return ExitCode.SUCCESS


def new_certificate(folder: Path, names: tuple[str, ...], days: int) -> ExitCode:
    """Make the certificate that other machines are shown. Raises ConfigError."""
    sha256 = make_certificate(folder, names, days)
    print(f"{folder} has a certificate for {days} days; 'roboinstruct up --host 0.0.0.0 --tls "
          f"{folder}' uses it.\nSHA-256 {sha256}")  # fmt: skip
    return ExitCode.SUCCESS


def _shown(when: float) -> str:
    return f"{datetime.fromtimestamp(when):%Y-%m-%d %H:%M}"
