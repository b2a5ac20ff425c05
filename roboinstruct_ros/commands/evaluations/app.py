"""`roboinstruct eval ...`: reads the arguments."""

from __future__ import annotations

import typer

from roboinstruct_ros.commands.arguments import Only, takes
from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.evaluations.ablating import ablate as ablate_suite
from roboinstruct_ros.commands.evaluations.check import check
from roboinstruct_ros.commands.evaluations.compare import compare_runs
from roboinstruct_ros.commands.evaluations.families import families
from roboinstruct_ros.commands.evaluations.rescore import rescore
from roboinstruct_ros.commands.evaluations.running import Where, evaluate_suite, report
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.option import check as check_options
from roboinstruct_ros.domain.option import names_in
from roboinstruct_ros.evaluate.runs.asked import Asked

eval_app = typer.Typer()


@eval_app.callback(invoke_without_command=True)
@takes("asked", Asked())
@takes("where", Where())
def evaluate(context: typer.Context, asked: Asked, where: Where) -> ExitCode | None:
    """Evaluate a model on a suite of tasks; each figure has an interval."""
    if context.invoked_subcommand:
        return None
    _check_begins_or_goes_on(asked, where)
    if asked.programs and asked.model:
        raise InputError("give either --model or --programs, not both")
    return evaluate_suite(asked, _given(context), where)


@eval_app.command("ablate")
@takes("asked", Asked(), without=("programs",))
@takes("where", Where())
def ablate(context: typer.Context, asked: Asked, where: Where, only: Only = "") -> ExitCode:
    """The same evaluation, with one part of program generation disabled at a time, in one table."""
    _check_begins_or_goes_on(asked, where)
    return ablate_suite(asked, _given(context), names_in(only), where)


def _check_begins_or_goes_on(asked: Asked, where: Where) -> None:
    """Raises ConfigError or InputError."""
    check_options(asked)
    check_options(where)
    if not (asked.suite or where.resume):
        raise InputError("give --suite SUITE to begin, or --resume DIR to go on")
    if where.to and where.resume:
        raise InputError("give either --to DIR to begin or --resume DIR to go on, not both")


def _given(context: typer.Context) -> frozenset[str]:
    """Names of the parameters given on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return frozenset(n for n, source in sources.items() if source and source.name == "COMMANDLINE")


eval_app.command("compare")(compare_runs)
eval_app.command("report")(report)
eval_app.command("check")(check)
eval_app.command("families")(families)
eval_app.command("rescore")(rescore)
