"""`roboinstruct trace ...`."""

from __future__ import annotations

import typer

from roboinstruct_ros.commands.traces.differing import diff_traces
from roboinstruct_ros.commands.traces.importing import import_bag
from roboinstruct_ros.commands.traces.listing import list_traces
from roboinstruct_ros.commands.traces.runs import (
    export_trace,
    keep_bag,
    promote_bag,
    repair_bag,
    show_trace,
)

trace_app = typer.Typer(no_args_is_help=True)
trace_app.command("list")(list_traces)
trace_app.command("keep")(keep_bag)
trace_app.command("show")(show_trace)
trace_app.command("diff")(diff_traces)
trace_app.command("export")(export_trace)
trace_app.command("promote")(promote_bag)
trace_app.command("repair")(repair_bag)
trace_app.command("import")(import_bag)
