"""`roboinstruct replay`: recorded runs, and what has changed since."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import track

from roboinstruct_ros.commands.ending import bad_input
from roboinstruct_ros.commands.exit_code import ExitCode
from roboinstruct_ros.trace.bag import BagError
from roboinstruct_ros.trace.regression import Again, Depth, Outcome, Replayed, junit, replay_all
from roboinstruct_ros.trace.run_trace import bags_under


def replay(
    places: Sequence[str], depths: Mapping[Depth, Again], jobs: int, report: str
) -> ExitCode:
    """Replay bags; exit 0 where all goes as recorded, 1 where not, 2 where a bag is unreadable."""
    try:
        bags = [bag for place in places for bag in bags_under(Path(place).expanduser())]
    except BagError as error:
        return bad_input(str(error))
    if not bags:
        return bad_input(f"{', '.join(places)}: no bag in it")
    console = Console(highlight=False)
    results: list[Replayed] = []
    running = replay_all(bags, depths, jobs or os.cpu_count() or 1)
    waiting = track(running, "replaying", len(bags) * len(depths), console=Console(stderr=True))
    for result in waiting if console.is_terminal else running:
        results.append(result)
        if result.outcome is not Outcome.SAME:
            colour = "red" if result.outcome is Outcome.DIFFERENT else "yellow"
            told = f"{result.folder.name}: {result.depth.value}: {result.told}"
            if result.outcome is Outcome.UNREADABLE:
                told = result.told
            console.print(f"[{colour}]{escape(told)}[/]", soft_wrap=True)
    if report:
        try:
            Path(report).expanduser().write_text(junit(results))
        except OSError as error:
            return bad_input(f"{report}: cannot be written: {error.strerror}")
    counts = {one: sum(result.outcome is one for result in results) for one in Outcome}
    told = ", ".join(f"{count} {one.value}" for one, count in counts.items() if count)
    console.print(f"{len(bags)} bag{'' if len(bags) == 1 else 's'} replayed: {told}")
    if counts[Outcome.DIFFERENT]:
        return ExitCode.FAILED
    return ExitCode.BAD_INPUT if counts[Outcome.UNREADABLE] else ExitCode.SUCCESS
