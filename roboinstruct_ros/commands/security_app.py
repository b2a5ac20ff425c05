"""`roboinstruct security ...`: reads arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from roboinstruct_ros.commands.ending import end
from roboinstruct_ros.security.lifetimes import AUTHORITY_DAYS, ENCLAVE_DAYS, MOST_DAYS, Lifetimes

security_app = typer.Typer(
    help="The keystore that closes the stack to strangers; see docs/security.md.",
    no_args_is_help=True,
)

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the keystore.")]
Days = Annotated[int, typer.Option(help="Days that enclaves are valid.", min=1, max=MOST_DAYS)]
AuthorityDays = Annotated[
    int, typer.Option(help="Days that a new authority is valid.", min=1, max=MOST_DAYS)
]


@security_app.command("init")
def security_init(
    folder: Folder,
    namespace: Annotated[str, typer.Option(help="ROS namespace of the stack.")] = "",
    days: Days = ENCLAVE_DAYS,
    authority_days: AuthorityDays = AUTHORITY_DAYS,
) -> None:
    """Make a keystore: an authority, and an enclave for each part of the stack."""
    from roboinstruct_ros.commands.security import make_keystore

    end(lambda: make_keystore(folder, namespace, Lifetimes(authority_days, days)))


@security_app.command("show")
def security_show(
    folder: Folder,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """What is there and until when. Exit 0 all good, 1 something has expired or is broken."""
    from roboinstruct_ros.commands.security import show_keystore

    end(lambda: show_keystore(folder, as_json))


@security_app.command("rotate")
def security_rotate(
    folder: Folder,
    enclaves: Annotated[
        list[str] | None, typer.Argument(metavar="[ENCLAVE]...", help="These only.")
    ] = None,
    new_authority: Annotated[
        bool, typer.Option("--all", help="A new authority too; older certificates are worthless.")
    ] = False,
    days: Days = ENCLAVE_DAYS,
    authority_days: AuthorityDays = AUTHORITY_DAYS,
) -> None:
    """New keys, certificates and permissions; restart the stack to use them."""
    from roboinstruct_ros.commands.security import rotate_keystore

    chosen = tuple(enclaves or ())
    lifetimes = Lifetimes(authority_days, days)
    end(lambda: rotate_keystore(folder, chosen, new_authority, lifetimes))
