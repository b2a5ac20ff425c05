"""`roboinstruct models ...`."""

from __future__ import annotations

import typer

from roboinstruct_ros.commands.models.check import check_model
from roboinstruct_ros.commands.models.get import get_model
from roboinstruct_ros.commands.models.models import import_file, list_models
from roboinstruct_ros.commands.models.quantize import quantize_model

models_app = typer.Typer(no_args_is_help=True)
models_app.command("list")(list_models)
models_app.command("check")(check_model)
models_app.command("get")(get_model)
models_app.command("import")(import_file)
models_app.command("quantize")(quantize_model)
