"""The command `roboinstruct`: reads arguments, calls, and turns faults into one line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from roboinstruct_ros.bringup.node_set import Options
from roboinstruct_ros.commands.arguments import like, takes
from roboinstruct_ros.commands.devices_app import devices_app
from roboinstruct_ros.commands.ending import bad_input, end
from roboinstruct_ros.commands.evaluations.app import eval_app
from roboinstruct_ros.commands.exit_code import ExitCode
from roboinstruct_ros.commands.learning.app import learn_app
from roboinstruct_ros.commands.models.app import models_app
from roboinstruct_ros.commands.security_app import security_app
from roboinstruct_ros.commands.tasks_app import tasks_app
from roboinstruct_ros.commands.traces.app import replay, trace_app
from roboinstruct_ros.domain.option import check
from roboinstruct_ros.generate.models.model_options import NO_CHOICE, ModelOptions
from roboinstruct_ros.generate.rounds.progressive import EACH_APPROVED, RoundOptions
from roboinstruct_ros.generate.writing_options import WRITING, WritingOptions
from roboinstruct_ros.names import NAV2_SKILLS_NODE
from roboinstruct_ros.security.environment import enter_command_line, security_variables

app = typer.Typer(
    help="Plain words to verified robot programs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

app.add_typer(models_app, name="models")
app.add_typer(tasks_app, name="tasks")
app.add_typer(eval_app, name="eval")
app.add_typer(learn_app, name="learn")
app.add_typer(trace_app, name="trace")
app.add_typer(security_app, name="security")
app.add_typer(devices_app, name="devices")
app.command()(replay)

STACK = Options(log_level="warn")  # a person at a terminal is shown less than a log
SECURITY = {"envvar": "ROBOINSTRUCT_SECURITY", "callback": enter_command_line}

World = Annotated[str, like(STACK, "world")]
Domain = Annotated[str, like(STACK, "domain")]
Policies = Annotated[str, like(STACK, "policies")]
Model = Annotated[str, like(STACK, "model")]
Library = Annotated[str, like(STACK, "library")]
RobotParams = Annotated[str, like(STACK, "robot_params")]
Namespace = Annotated[str, like(STACK, "namespace")]
Security = Annotated[str, like(STACK, "security", **SECURITY)]
"""Every command that speaks with the stack has it, and needs no more than to have it."""
Json = Annotated[bool, typer.Option("--json", help="One JSON object per event, nothing else.")]
Yes = Annotated[bool, typer.Option("--yes", help="Approve the program beforehand.")]
Open = Annotated[bool, typer.Option("--open", help="Any room may exist, not just the map's.")]
Follow = Annotated[str, typer.Option(help="Change this task: its id, ID/NUMBER, or last.")]


@app.command()
@takes("options", STACK, {"security": SECURITY})
def up(
    once: Annotated[str | None, typer.Option(help="Do this one task, then end.")] = None,
    yes: Yes = False,
    as_json: Json = False,
    options: Options = STACK,
) -> None:
    """Bring everything up; for one task with --once."""
    from roboinstruct_ros.commands.task import Task
    from roboinstruct_ros.commands.up import up as bring_up

    task = Task(once, yes=yes, rounds=options) if once is not None else None
    end(lambda: bring_up(options, task, as_json))


@app.command()
@takes("rounds", EACH_APPROVED)
def run(
    text: Annotated[str, typer.Argument(help="The task in plain words.")] = "",
    program: Annotated[str, typer.Option(help="Run this program instead; - reads it.")] = "",
    follow: Follow = "",
    yes: Yes = False,
    as_json: Json = False,
    namespace: Namespace = "",
    security: Security = "",
    rounds: RoundOptions = EACH_APPROVED,
) -> None:
    """Do one task on the running stack."""
    from roboinstruct_ros.commands.run import run as run_on_stack

    if text and program:
        end(lambda: bad_input("give either the task in words or --program FILE, not both"))
    if follow and program:
        end(lambda: bad_input("--follow changes a task by words; it does not go with --program"))

    def answer() -> ExitCode:
        check(rounds)
        return run_on_stack(text, program, follow, yes, as_json, namespace, rounds)

    end(answer)


@app.command()
def verify(
    file: Annotated[str, typer.Argument(help="Program text; - reads standard input.")] = "",
    world: World = STACK.world,
    open_world: Open = False,
    domain: Domain = STACK.domain,
    policies: Policies = "",
    policy: Annotated[
        list[str] | None, typer.Option(help="Switch this policy of the file on; again for more.")
    ] = None,
    as_json: Json = False,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help='Many: one {"id", "program"} a line on standard input.')
    ] = False,
    tree: Annotated[
        Path | None, typer.Option(help="Draw what was tried: an SVG, folded after 200 nodes.")
    ] = None,
) -> None:
    """Try a program in every world. Exit 0 accepted, 1 rejected, 2 unusable input."""
    from roboinstruct_ros.commands.rules import read_rules
    from roboinstruct_ros.commands.verify import verify_file
    from roboinstruct_ros.commands.verify_lines import verify_standard_input

    if bool(file) == jsonl:
        end(lambda: bad_input("give either FILE (- reads standard input) or --jsonl"))
    if tree and jsonl:
        end(lambda: bad_input("--tree draws one program; it does not go with --jsonl"))

    def answer() -> ExitCode:
        rules = read_rules(world, open_world, domain, policies, tuple(policy or ()))
        return verify_standard_input(rules) if jsonl else verify_file(file, rules, as_json, tree)

    end(answer)


@app.command()
@takes("loading", NO_CHOICE)
@takes("options", WRITING)
def generate(
    text: Annotated[str, typer.Argument(help="The task in plain words.")] = "",
    world: World = STACK.world,
    open_world: Open = False,
    domain: Domain = STACK.domain,
    model: Model = "",
    library: Library = "",
    follow: Follow = "",
    loading: ModelOptions = NO_CHOICE,
    as_json: Json = False,
    jsonl: Annotated[
        bool,
        typer.Option("--jsonl", help='Lines {"id", "instruction"} from standard input, in order.'),
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="File for --jsonl; what it holds already is not redone.")
    ] = None,
    options: WritingOptions = WRITING,
) -> None:
    """Write verified programs; nothing moves."""
    from roboinstruct_ros.commands.generate import Writer, generate_standard_input, generate_text

    if bool(text) == jsonl:
        end(lambda: bad_input("give either TEXT or --jsonl"))
    if follow and jsonl:
        end(lambda: bad_input("--follow changes one task; it does not go with --jsonl"))
    # Many at once are a measurement: what this machine did before is no part of it, unless asked.
    place = library or ("none" if jsonl else "")
    writer = Writer(
        world,
        open_world,
        model,
        options.candidates,
        options.map_in_prompt,
        place,
        loading,
        domain,
    )

    def answer() -> ExitCode:
        check(options)
        if jsonl:
            return generate_standard_input(writer, options, out)
        return generate_text(text, follow, writer, options, as_json)

    end(answer)


@app.command()
def stop(namespace: Namespace = "", security: Security = "") -> None:
    """Stop the robot now."""
    from roboinstruct_ros.commands.run import stop as stop_stack

    end(lambda: stop_stack(namespace))


@app.command()
def resume(
    task: Annotated[str, typer.Argument(help="Id of the task; none lists what there is.")] = "",
    yes: Yes = False,
    forget: Annotated[bool, typer.Option("--forget", help="Do not go on with it, ever.")] = False,
    as_json: Json = False,
    namespace: Namespace = "",
    security: Security = "",
) -> None:
    """Go on with a run that a crash or a loss of power has interrupted."""
    from roboinstruct_ros.commands.resume import resume as resume_run

    end(lambda: resume_run(task, yes, forget, as_json, namespace))


@app.command()
def pause(
    off: Annotated[bool, typer.Option("--off", help="Let the task go on.")] = False,
    namespace: Namespace = "",
    security: Security = "",
) -> None:
    """Hold the running task, a drive at once, anything else at its next step."""
    from roboinstruct_ros.commands.resume import pause as pause_run

    end(lambda: pause_run(off, namespace))


@app.command()
def status(
    follow: Annotated[bool, typer.Option("--follow", help="Every event too, to Ctrl-C.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object, and one for each event.")
    ] = False,
    namespace: Namespace = "",
    security: Security = "",
) -> None:
    """What the running stack does: nodes, task, line, interrupted runs, queue."""
    from roboinstruct_ros.commands.status import status as tell_status

    end(lambda: tell_status(follow, as_json, namespace))


@app.command()
def doctor(
    port: Annotated[int, like(STACK, "port")] = STACK.port,
    model: Model = "",
    robot: Annotated[bool, typer.Option("--robot", help="Look at the robot too.")] = False,
    world: World = STACK.world,
    without: Annotated[
        str, typer.Option(help="Parts this robot does not have: moveit, perception, speech.")
    ] = "",
    robot_params: RobotParams = "",
    namespace: Namespace = "",
    security: Security = "",
) -> None:
    """What is installed, what is missing, and how to mend it."""
    from roboinstruct_ros.commands.doctor.doctor import doctor as examine
    from roboinstruct_ros.commands.doctor.robot import RobotOptions, parts_of

    if robot:  # it asks Nav2 what that node would ask
        os.environ.update(security_variables(security, NAV2_SKILLS_NODE))

    def answer() -> ExitCode:
        options = RobotOptions(world, namespace, parts_of(without), robot_params)
        return examine(port, model, options if robot else None)

    end(answer)


def main() -> None:
    """Entry point of the console script."""
    app()


if __name__ == "__main__":
    main()
