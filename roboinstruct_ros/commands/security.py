"""`roboinstruct security ...`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from roboinstruct_ros.bringup.graph import check_namespace
from roboinstruct_ros.commands.arguments import Json
from roboinstruct_ros.commands.ending import ExitCode, in_home
from roboinstruct_ros.commands.listing import console, table
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.security.certificates import MOST_DAYS, Lifetimes
from roboinstruct_ros.security.keystore import init, namespace_of, rotate
from roboinstruct_ros.security.keystore_state import Entry, entries
from roboinstruct_ros.security.roles import ROLES

Folder = Annotated[
    Path, typer.Argument(metavar="DIR", help="Folder of the keystore.", callback=in_home)
]
Days = Annotated[
    int, typer.Option(help="Days that the enclaves' certificates are valid.", min=1, max=MOST_DAYS)
]
AuthorityDays = Annotated[
    int, typer.Option(help="Days that a new certificate authority is valid.", min=1, max=MOST_DAYS)
]


def make_keystore(
    folder: Folder,
    namespace: Annotated[str, typer.Option(help="ROS namespace of the stack.")] = "",
    days: Days = Lifetimes.enclave,
    authority_days: AuthorityDays = Lifetimes.authority,
) -> None:
    """Make a keystore: a certificate authority, and an enclave for each part of the stack."""
    check_namespace(namespace)
    init(folder, namespace.strip("/"), Lifetimes(authority_days, days))
    print(
        f"{folder} has {len(ROLES)} enclaves, valid for {days} days; "
        f"'roboinstruct up --security {folder}' uses them. Keep {folder / 'private'} elsewhere: "
        "whoever has it can make more."
    )


def rotate_keystore(
    folder: Folder,
    enclaves: Annotated[
        list[str] | None, typer.Argument(metavar="[ENCLAVE]...", help="Only these enclaves.")
    ] = None,
    new_authority: Annotated[
        bool,
        typer.Option(
            "--all", help="Make a new certificate authority too; older certificates become invalid."
        ),
    ] = False,
    days: Days = Lifetimes.enclave,
    authority_days: AuthorityDays = Lifetimes.authority,
) -> None:
    """Renew keys, certificates and permissions; restart the stack to use them."""
    if enclaves and new_authority:
        raise InputError("--all renews every enclave: name none of them")
    if authority_days != Lifetimes.authority and not new_authority:
        raise InputError("--authority-days is for a new certificate authority: add --all")
    lifetimes = Lifetimes(authority_days, days)
    renewed = rotate(folder, tuple(enclaves or ()), new_authority, lifetimes)
    what = "a new authority and new certificates" if new_authority else "new certificates"
    print(f"{what} for {', '.join(renewed)}; restart what runs to use them")


def show_keystore(folder: Folder, as_json: Json = False) -> ExitCode:
    """List the contents with their expiry. Exit 0: all good; 1: something is expired, broken
    or no secret."""
    namespace, found = namespace_of(folder), entries(folder)
    if as_json:
        told = [_plain(entry) for entry in found]
        print(json.dumps({"namespace": namespace, "entries": told}))
    else:
        console().print(_table(namespace, found))
    return ExitCode.FAILED if any(entry.fault for entry in found) else ExitCode.SUCCESS


def _plain(entry: Entry) -> dict[str, str | bool | None]:
    return {
        "name": entry.name,
        "of_the_stack": entry.role,
        "until": entry.until.isoformat() if entry.until else None,
        "fault": entry.fault,
        "warning": entry.warning,
    }


def _table(namespace: str, found: tuple[Entry, ...]) -> Table:
    title = f"namespace '{namespace}'" if namespace else None
    rows = table("name", "valid until (UTC)", "", title=title)
    for entry in found:
        until = f"{entry.until:%Y-%m-%d %H:%M}" if entry.until else "-"
        good = "good" if entry.role else "good, but not of this stack"
        style = "bold red" if entry.fault else "yellow" if entry.warning else ""
        rows.add_row(entry.name, until, escape(entry.fault or entry.warning or good), style=style)
    return rows
