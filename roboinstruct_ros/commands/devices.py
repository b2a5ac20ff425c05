"""`roboinstruct devices ...`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from roboinstruct_ros.commands.arguments import Json
from roboinstruct_ros.commands.ending import in_home
from roboinstruct_ros.commands.listing import console, local_time, table
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.security.kiosk_certificate import make_certificate
from roboinstruct_ros.web.access.devices import PIN_LIFE, Devices, devices_path
from roboinstruct_ros.web.access.roles import Role
from roboinstruct_ros.web.web_error import WebError

File = Annotated[
    str, typer.Option("--devices", help="The kiosk's file of paired devices; empty: your own.")
]


@contextmanager
def _devices(file: str) -> Iterator[Devices]:
    """The devices of a file. Raises InputError for what it, or one of them, does not allow."""
    try:
        yield Devices(devices_path(file))
    except WebError as error:
        raise InputError(error.message) from None


def show_pin(
    role: Annotated[Role, typer.Option(help="What the device may do.")] = Role.OPERATOR,
    file: File = "",
) -> None:
    """Show a PIN that lets one device in."""
    with _devices(file) as devices:
        pin = devices.new_pin(role)
    print(
        f"PIN {pin.pin} lets one device in as {role.value}, for {PIN_LIFE:.0f} s: "
        "open the kiosk there, and type it"
    )


def list_devices(file: File = "", as_json: Json = False) -> None:
    """List the devices that may use the kiosk."""
    with _devices(file) as devices:
        found = devices.all()
    if as_json:
        print(json.dumps([asdict(device) for device in found]))
        return
    rows = table("id", "name", "role", "let in", "last seen", "until", "from")
    for one in found:
        times = map(local_time, (one.paired, one.used, one.expires))
        rows.add_row(one.id, escape(one.name), one.role.value, *times, one.address)
    console().print(rows if found else "no device is let in; this machine needs no leave")


def withdraw_device(
    device: Annotated[str, typer.Argument(help="Id of the device, as 'list' shows it.")],
    file: File = "",
) -> None:
    """Withdraw a device's access and close its open pages."""
    with _devices(file) as devices:
        withdrawn = devices.withdraw(device)
    print(f"{withdrawn.name} ({withdrawn.id}) is let in no more")


def new_certificate(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="Folder for the certificate.", callback=in_home),
    ],
    name: Annotated[
        list[str] | None,
        typer.Option(help="A further name or address of this machine; repeatable."),
    ] = None,
    days: Annotated[
        int, typer.Option(help="Days that the certificate is valid.", min=1, max=825)
    ] = 825,
) -> None:
    """Make a self-signed certificate and show its fingerprint."""
    sha256 = make_certificate(folder, tuple(name or ()), days)
    print(f"{folder} has a certificate for {days} days; 'roboinstruct up --host 0.0.0.0 --tls "
          f"{folder}' uses it.\nSHA-256 {sha256}")  # fmt: skip
