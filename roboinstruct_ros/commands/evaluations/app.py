"""`roboinstruct eval ...`: reads arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from roboinstruct_ros.commands.arguments import takes
from roboinstruct_ros.commands.ending import bad_input, end
from roboinstruct_ros.generate.models.model_options import NO_CHOICE, ModelOptions
from roboinstruct_ros.generate.writing_options import WRITING, WritingOptions

eval_app = typer.Typer()

_DIR = "Folder of an evaluation."

Suite = Annotated[
    str,
    typer.Option(help="Tasks: a name such as service, a YAML file, or READER:CHECKOUT."),
]
Model = Annotated[str, typer.Option(help="As of generate; empty is the one that serves.")]
Programs = Annotated[
    str,
    typer.Option(
        help="Evaluate these in the place of a model's: a folder of TASK.py, or a file with a line "
        '{"task", "phrasing", "sample", "program"} each, such as records.jsonl.'
    ),
]
Samples = Annotated[
    int,
    typer.Option("-n", "--samples", help="Of each phrasing; above 1 all are drawn.", min=1),
]
Tasks = Annotated[str, typer.Option(help="Only those whose name or kind is of this pattern.")]
Most = Annotated[int, typer.Option(help="Phrasings, of all kinds alike; 0 is all.", min=0)]
TellAll = Annotated[
    bool, typer.Option("--tell-all", help="Tell people and things where the map leaves them open.")
]
Jobs = Annotated[int, typer.Option(help="Processes; 0 is one a core.", min=0, max=256)]
Ray = Annotated[str, typer.Option(help="A Ray cluster does the work, at this address, or local.")]
To = Annotated[str, typer.Option(help="Folder to make; empty: one below evaluations/.")]
Resume = Annotated[str, typer.Option(help="Folder to go on with; the rest is as it was.")]
OneObject = Annotated[bool, typer.Option("--json", help="One JSON object.")]


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
) -> None:
    """How well a model does on a suite of tasks, with an interval to each figure."""
    if context.invoked_subcommand:
        return
    _check_begins_or_goes_on(suite, to, resume)
    if programs and model:
        end(lambda: bad_input("give either --model or --programs, not both"))
    from roboinstruct_ros.commands.evaluations.running import Where, evaluate_suite
    from roboinstruct_ros.evaluate.runs.asked import Asked

    asked = Asked(suite, model, programs, samples, most, tasks, tell_all, loading, writing)
    end(lambda: evaluate_suite(asked, _given(context), Where(to, resume, jobs, ray)))


@eval_app.command("ablate")
@takes("loading", NO_CHOICE)
@takes("writing", WRITING)
def ablate(
    context: typer.Context,
    suite: Suite = "",
    model: Model = "",
    only: Annotated[str, typer.Option(help="These settings by commas; empty: all.")] = "",
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
) -> None:
    """The same evaluation with one part of the writing left out at a time, in one table."""
    _check_begins_or_goes_on(suite, to, resume)
    from roboinstruct_ros.commands.evaluations.ablating import ablate as ablate_suite
    from roboinstruct_ros.commands.evaluations.running import Where
    from roboinstruct_ros.domain.option import names_in
    from roboinstruct_ros.evaluate.runs.asked import Asked

    asked = Asked(suite, model, "", samples, most, tasks, tell_all, loading, writing)
    where = Where(to, resume, jobs, ray)
    end(lambda: ablate_suite(asked, _given(context), names_in(only), where))


def _check_begins_or_goes_on(suite: str, to: str, resume: str) -> None:
    if not (suite or resume):
        end(lambda: bad_input("give --suite SUITE to begin, or --resume DIR to go on"))
    if to and resume:
        end(lambda: bad_input("give either --to DIR to begin or --resume DIR to go on, not both"))


def _given(context: typer.Context) -> frozenset[str]:
    """Names of what was given on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return frozenset(n for n, source in sources.items() if source and source.name == "COMMANDLINE")


@eval_app.command("compare")
def compare(
    a: Annotated[Path, typer.Argument(help=_DIR)],
    b: Annotated[Path, typer.Argument(help="Another one, of the same suite.")],
    fail_if_worse: Annotated[
        float | None,
        typer.Option(
            help="Exit 1 where pass@1 of B is lower by more than this, such as 0.05: as counted, "
            "whatever the interval is."
        ),
    ] = None,
    as_json: OneObject = False,
    html: Annotated[Path | None, typer.Option(help="Write it as one page.")] = None,
) -> None:
    """Whether B is better than A, by how much, and which tasks changed sides."""
    from roboinstruct_ros.commands.evaluations.compare import compare_runs

    end(lambda: compare_runs(a, b, fail_if_worse, as_json, html))


@eval_app.command("report")
def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=_DIR)], as_json: OneObject = False
) -> None:
    """The tables of an evaluation again, with its reports beside it."""
    from roboinstruct_ros.commands.evaluations.reporting import report as tell

    end(lambda: tell(folder, as_json))


@eval_app.command("check")
def check(
    suite: Annotated[str, typer.Argument(help="As of --suite.")],
    mutants: Annotated[int, typer.Option(help="Of the reference programs.", min=0)] = 500,
    seed: Annotated[int, typer.Option(help="Of the mutants.")] = 1,
) -> None:
    """Whether a suite's references are right in all its worlds, and its mutants are caught."""
    from roboinstruct_ros.commands.evaluations.check import check as check_suite

    end(lambda: check_suite(suite, mutants, seed))


@eval_app.command("families")
def families(
    suite: Annotated[str, typer.Argument(help="A name such as service, or a YAML file.")],
    to: Annotated[Path, typer.Option(help="YAML file to write; its drawing goes beside it.")],
    each: Annotated[int, typer.Option(help="Variations of each kind, of each task.", min=1)] = 2,
    depth: Annotated[int, typer.Option(help="Steps from a task of the suite.", min=1, max=4)] = 1,
    seed: Annotated[int, typer.Option(help="The same one makes the same families.")] = 1,
    tasks: Tasks = "",
) -> None:
    """Make a suite of a suite's tasks with other words, other worlds, and stages more or fewer."""
    from roboinstruct_ros.commands.evaluations.families import families as make

    end(lambda: make(suite, to, each, depth, seed, tasks))


@eval_app.command("rescore")
def rescore(
    checkout: Annotated[Path, typer.Argument(help="Of the benchmark RoboEval.")],
    stored: Annotated[Path, typer.Argument(help="Its stored evaluations: a file, or a folder.")],
) -> None:
    """Whether RoboEval's stored programs are judged as they were, by our runs and its checks."""
    from roboinstruct_ros.commands.evaluations.rescore import rescore as judge_again

    end(lambda: judge_again(checkout, stored))
