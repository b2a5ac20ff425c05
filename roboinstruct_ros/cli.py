"""The command `roboinstruct`: reads arguments, calls, and turns faults into one line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from roboinstruct_ros.commands.ending import bad_input, end
from roboinstruct_ros.commands.exit_code import ExitCode
from roboinstruct_ros.commands.models.app import models_app
from roboinstruct_ros.commands.models.arguments import takes_model_options
from roboinstruct_ros.commands.security_app import security_app
from roboinstruct_ros.commands.tasks_app import tasks_app
from roboinstruct_ros.commands.traces.app import replay, trace_app
from roboinstruct_ros.domain.world_names import SERVICE_ROBOT
from roboinstruct_ros.execute.run_monitor import OnHazard
from roboinstruct_ros.generate.choice import Choice
from roboinstruct_ros.generate.models.model_options import NO_CHOICE, ModelOptions
from roboinstruct_ros.generate.prompts.prompt import FeedbackDesign
from roboinstruct_ros.generate.rounds.rounds import Progressive
from roboinstruct_ros.generate.writing_options import Retry
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
app.add_typer(trace_app, name="trace")
app.add_typer(security_app, name="security")
app.command()(replay)

World = Annotated[str, typer.Option(help="World or map YAML: a path or a shipped name.")]
Policies = Annotated[str, typer.Option(help="Policies YAML; empty is the shipped one.")]
Model = Annotated[
    str, typer.Option(help="Name, file or http://host:port/v1; empty: the shipped model.")
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object per event, nothing else.")]
Yes = Annotated[bool, typer.Option("--yes", help="Approve the program beforehand.")]
Open = Annotated[bool, typer.Option("--open", help="Any room may exist, not just the map's.")]
RobotParams = Annotated[str, typer.Option(help="ROS parameters YAML of nav2_skills.")]
Namespace = Annotated[str, typer.Option(help="ROS namespace of the stack.")]
Security = Annotated[
    str,
    typer.Option(
        envvar="ROBOINSTRUCT_SECURITY",
        callback=enter_command_line,
        help="Folder of a keystore: only who has a certificate of it is heard.",
    ),
]
"""Every command that speaks with the stack has it, and needs no more than to have it."""
Library = Annotated[str, typer.Option(help="File of the tasks; none: keep nothing.")]
Follow = Annotated[str, typer.Option(help="Change this task: its id, ID/NUMBER, or last.")]
MaxRounds = Annotated[int, typer.Option(help="Programs of one task at the most.", min=1, max=10)]
ApproveOnce = Annotated[
    bool,
    typer.Option("--approve-once", help="The first approval covers later rounds without doubts."),
]


@app.command()
@takes_model_options
def up(
    once: Annotated[str | None, typer.Option(help="Do this one task, then end.")] = None,
    headless: Annotated[bool, typer.Option("--headless", help="No kiosk.")] = False,
    world: World = "home",
    policies: Policies = "",
    model: Model = "",
    library: Library = "",
    loading: ModelOptions = NO_CHOICE,
    yes: Yes = False,
    as_json: Json = False,
    speed: Annotated[float, typer.Option(help="Simulation speed; 0: as fast as possible.")] = 1.0,
    host: Annotated[str, typer.Option(help="Address the kiosk listens on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="TCP port of the kiosk.", min=1, max=65535)] = 8080,
    record: Annotated[bool, typer.Option(help="One MCAP bag for each run.")] = True,
    directory: Annotated[
        str, typer.Option(help="Folder of these bags; empty is the recorder's own.")
    ] = "",
    metrics_file: Annotated[
        str, typer.Option(help="File for the counters, as Prometheus reads them.")
    ] = "",
    stop_when_lost: Annotated[
        str, typer.Option(help="Nodes whose loss stops a running task, by commas.")
    ] = "",
    on_hazard: Annotated[
        OnHazard, typer.Option(help="When the rest of a running program could go wrong.")
    ] = OnHazard.PAUSE,
    sim: Annotated[bool, typer.Option(help="Start the simulated robot.")] = True,
    nav2: Annotated[bool, typer.Option(help="Without --sim: drive the robot by Nav2.")] = True,
    perception: Annotated[
        bool, typer.Option("--perception", help="Without --sim: start perception.")
    ] = False,
    moveit: Annotated[
        bool, typer.Option("--moveit", help="Without --sim: start moveit_skills.")
    ] = False,
    speech: Annotated[bool, typer.Option("--speech", help="Without --sim: start speech.")] = False,
    robot_params: RobotParams = "",
    robot_nodes: Annotated[
        str, typer.Option(help="The robot's own skill servers with heartbeats, by commas.")
    ] = "",
    namespace: Namespace = "",
    security: Security = "",
    log_level: Annotated[str, typer.Option(help="debug, info, warn, error or fatal.")] = "warn",
    max_rounds: MaxRounds = 3,
    approve_once: ApproveOnce = False,
) -> None:
    """Bring everything up; for one task with --once."""
    from roboinstruct_ros.bringup.node_set import Options
    from roboinstruct_ros.commands.task import Task
    from roboinstruct_ros.commands.up import up as bring_up
    from roboinstruct_ros.generate.rounds.progressive import RoundOptions

    levels = ("debug", "info", "warn", "error", "fatal")
    if log_level not in levels:
        raise typer.BadParameter(f"'{log_level}' is not one of {', '.join(levels)}")
    options = Options(
        sim=sim, nav2=nav2, perception=perception, moveit=moveit, speech=speech,
        robot_params=robot_params, robot_nodes=robot_nodes,
        model=model, world=world, policies=policies, namespace=namespace, host=host, port=port,
        security=security,
        library=library, directory=directory, metrics_file=metrics_file,
        stop_when_lost=stop_when_lost, on_hazard=on_hazard.value,
        record=record, log_level=log_level, headless=headless, speed_factor=speed,
        max_rounds=max_rounds, approve_each_round=not approve_once, **loading.chosen(),
    )  # fmt: skip
    rounds = RoundOptions(max_rounds, not approve_once)
    task = Task(once, yes=yes, rounds=rounds) if once is not None else None
    end(lambda: bring_up(options, task, as_json))


@app.command()
def run(
    text: Annotated[str, typer.Argument(help="The task in plain words.")] = "",
    program: Annotated[str, typer.Option(help="Run this program instead; - reads it.")] = "",
    follow: Follow = "",
    yes: Yes = False,
    as_json: Json = False,
    namespace: Namespace = "",
    security: Security = "",
    max_rounds: MaxRounds = 3,
    approve_once: ApproveOnce = False,
) -> None:
    """Do one task on the running stack."""
    from roboinstruct_ros.commands.run import run as run_on_stack
    from roboinstruct_ros.generate.rounds.progressive import RoundOptions

    if text and program:
        end(lambda: bad_input("give either the task in words or --program FILE, not both"))
    if follow and program:
        end(lambda: bad_input("--follow changes a task by words; it does not go with --program"))
    rounds = RoundOptions(max_rounds, not approve_once)
    end(lambda: run_on_stack(text, program, follow, yes, as_json, namespace, rounds))


@app.command()
def verify(
    file: Annotated[str, typer.Argument(help="Program text; - reads standard input.")] = "",
    world: World = "home",
    open_world: Open = False,
    domain: Annotated[
        str, typer.Option(help="Skills YAML: a path or service_robot, arm, calendar.")
    ] = SERVICE_ROBOT,
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
@takes_model_options
def generate(
    text: Annotated[str, typer.Argument(help="The task in plain words.")] = "",
    world: World = "home",
    open_world: Open = False,
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
    attempts: Annotated[int, typer.Option(help="Programs verified at the most.", min=1)] = 6,
    candidates: Annotated[
        int, typer.Option(help="Texts drawn side by side for one prompt.", min=1, max=16)
    ] = 1,
    choice: Annotated[
        Choice, typer.Option(help="The first accepted program, or what most texts do.")
    ] = Choice.BEST,
    ask_below: Annotated[
        float,
        typer.Option(help="Confidence below which you are asked; 0 never asks.", min=0, max=1),
    ] = 0.5,
    retry: Annotated[
        Retry, typer.Option(help="After a rejection: show it to the model, or draw again first.")
    ] = Retry.REPAIR,
    temperature: Annotated[float, typer.Option(help="Of attempts after the first.", min=0)] = 0.4,
    seed: Annotated[int, typer.Option(help="Of the first draw.")] = 1,
    no_grammar: Annotated[
        bool, typer.Option("--no-grammar", help="Let the model write anything.")
    ] = False,
    examples: Annotated[
        int, typer.Option(help="Tasks done before to show a model that is shown any.", min=0)
    ] = 2,
    map_in_prompt: Annotated[
        bool, typer.Option("--map-in-prompt", help="Tell the model the names of what is there.")
    ] = False,
    no_repair: Annotated[
        bool, typer.Option("--no-repair", help="Show no violations to the model; sample again.")
    ] = False,
    no_verify: Annotated[
        bool, typer.Option("--no-verify", help="Take the first program; it is not accepted.")
    ] = False,
    feedback: Annotated[
        FeedbackDesign, typer.Option(help="What the model is told of a rejected program.")
    ] = FeedbackDesign.PROGRAM_AND_ERRORS,
    progressive: Annotated[
        Progressive, typer.Option(help="Split off what cannot be planned yet, as the stack does.")
    ] = Progressive.OFF,
    back_translate: Annotated[
        bool, typer.Option("--back-translate", help="Let the model say what its program does.")
    ] = False,
) -> None:
    """Write verified programs; nothing moves."""
    from roboinstruct_ros.commands.generate import Writer, generate_standard_input, generate_text
    from roboinstruct_ros.generate.writing_options import WritingOptions

    if bool(text) == jsonl:
        end(lambda: bad_input("give either TEXT or --jsonl"))
    if follow and jsonl:
        end(lambda: bad_input("--follow changes one task; it does not go with --jsonl"))
    # Many at once are a measurement: what this machine did before is no part of it, unless asked.
    place = library or ("none" if jsonl else "")
    writer = Writer(world, open_world, model, candidates, map_in_prompt, place, loading)
    options = WritingOptions(
        max_attempts=attempts, temperature=temperature, seed=seed, grammar=not no_grammar,
        map_in_prompt=map_in_prompt, candidates=candidates, choice=choice, retry=retry,
        ask_below=ask_below,
        examples=examples,
        repair=not no_repair, verify=not no_verify, feedback=feedback,
        progressive=progressive, back_translate=back_translate,
    )  # fmt: skip

    def answer() -> ExitCode:
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
    port: Annotated[int, typer.Option(help="Port that the kiosk would use.")] = 8080,
    model: Model = "",
    robot: Annotated[bool, typer.Option("--robot", help="Look at the robot too.")] = False,
    world: World = "home",
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
