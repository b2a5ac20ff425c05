"""The options of a command that takes a model into memory, made of `ModelOptions`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import Field
from typing import Annotated, Any

import typer

from roboinstruct_ros.generate.models.model_options import MODEL_OPTIONS, ModelOptions

ARGUMENT = "loading"


def takes_model_options(command: Callable[..., None]) -> Callable[..., None]:
    """Puts an option for each field of `ModelOptions` in the place of the argument `loading`, in
    which the command gets them."""

    @functools.wraps(command)
    def with_options(**given: Any) -> None:
        chosen = {one.name: given.pop(one.name) for one in MODEL_OPTIONS}
        command(**given, **{ARGUMENT: ModelOptions(**chosen)})

    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        own = parameter.name == ARGUMENT
        parameters += [_option(one) for one in MODEL_OPTIONS] if own else [parameter]
    # typer reads the one and the other
    with_options.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    with_options.__annotations__ = {one.name: one.annotation for one in parameters}
    return with_options


def _option(one: Field[Any]) -> inspect.Parameter:
    facts = one.metadata
    told = facts["told"][0].upper() + facts["told"][1:]
    choices = f": {', '.join(facts['choices'])}" if facts.get("choices") else ""
    bounds = {"min": facts["low"], "max": facts["high"]} if "low" in facts else {}
    option = typer.Option(help=f"{told}{choices}.", **bounds)
    return inspect.Parameter(
        one.name,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        default=one.default,
        annotation=Annotated[type(one.default), option],
    )
