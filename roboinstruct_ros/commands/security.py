"""`roboinstruct security init|show|rotate`."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console
from rich.table import Table

from roboinstruct_ros.bringup.check_options import check_namespace
from roboinstruct_ros.commands.ending import bad_input
from roboinstruct_ros.commands.exit_code import ExitCode
from roboinstruct_ros.security.keystore import init, namespace_of, rotate
from roboinstruct_ros.security.keystore_state import Entry, entries
from roboinstruct_ros.security.lifetimes import Lifetimes
from roboinstruct_ros.security.roles import ROLES


def make_keystore(folder: Path, namespace: str, lifetimes: Lifetimes) -> ExitCode:
    """Make a keystore with an enclave for each role. Raises ConfigError."""
    check_namespace(namespace)
    init(folder, namespace.strip("/"), lifetimes)
    print(
        f"{folder} has {len(ROLES)} enclaves, valid for {lifetimes.enclave} days; "
        f"'roboinstruct up --security {folder}' uses them. Keep {folder / 'private'} elsewhere: "
        "whoever has it can make more."
    )
    return ExitCode.SUCCESS


def rotate_keystore(
    folder: Path, chosen: tuple[str, ...], new_authority: bool, lifetimes: Lifetimes
) -> ExitCode:
    """Renew certificates, of these enclaves or all. Raises ConfigError."""
    if chosen and new_authority:
        return bad_input("--all renews every enclave: name none of them")
    renewed = rotate(folder, chosen, new_authority, lifetimes)
    what = "a new authority and new certificates" if new_authority else "new certificates"
    print(f"{what} for {', '.join(renewed)}; restart what runs to use them")
    return ExitCode.SUCCESS


def show_keystore(folder: Path, as_json: bool) -> ExitCode:
    """Print what a keystore holds and until when. Raises ConfigError."""
    namespace, found = namespace_of(folder), entries(folder)
    if as_json:
        told = [_plain(entry) for entry in found]
        print(json.dumps({"namespace": namespace, "entries": told}))
    else:
        Console(highlight=False, markup=False).print(_table(namespace, found))
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
    table = Table(title=f"namespace '{namespace}'" if namespace else None)
    for heading in ("name", "valid until (UTC)", ""):
        table.add_column(heading)
    for entry in found:
        until = f"{entry.until:%Y-%m-%d %H:%M}" if entry.until else "-"
        good = "good" if entry.role else "good, but not of this stack"
        table.add_row(entry.name, until, entry.fault or entry.warning or good, style=_style(entry))
    return table


def _style(entry: Entry) -> str:
    if entry.fault:
        return "bold red"
    return "yellow" if entry.warning else ""
