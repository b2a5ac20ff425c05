"""`roboinstruct trace ...` and `roboinstruct replay`: reads arguments."""

from __future__ import annotations

from typing import Annotated

import typer

from roboinstruct_ros.commands.arguments import takes
from roboinstruct_ros.commands.ending import end
from roboinstruct_ros.commands.traces.options import ReplayOptions
from roboinstruct_ros.commands.traces.wanted import Wanted

_BAG = "A bag: its folder, the beginning of its name, or last."

trace_app = typer.Typer(help="Recorded runs, a bag each.", no_args_is_help=True)

OneObject = Annotated[bool, typer.Option("--json", help="One JSON object.")]


@trace_app.command("list")
@takes("wanted", Wanted())
def trace_list(
    wanted: Wanted,
    folder: Annotated[str, typer.Argument(help="Folder of bags; empty is the recorder's.")] = "",
    as_json: OneObject = False,
) -> None:
    """The recorded runs, the oldest first."""
    from roboinstruct_ros.commands.traces.listing import list_traces

    end(lambda: list_traces(folder, wanted, as_json))


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


@takes("options", ReplayOptions())
def replay(
    bags: Annotated[
        list[str],
        typer.Argument(help=f"{_BAG[:-1]}; or a folder of bags."),
    ],
    options: ReplayOptions,
) -> None:
    """Run recorded runs again, and tell what goes another way. No real robot moves.

    Without a depth, --calls and --verdict. Exit 0 as expected, 1 different, 2 unusable input.
    """
    from roboinstruct_ros.commands.traces.replaying import replay as replay_bags

    end(lambda: replay_bags(bags, options))
