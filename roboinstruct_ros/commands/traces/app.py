"""`roboinstruct trace ...` and `roboinstruct replay`: reads arguments."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from roboinstruct_ros.commands.ending import end
from roboinstruct_ros.commands.exit_code import ExitCode

OUTCOMES = "succeeded, failed, cancelled or cut_off"
TIMES = "2026-11-22, 2026-11-22T18:30 (UTC), or 90m, 12h, 7d ago"
_BAG = "A bag: its folder, the beginning of its name, or last."

trace_app = typer.Typer(help="Recorded runs, a bag each.", no_args_is_help=True)

OneObject = Annotated[bool, typer.Option("--json", help="One JSON object.")]


@trace_app.command("list")
def trace_list(
    folder: Annotated[str, typer.Argument(help="Folder of bags; empty is the recorder's.")] = "",
    outcome: Annotated[str, typer.Option(help=f"Only these: {OUTCOMES}.")] = "",
    error: Annotated[
        str, typer.Option(help="Only runs that ended with this error, or a skill in them.")
    ] = "",
    room: Annotated[str, typer.Option(help="Only runs that were in this room.")] = "",
    person: Annotated[str, typer.Option(help="Only runs whose calls name this person.")] = "",
    words: Annotated[str, typer.Option(help="Only tasks with these words in them.")] = "",
    since: Annotated[str, typer.Option(help=f"Only runs that began after this: {TIMES}.")] = "",
    until: Annotated[str, typer.Option(help="Only runs that began before this.")] = "",
    as_json: OneObject = False,
) -> None:
    """The recorded runs, the oldest first."""
    from roboinstruct_ros.commands.traces.listing import list_traces
    from roboinstruct_ros.commands.traces.wanted import wanted

    end(
        lambda: list_traces(
            folder, wanted(outcome, error, room, person, words, since, until), as_json
        )
    )


@trace_app.command("keep")
def trace_keep(
    bag: Annotated[str, typer.Argument(help=_BAG)],
    no: Annotated[bool, typer.Option("--no", help="No longer.")] = False,
) -> None:
    """Never delete a run, whatever the recorder's limits are."""
    from roboinstruct_ros.commands.traces.runs import keep_bag

    end(lambda: keep_bag(bag, not no))


@trace_app.command("show")
def trace_show(bag: Annotated[str, typer.Argument(help=_BAG)], as_json: OneObject = False) -> None:
    """One run: the words, the program, and every call with its answer and time."""
    from roboinstruct_ros.commands.traces.runs import show_trace

    end(lambda: show_trace(bag, as_json))


@trace_app.command("diff")
def trace_diff(
    first: Annotated[str, typer.Argument(help=_BAG)],
    second: Annotated[str, typer.Argument(help="Another one.")],
) -> None:
    """Two runs side by side, the first difference marked. Exit 1 where they differ."""
    from roboinstruct_ros.commands.traces.differing import diff_traces

    end(lambda: diff_traces(first, second))


@trace_app.command("export")
def trace_export(
    bag: Annotated[str, typer.Argument(help=_BAG)],
    html: Annotated[str, typer.Option(help="One page that opens anywhere.")] = "",
    csv: Annotated[str, typer.Option(help="A line for each call.")] = "",
    json: Annotated[str, typer.Option(help="All of it as one JSON object.")] = "",
) -> None:
    """Write a run to a file: map, drive, program, plan, and every call with its time."""
    from roboinstruct_ros.commands.traces.exporting import export_trace

    end(lambda: export_trace(bag, html, csv, json))


@trace_app.command("promote")
def trace_promote(
    bag: Annotated[str, typer.Argument(help=_BAG)],
    name: Annotated[str, typer.Argument(help="Of the case.")],
    to: Annotated[str, typer.Option(help="Folder of the cases.")] = "bags",
    rename: Annotated[
        list[str], typer.Option(help="NAME=OTHER: put another name in its place, everywhere.")
    ] = [],  # noqa: B006
) -> None:
    """Make a regression case of a run: what a replay needs, and what it is expected to tell."""
    from roboinstruct_ros.commands.traces.replaying import promote_bag

    end(lambda: promote_bag(bag, name, to, rename))


@trace_app.command("repair")
def trace_repair(
    bag: Annotated[str, typer.Argument(help="Folder of a bag that was not completed.")],
    to: Annotated[str, typer.Option(help="Folder to make; empty: BAG_repaired.")] = "",
) -> None:
    """Save what is in a bag that a loss of power has cut off; the bag itself stays as it is."""
    from roboinstruct_ros.commands.traces.replaying import repair_bag

    end(lambda: repair_bag(bag, to))


