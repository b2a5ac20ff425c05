"""`roboinstruct eval ...`: reads the arguments."""

from __future__ import annotations

from typing import Annotated

import typer

from roboinstruct_ros.commands.arguments import Jobs, Only, Ray, Tasks, takes
from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.evaluations.check import check
from roboinstruct_ros.commands.evaluations.compare import compare_runs
from roboinstruct_ros.commands.evaluations.families import families
from roboinstruct_ros.commands.evaluations.reporting import report
from roboinstruct_ros.commands.evaluations.rescore import rescore
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.option import names_in
from roboinstruct_ros.generate.models.model_options import NO_CHOICE, ModelOptions
from roboinstruct_ros.generate.writing_options import WRITING, WritingOptions

eval_app = typer.Typer()

Suite = Annotated[
    str,
    typer.Option(help="Tasks: a name such as service, a YAML file, or READER:CHECKOUT."),
]
Model = Annotated[str, typer.Option(help="Model, as in generate; empty: the default model.")]
Programs = Annotated[
    str,
    typer.Option(
        help="Evaluate these programs instead of a model: a folder of TASK.py files, or a file "
        'with lines {"task", "phrasing", "sample", "program"} such as records.jsonl.'
    ),
]
Samples = Annotated[
    int,
    typer.Option(
        "-n", "--samples", help="Samples per phrasing; above 1, none is decoded greedily.", min=1
    ),
]
Most = Annotated[
    int, typer.Option(help="Maximum number of phrasings, spread over all kinds; 0: all.", min=0)
]
TellAll = Annotated[
    bool,
    typer.Option(
        "--tell-all",
        help="Put people and things in the prompt even where the map leaves them open.",
    ),
]
To = Annotated[str, typer.Option(help="Folder to create; empty: one below evaluations/.")]
Resume = Annotated[
    str, typer.Option(help="Folder of an interrupted evaluation to continue, with its own options.")
]


@eval_app.callback(invoke_without_command=True)
@takes("loading", NO_CHOICE)
@takes("writing", WRITING)
def evaluate(
    context: typer.Context,
    suite: Suite = "",
    model: Model = "",
    programs: Programs = "",
    samples: Samples = 1,
    tasks: Tasks = "",
    most: Most = 0,
    tell_all: TellAll = False,
    jobs: Jobs = 1,
    ray: Ray = "",
    to: To = "",
    resume: Resume = "",
    loading: ModelOptions = NO_CHOICE,
    writing: WritingOptions = WRITING,
) -> ExitCode | None:
    """Evaluate a model on a suite of tasks; each figure has an interval."""
    if context.invoked_subcommand:
        return None
    _check_begins_or_goes_on(suite, to, resume)
    if programs and model:
        raise InputError("give either --model or --programs, not both")
    from roboinstruct_ros.commands.evaluations.running import Where, evaluate_suite
    from roboinstruct_ros.evaluate.runs.asked import Asked

    asked = Asked(suite, model, programs, samples, most, tasks, tell_all, loading, writing)
    return evaluate_suite(asked, _given(context), Where(to, resume, jobs, ray))


@eval_app.command("ablate")
@takes("loading", NO_CHOICE)
@takes("writing", WRITING)
def ablate(
    context: typer.Context,
    suite: Suite = "",
    model: Model = "",
    only: Only = "",
    samples: Samples = 1,
    tasks: Tasks = "",
    most: Most = 0,
    tell_all: TellAll = False,
    jobs: Jobs = 1,
    ray: Ray = "",
    to: To = "",
    resume: Resume = "",
    loading: ModelOptions = NO_CHOICE,
    writing: WritingOptions = WRITING,
) -> ExitCode:
    """The same evaluation, with one part of program generation disabled at a time, in one table."""
    _check_begins_or_goes_on(suite, to, resume)
    from roboinstruct_ros.commands.evaluations.ablating import ablate as ablate_suite
    from roboinstruct_ros.commands.evaluations.running import Where
    from roboinstruct_ros.evaluate.runs.asked import Asked

    asked = Asked(suite, model, "", samples, most, tasks, tell_all, loading, writing)
    where = Where(to, resume, jobs, ray)
    return ablate_suite(asked, _given(context), names_in(only), where)


def _check_begins_or_goes_on(suite: str, to: str, resume: str) -> None:
    if not (suite or resume):
        raise InputError("give --suite SUITE to begin, or --resume DIR to go on")
    if to and resume:
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
