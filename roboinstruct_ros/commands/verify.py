"""`roboinstruct verify`: the verdict on a program like a compiler, or on many as JSON lines."""

from __future__ import annotations

import json
import os
import sys
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Annotated, Any

import typer

from roboinstruct_ros.commands.arguments import Json, Open, like, read_program
from roboinstruct_ros.commands.ending import ExitCode, in_home, save
from roboinstruct_ros.commands.json_lines import Line, lines_of
from roboinstruct_ros.commands.listing import (
    plain_console,
    program_listing,
    verdict_line,
    worlds_tried,
)
from roboinstruct_ros.commands.progress import told
from roboinstruct_ros.commands.rules import Rules, read_rules
from roboinstruct_ros.commands.stack_arguments import STACK, Domain, World
from roboinstruct_ros.commands.tree_picture import tree_svg
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.verify.explore.tree import Tree
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Verdict

MOST_NODES = 200
"""Most nodes drawn; further ones are counted where they would appear."""

_SHAPE = '{"id": ..., "program": "def task_program(): ..."}'
_TOLD = {"status", "exhaustive", "paths", "coverage", "warnings", "assumptions"}
_AHEAD = 8  # lines read ahead for each worker


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
        raise InputError("give either FILE (- reads standard input) or --jsonl")
    if tree and jsonl:
        raise InputError("--tree draws one program; it does not go with --jsonl")
    read = {in_home(Path(one)).resolve() for one in (file, world, domain, policies) if one}
    if tree and in_home(tree).resolve() in read:
        raise InputError(f"--tree {tree}: is a file that is read here; name another one")
    rules = read_rules(world, open_world, domain, policies, tuple(policy or ()))
    return _verify_standard_input(rules) if jsonl else _verify_file(file, rules, as_json, tree)


def _verify_file(place: str, rules: Rules, as_json: bool, picture: Path | None) -> ExitCode:
    source = read_program(place)
    with closing(VerifierWorker(*rules)) as worker:
        verdict = worker.verify(source)
        tree = worker.tree(source, MOST_NODES) if picture else None
    if picture:
        _write_picture(picture, tree, verdict)
    if as_json:
        print(verdict.model_dump_json())
    else:
        console = plain_console()
        console.print(program_listing(source, verdict.violations), soft_wrap=True)
        console.print(verdict_line(verdict.model_dump(mode="json")), soft_wrap=True)
    return ExitCode.SUCCESS if verdict.accepted else ExitCode.FAILED


def _write_picture(picture: Path, tree: Tree | None, verdict: Verdict) -> None:
    if tree is None:
        print(f"{picture} was not written: no world of this program was made", file=sys.stderr)
        return
    heading = f"{verdict.status.value}: {worlds_tried(vars(verdict))}"
    save(picture, tree_svg(tree, heading))


def _verify_standard_input(rules: Rules) -> ExitCode:
    """Verify every line of standard input; write the verdicts to standard output in the same order.

    An unusable line gets an object with `error`, and the exit code is 2.
    """
    unusable = False
    with told("verifying") as progress:
        for line, verdict in _verdicts(rules, sys.stdin):
            unusable |= bool(line.fault)
            print(json.dumps(_as_object(line, verdict)), flush=True)
            progress.advance()
    return ExitCode.BAD_INPUT if unusable else ExitCode.SUCCESS


def _verdicts(rules: Rules, source: IO[str]) -> Iterator[tuple[Line, Verdict | None]]:
    cores = len(os.sched_getaffinity(0))
    with ExitStack() as stack:
        idle: SimpleQueue[VerifierWorker] = SimpleQueue()
        for _ in range(cores):
            idle.put(stack.enter_context(closing(VerifierWorker(*rules))))
        threads = ThreadPoolExecutor(cores)
        stack.callback(threads.shutdown, cancel_futures=True)  # at Ctrl-C, none is begun any more
        waiting: deque[tuple[Line, Future[Verdict | None]]] = deque()
        for line in lines_of(source, "program", _SHAPE):
            waiting.append((line, threads.submit(_verdict, line, idle)))
            if len(waiting) > cores * _AHEAD:
                first, future = waiting.popleft()
                yield first, future.result()
        for line, future in waiting:
            yield line, future.result()


def _verdict(line: Line, idle: SimpleQueue[VerifierWorker]) -> Verdict | None:
    if line.fault:
        return None
    worker = idle.get()
    try:
        return worker.verify(line.text)
    finally:
        idle.put(worker)


def _as_object(line: Line, verdict: Verdict | None) -> dict[str, Any]:
    if verdict is None:
        return {"id": line.id, "error": line.fault}
    return {
        "id": line.id,
        "accepted": verdict.accepted,
        **verdict.model_dump(mode="json", include=_TOLD),
        "violations": [
            {
                **one.model_dump(mode="json", exclude={"counterexample"}),
                "counterexample": list(one.counterexample.steps) if one.counterexample else [],
            }
            for one in verdict.violations
        ],
        "ms": round(verdict.duration * 1e3, 3),
    }