@trace_app.command("import")
def trace_import(
    bag: Annotated[str, typer.Argument(help="rosbag2 folder, .mcap or .db3 of any robot.")],
    to: Annotated[str, typer.Option(help="Folder for world.yaml and timeline.csv.")],
) -> None:
    """Make a world of what another robot's bag tells: where it stood, and what it saw there."""
    from roboinstruct_ros.commands.traces.importing import import_bag

    end(lambda: import_bag(bag, to))


def replay(
    bags: Annotated[
        list[str],
        typer.Argument(help=f"{_BAG[:-1]}; or a folder of bags."),
    ],
    calls: Annotated[bool, typer.Option("--calls", help="Run the programs again.")] = False,
    verdict: Annotated[bool, typer.Option("--verdict", help="Judge them again.")] = False,
    program: Annotated[
        bool, typer.Option("--program", help="Have them written again, and compare what they do.")
    ] = False,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Carry them out on the simulated robot.")
    ] = False,
    world: Annotated[
        str, typer.Option(help="Judge by this world or map; empty: by the recorded one.")
    ] = "",
    policies: Annotated[
        str, typer.Option(help="Judge by this policies YAML; empty: by the recorded ones.")
    ] = "",
    model: Annotated[str, typer.Option(help="Writes them again; empty: the shipped model.")] = "",
    speed: Annotated[
        float, typer.Option(help="Times faster than real time, simulated.", min=0.1, max=50)
    ] = 50.0,
    jobs: Annotated[int, typer.Option(help="Processes; 0 is one a core.", min=0, max=256)] = 0,
    junit: Annotated[str, typer.Option(help="Write the results here as JUnit XML.")] = "",
    html: Annotated[str, typer.Option(help="Write a summary here as one page.")] = "",
    store: Annotated[
        str,
        typer.Option(help="Keep here what is found; what is there already is not done again."),
    ] = "",
    tolerances: Annotated[
        str, typer.Option(help="YAML: how far simulated times may be from the recorded ones.")
    ] = "",
    ray: Annotated[
        str, typer.Option(help="Do it on the Ray cluster of this address; local starts one.")
    ] = "",
    accept: Annotated[
        bool, typer.Option("--accept", help="Expect from now on what is told now.")
    ] = False,
) -> None:
    """Run recorded runs again, and tell what goes another way. No real robot moves.

    Without a depth, --calls and --verdict. Exit 0 as expected, 1 different, 2 unusable input.
    """
    from functools import partial

    from roboinstruct_ros.commands.traces.replaying import Files
    from roboinstruct_ros.commands.traces.replaying import replay as replay_bags
    from roboinstruct_ros.trace.found import Again, Depth
    from roboinstruct_ros.trace.judged_again import replay_verdict
    from roboinstruct_ros.trace.replay import replay_calls

    def answer() -> ExitCode:
        either = calls or verdict or program or simulate
        again: dict[Depth, Again] = {}
        if calls or not either:
            again[Depth.CALLS] = replay_calls
        if verdict or not either:
            again[Depth.VERDICT] = partial(replay_verdict, today=_today(world, policies))
        if program:
            from os import getenv

            from roboinstruct_ros.generate.backends.open_backend import MODEL_VARIABLE
            from roboinstruct_ros.trace.written_again import replay_program

            again[Depth.PROGRAM] = partial(
                replay_program, model=model or getenv(MODEL_VARIABLE, "")
            )
        if simulate:
            from roboinstruct_ros.commands.traces.simulated import replay_simulated

            again[Depth.SIMULATE] = partial(replay_simulated, speed=speed)
        files = Files(junit, html, store, tolerances)
        return replay_bags(bags, again, jobs, files, ray, accept)

    end(answer)


def _today(world: str, policies: str) -> dict[str, Any]:
    """What the options name in the place of what was recorded. Raises ConfigError."""
    from pathlib import Path

    from roboinstruct_ros.domain.policies import load_policies
    from roboinstruct_ros.domain.semantic_map import load_semantic_map
    from roboinstruct_ros.domain.skills import load_domain
    from roboinstruct_ros.domain.world_names import find_world

    today: dict[str, Any] = {}
    if world:
        today["semantic_map"] = load_semantic_map(find_world(world))
    if policies:
        today["policies"] = load_policies(load_domain(), Path(policies))
    return today
