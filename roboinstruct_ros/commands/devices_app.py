"""`roboinstruct devices ...`: reads arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from roboinstruct_ros.commands.ending import end
from roboinstruct_ros.web.access.roles import Role

devices_app = typer.Typer(
    help="Devices on the network that may use the kiosk; see docs/security.md.",
    no_args_is_help=True,
)

File = Annotated[str, typer.Option("--devices", help="File of the kiosk; empty is your own.")]


@devices_app.command("pair")
def devices_pair(
    role: Annotated[Role, typer.Option(help="What the device may do.")] = Role.OPERATOR,
    file: File = "",
) -> None:
    """Show a PIN that lets one device in."""
    from roboinstruct_ros.commands.devices import show_pin

    end(lambda: show_pin(file, role))


@devices_app.command("list")
def devices_list(
    file: File = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON list.")] = False,
) -> None:
    """The devices that are let in."""
    from roboinstruct_ros.commands.devices import list_devices

    end(lambda: list_devices(file, as_json))


@devices_app.command("withdraw")
def devices_withdraw(
    device: Annotated[str, typer.Argument(help="Id of the device, as 'list' shows it.")],
    file: File = "",
) -> None:
    """Let a device in no more; its open pages are closed."""
    from roboinstruct_ros.commands.devices import withdraw_device

    end(lambda: withdraw_device(file, device))


@devices_app.command("certificate")
def devices_certificate(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to make it in.")],
    name: Annotated[
        list[str] | None, typer.Option(help="One more name or address of this machine.")
    ] = None,
    days: Annotated[int, typer.Option(help="Days that it is valid.", min=1, max=825)] = 825,
) -> None:
    """Make a certificate that signs itself, and show its fingerprint."""
    from roboinstruct_ros.commands.devices import new_certificate

    end(lambda: new_certificate(folder, tuple(name or ()), days))
