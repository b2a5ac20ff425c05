"""`roboinstruct verify`: prints the verdict on a program like a compiler."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from roboinstruct_ros.commands.arguments import STACK, Domain, Json, Open, World, like
from roboinstruct_ros.commands.ending import ExitCode, bad_input, save
from roboinstruct_ros.commands.listing import program_listing, verdict_line, worlds_tried
from roboinstruct_ros.commands.rules import Rules, read_rules
from roboinstruct_ros.commands.tree_picture import tree_svg
from roboinstruct_ros.commands.verify_lines import verify_standard_input
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.verify.explore.tree import Tree
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Verdict

MOST_NODES = 200
"""Most nodes drawn; further ones are counted where they would appear."""


def read_program(place: str) -> str:
    """Program text from a file, or from standard input for `-`.

    Raises:
        ConfigError: it cannot be read as text.
    """
    try:
        data = sys.stdin.buffer.read() if place == "-" else Path(place).read_bytes()
        return data.decode("utf-8")
    except OSError as error:
        raise ConfigError(place, 0, "", f"cannot be read: {error.strerror}", None) from error
    except UnicodeDecodeError as error:
        raise ConfigError(place, 0, "", "is not UTF-8 text; Python is needed", None) from error


def verify(
    file: Annotated[str, typer.Argument(help="Program file; - reads standard input.")] = "",
    world: World = STACK.world,
    open_world: Open = False,
    domain: Domain = STACK.domain,
    policies: Annotated[str, like(STACK, "policies")] = "",
    policy: Annotated[
        list[str] | None, typer.Option(help="Enable this policy of the policies file; repeatable.")
    ] = None,
    as_json: Json = False,
    jsonl: Annotated[
        bool,
        typer.Option(
            "--jsonl", help='Verify many: one {"id", "program"} per line of standard input.'
        ),
    ] = False,
    tree: Annotated[
        Path | None,
        typer.Option(help="Draw the tree of choices as an SVG, folded after 200 nodes."),
    ] = None,
) -> ExitCode:
    """Print the verdict on one program, or on many. Raises ConfigError."""
    if bool(file) == jsonl:
        return bad_input("give either FILE (- reads standard input) or --jsonl")
    if tree and jsonl:
        return bad_input("--tree draws one program; it does not go with --jsonl")
    rules = read_rules(world, open_world, domain, policies, tuple(policy or ()))
    return verify_standard_input(rules) if jsonl else _verify_file(file, rules, as_json, tree)


def _verify_file(place: str, rules: Rules, as_json: bool, picture: Path | None) -> ExitCode:
    source = read_program(place)
    worker = VerifierWorker(*rules)
    try:
        verdict = worker.verify(source)
        tree = worker.tree(source, MOST_NODES) if picture else None
    finally:
        worker.close()
    if picture:
        _write_picture(picture, tree, verdict)
    if as_json:
        print(verdict.model_dump_json())
    else:
        console = Console(highlight=False)
        console.print(program_listing(source, verdict.violations), soft_wrap=True)
        console.print(verdict_line(verdict.model_dump(mode="json")), soft_wrap=True)
    return ExitCode.SUCCESS if verdict.accepted else ExitCode.FAILED


def _write_picture(picture: Path, tree: Tree | None, verdict: Verdict) -> None:
    if tree is None:
        print(f"{picture} was not written: no world of this program was made", file=sys.stderr)
        return
    heading = f"{verdict.status.value}: {worlds_tried(vars(verdict))}"
    save(picture, tree_svg(tree, heading))
