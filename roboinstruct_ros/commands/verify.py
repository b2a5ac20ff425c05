"""`roboinstruct verify`: the verdict on a program, as a compiler would print it."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console

from roboinstruct_ros.commands.ending import save
from roboinstruct_ros.commands.exit_code import ExitCode
from roboinstruct_ros.commands.listing import program_listing, verdict_line, worlds_tried
from roboinstruct_ros.commands.rules import Rules
from roboinstruct_ros.commands.tree_picture import tree_svg
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.verify.explore.tree import Tree
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Verdict

MOST_NODES = 200
"""Nodes of a picture; what is new beyond them is counted where it would stand."""


def read_program(place: str) -> str:
    """Program text of a file, or of standard input for `-`.

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


def verify_file(place: str, rules: Rules, as_json: bool, picture: Path | None = None) -> ExitCode:
    """Print the verdict on one program.

    Args:
        picture: an SVG of what was tried is written here.

    Raises:
        ConfigError: the program cannot be read, or the picture not written.
    """
    source = read_program(place)
    worker = VerifierWorker(rules.domain, rules.semantic_map, rules.policies)
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
