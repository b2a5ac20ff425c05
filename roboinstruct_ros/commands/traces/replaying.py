"""`roboinstruct replay`: replays recorded runs and shows what has changed since."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from roboinstruct_ros.commands.arguments import SpreadOptions, takes
from roboinstruct_ros.commands.ending import ExitCode, save
from roboinstruct_ros.commands.listing import plain_console, table
from roboinstruct_ros.commands.progress import told
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.option import check, option
from roboinstruct_ros.domain.policies import load_policies
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import Domain, load_domain
from roboinstruct_ros.trace.bag import BagError
from roboinstruct_ros.trace.compared import Again, Depth
from roboinstruct_ros.trace.expected import write_expected
from roboinstruct_ros.trace.judged_again import replay_verdict
from roboinstruct_ros.trace.regression import Outcome, Replayed, replay_all
from roboinstruct_ros.trace.replay import replay_calls
from roboinstruct_ros.trace.replay_results import counts, junit, page
from roboinstruct_ros.trace.run_trace import bag_named, bags_under, read_trace
from roboinstruct_ros.trace.stored import Store
from roboinstruct_ros.trace.tolerances import read_tolerances


@dataclass(frozen=True, kw_only=True)
class ReplayOptions(SpreadOptions):
    """Depths, settings and output files; an empty file name writes nothing."""

    calls: bool = option(False, "run the recorded programs again", flag="--calls")
    verdict: bool = option(False, "verify the programs again", flag="--verdict")
    program: bool = option(
        False, "generate the programs again, and compare what they do", flag="--program"
    )
    simulate: bool = option(False, "run the tasks on the simulated robot", flag="--simulate")
    world: str = option("", "verify with this world or map; empty: the recorded one")
    policies: str = option("", "verify with this policies YAML; empty: the recorded policies")
    model: str = option("", "model that generates the programs; empty: the shipped one")
    speed: float = option(50.0, "simulation speed as a multiple of real time", 0.1, 50.0)
    jobs: int = option(0, "number of processes", 0, 256, lowest="one per core, the default")
    junit: str = option("", "write the results to this file as JUnit XML")
    html: str = option("", "write a summary to this file as one HTML page")
    store: str = option(
        "", "keep the results in this file, and skip replays that are already in it"
    )
    tolerances: str = option("", "YAML: how far simulated times may differ from recorded ones")
    accept: bool = option(False, "save the present results as the expected ones", flag="--accept")


@takes("options", ReplayOptions())
def replay(
    bags: Annotated[
        list[str],
        typer.Argument(
            help="A bag: its folder, the start of its name, or last; or a folder of bags."
        ),
    ],
    options: ReplayOptions,
) -> ExitCode:
    """Replay bags; exit 0 if all go as expected, 1 if not, 2 if a bag is unreadable."""
    check(options)
    tolerances = read_tolerances(options.tolerances)
    console = plain_console()
    found = [bag for place in bags for bag in bags_under(bag_named(place))]
    if not found:
        raise InputError(f"{', '.join(bags)}: no bag in it")
    depths = _depths(options, found)
    store = Store(Path(options.store).expanduser()) if options.store else None
    jobs = options.jobs or len(os.sched_getaffinity(0))
    running = replay_all(found, depths, jobs, tolerances, store, options.ray)
    results = _told(running, len(found) * len(depths), console)
    for name, text in ((options.junit, junit), (options.html, page)):
        if name:
            save(Path(name), text(results))
    outcomes = {result.outcome for result in results}
    _summarize(len(found), results, console)
    if options.accept:
        return _accept(results, console)
    if Outcome.DIFFERENT in outcomes:
        return ExitCode.FAILED
    return ExitCode.BAD_INPUT if Outcome.UNREADABLE in outcomes else ExitCode.SUCCESS


def _depths(options: ReplayOptions, bags: Sequence[Path]) -> dict[Depth, Again]:
    either = options.calls or options.verdict or options.program or options.simulate
    again: dict[Depth, Again] = {}
    if options.calls or not either:
        again[Depth.CALLS] = replay_calls
    if options.verdict or not either:
        again[Depth.VERDICT] = partial(replay_verdict, today=_today(options, bags))
    if options.program:
        from roboinstruct_ros.generate.backends.open_backend import MODEL_VARIABLE
        from roboinstruct_ros.trace.written_again import replay_program

        model = options.model or os.getenv(MODEL_VARIABLE, "")
        again[Depth.PROGRAM] = partial(replay_program, model=model)
    if options.simulate:
        from roboinstruct_ros.commands.traces.simulated import replay_simulated

        again[Depth.SIMULATE] = partial(replay_simulated, speed=options.speed)
    return again


def _today(options: ReplayOptions, bags: Sequence[Path]) -> dict[str, Any]:
    """Settings given by options, which replace the recorded ones. Raises ConfigError.

    Args:
        bags: of one robot, whose skills the policies name.
    """
    today: dict[str, Any] = {}
    if options.world:
        today["semantic_map"] = load_semantic_map(find_world(options.world))
    if options.policies:
        rooms = today.get("semantic_map")
        path = Path(options.policies).expanduser()
        today["policies"] = load_policies(_domain_of(bags), path, rooms)
    return today


def _domain_of(bags: Sequence[Path]) -> Domain:
    """The skills in the first bag that tells them, else those of the service robot."""
    for bag in bags:
        with suppress(BagError):
            setting = read_trace(bag).setting
            if setting is not None:
                return setting.domain
    return load_domain()


def _told(running: Iterable[Replayed], count: int, console: Console) -> list[Replayed]:
    """Collect the results; unexpected ones are printed as they arrive."""
    results: list[Replayed] = []
    with told("replaying") as shown:
        shown.total(count)
        for result in running:
            results.append(result)
            shown.advance()
            what = f"{result.folder.name}: {result.depth.value}: {result.told}"
            if result.outcome is Outcome.DIFFERENT:
                console.print(what, style="red", markup=False, soft_wrap=True)
            elif result.outcome is not Outcome.SAME:
                console.print(result.told, style="yellow", markup=False, soft_wrap=True)
    return results


def _summarize(bags: int, results: Sequence[Replayed], console: Console) -> None:
    """Print a table if there are several depths, and a summary line."""
    rows = counts(results)
    if len(rows) > 1:
        shown = table("depth", *(f">{one.value}" for one in Outcome), ">s")
        for name, ends, seconds in rows:
            shown.add_row(name, *map(str, ends), f"{seconds:.1f}")
        console.print(shown)
    counted = Counter(result.outcome for result in results)
    ended = ", ".join(f"{counted[one]} {one.value}" for one in Outcome if counted[one])
    console.print(f"{bags} bag{'' if bags == 1 else 's'} replayed: {ended}")


def _accept(results: Sequence[Replayed], console: Console) -> ExitCode:
    compared = [one for one in results if one.outcome in (Outcome.SAME, Outcome.DIFFERENT)]
    for one in compared:
        write_expected(one.folder, {one.depth.value: one.now})
    changed = sum(one.outcome is Outcome.DIFFERENT for one in compared)
    console.print(f"accepted: {changed} expectation{'' if changed == 1 else 's'} changed")
    unreadable = any(one.outcome is Outcome.UNREADABLE for one in results)
    return ExitCode.BAD_INPUT if unreadable else ExitCode.SUCCESS
