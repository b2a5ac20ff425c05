"""`roboinstruct generate`: a program for an instruction, without ROS."""

from __future__ import annotations

import json
import sys
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from roboinstruct_ros.commands.arguments import Follow, Json, Open, takes
from roboinstruct_ros.commands.drafts import Drafts, ask_choice
from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.generate_lines import as_object, generate_lines, silent
from roboinstruct_ros.commands.listing import plain_console
from roboinstruct_ros.commands.rules import Rules, read_rules
from roboinstruct_ros.commands.stack_arguments import STACK, Domain, Library, Model, World
from roboinstruct_ros.domain.answer import with_choice
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.option import check
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.open_backend import backend_for, larger_for, model_meant
from roboinstruct_ros.generate.backends.prefix_store import default_folder
from roboinstruct_ros.generate.confidence import confidence_text
from roboinstruct_ros.generate.generation import (
    DraftStarted,
    DraftVerified,
    Generation,
    GenerationEvent,
    TokensWritten,
)
from roboinstruct_ros.generate.generator import Generator, LoadError
from roboinstruct_ros.generate.models.model_options import NO_CHOICE, ModelOptions
from roboinstruct_ros.generate.site import site_for
from roboinstruct_ros.generate.writing_options import WRITING, WritingOptions
from roboinstruct_ros.library.library_file import place_for
from roboinstruct_ros.library.task_library import TaskLibrary
from roboinstruct_ros.library.task_writer import TaskWriter, WritingOrder, examples_from
from roboinstruct_ros.verify.service.worker import VerifierWorker


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
        typer.Option(
            "--jsonl",
            help='Read lines {"id", "instruction"} from standard input, and answer in order.',
        ),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="Output file for --jsonl; lines already in it are not repeated."),
    ] = None,
    options: WritingOptions = WRITING,
) -> ExitCode:
    """Write a program for an instruction, or for many. Raises InputError."""
    if bool(text) == jsonl:
        raise InputError("give either TEXT or --jsonl")
    if follow and jsonl:
        raise InputError("--follow changes one task; it does not go with --jsonl")
    check(options)
    rules = read_rules(world, open_world, domain)
    # Many at once are a measurement: by default, earlier tasks on this machine must not affect it.
    place = place_for(library or ("none" if jsonl else ""), rules.domain)
    with closing(TaskLibrary.open_or_forget(place, _warn)) as opened:
        if follow:
            opened.find(follow)  # fail before loading the model
        generator = _generator(rules, model, loading, options, opened)
        try:
            if jsonl:
                generator.load()
                rooms = "" if open_world else world
                named = model or model_meant("")  # a default may change until it is gone on with
                given = {"model": named, "lora": loading.lora, "world": rooms, "domain": domain}
                return generate_lines(generator, options, sys.stdin, out, given)
            order = WritingOrder(text, follows=follow, asked_by="cli")
            return _generate_text(order, generator, opened, options, as_json)
        except LoadError as error:
            _print_fault(error.code, error.message)
            return ExitCode.BAD_INPUT
        finally:
            generator.unload()


_BAD_INSTRUCTION = (
    TaskErrorCode.INSTRUCTION_EMPTY,
    TaskErrorCode.INSTRUCTION_TOO_LONG,
    TaskErrorCode.INSTRUCTION_SCRIPT,
    TaskErrorCode.MODEL_NOT_LOADED,
)


def _generator(
    rules: Rules, model: str, loading: ModelOptions, options: WritingOptions, library: TaskLibrary
) -> Generator:
    """A generator, not yet loaded."""
    domain, rooms, policies = rules
    examples = examples_from(library, _warn)
    return Generator(
        lambda: backend_for(
            model, loading, candidates=options.candidates, prefix_store=default_folder()
        ),
        lambda: VerifierWorker(domain, rooms, policies, behaviour=True),
        lambda: replace(site_for(domain, rooms), examples=examples),
        lambda: options.map_in_prompt,
        open_larger=lambda: larger_for(loading),
    )


def _generate_text(
    order: WritingOrder,
    generator: Generator,
    library: TaskLibrary,
    options: WritingOptions,
    as_json: bool,
) -> ExitCode:
    """Write or change a program, and print it with its verdict and plan."""
    console = plain_console(stderr=as_json)
    tell = silent if as_json else _Teller(console)
    tasks = TaskWriter(generator, library, _warn)
    if tasks.needs_model(order):
        generator.load()
    generation = tasks.write(order, options, tell, threading.Event())
    while generation.answer and not as_json:
        choice = ask_choice(console, generation.answer)
        if not choice:
            break
        order = replace(order, text=with_choice(order.text, choice))
        generation = tasks.write(order, options, tell, threading.Event())
    if as_json:
        print(json.dumps(_document(generation)))
    elif not generation.accepted and generation.answer is None:
        _print_fault(generation.error_code, generation.error_msg)
    if generation.accepted:
        return ExitCode.SUCCESS
    return ExitCode.BAD_INPUT if generation.error_code in _BAD_INSTRUCTION else ExitCode.FAILED


def _warn(message: str) -> None:
    print(f"warning: {message}", file=sys.stderr)


def _print_fault(code: TaskErrorCode, message: str) -> None:
    """Print one line, even on a narrow terminal; brackets in a server's message are not markup."""
    line = f"[bold red]{code.name.lower()}[/]: {escape(message)}"
    plain_console(stderr=True).print(line, soft_wrap=True)


class _Teller:
    def __init__(self, console: Console) -> None:
        self._console = console
        self._drafts = Drafts(console)

    def __call__(self, event: GenerationEvent) -> None:
        if isinstance(event, DraftStarted):
            self._drafts.started(event.draft, event.attempt)
        elif isinstance(event, TokensWritten):
            self._drafts.written(event.text)
        elif isinstance(event, DraftVerified):
            self._drafts.verified(event.verdict.model_dump(mode="json"))
        elif self._drafts.ended(event.as_json):
            self._console.print(_took(event), style="dim", markup=False, soft_wrap=True)
            if event.version:
                self._console.print(_place(event), style="dim", markup=False, soft_wrap=True)


def _took(generation: Generation) -> str:
    stats, sure = generation.stats, confidence_text(generation.confidence, generation.agreed)
    first = "" if stats.first_token is None else f", the first after {stats.first_token:.2f} s"
    return (
        f"{generation.duration:.2f} s: {generation.generated_tokens} tokens at "
        f"{stats.tokens_per_second:.0f} token/s{first}; verification {stats.verification:.2f} s"
        f"{'; ' * bool(sure)}{sure}"
    )


def _place(generation: Generation) -> str:
    read = f", read as: {generation.steering}" if generation.steering else ""
    left_out = "".join(f"; {what}" for what in generation.stats.fallbacks)
    return f"task {generation.task_id}, version {generation.version}{read}{left_out}"


def _document(generation: Generation) -> dict[str, Any]:
    told = generation.as_json
    del told["source"]  # duplicates `program`
    return {**told, **as_object(generation)}
