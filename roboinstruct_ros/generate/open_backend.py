"""The backend for what a person gives as the model: a path, a name, or an address."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.shared_files import shared_file
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backend import Backend, BackendError
from roboinstruct_ros.generate.gguf_file import GgufError, read_gguf_header
from roboinstruct_ros.generate.llama_cpp_backend import LlamaCppBackend, LlamaCppSettings
from roboinstruct_ros.generate.memory_plan import AUTO_LAYERS
from roboinstruct_ros.generate.model_folder import ModelFolderError, read_model_folder
from roboinstruct_ros.generate.model_names import model_on_this_machine
from roboinstruct_ros.generate.model_store import ModelFault
from roboinstruct_ros.generate.openai_backend import OpenAIBackend, OpenAISettings
from roboinstruct_ros.generate.server_address import ServerAddress, is_address
from roboinstruct_ros.generate.transformers_backend import (
    TransformersBackend,
    TransformersSettings,
    packages_fault,
)

SHIPPED_MODEL = "models/roboinstruct-small.gguf"

_logger = logging.getLogger(__name__)


def backend_for(
    model: str,
    n_ctx: int = 0,
    n_threads: int = 0,
    n_gpu_layers: int = AUTO_LAYERS,
    kv_cache: str = "f16",
    candidates: int = 1,
    prefix_store: Path | None = None,
    flash_attn: str = "auto",
    warn: Callable[[str], object] = _logger.warning,
    tell: Callable[[str], object] = _logger.info,
) -> Backend:
    """The backend for `model`, not yet loaded: a server's, a folder's, or a GGUF's.

    Args:
        model: What begins with http:// or https:// is a server (see `ServerAddress.parse`), "" the
            shipped model, everything else a path or a name (see `named_model`).
        n_ctx: Tokens of context; 0 is the model's own.
        n_threads: Threads of a GGUF; 0 is by the size of the model.
        n_gpu_layers: Layers of a GGUF on the GPU; -1 is all, -2 as many as it has room for.
        kv_cache: Number format of a GGUF's keys and values.
        candidates: Texts that a GGUF writes side by side as a rule.
        prefix_store: Folder for what a GGUF has read of the beginning of all prompts.
        flash_attn: `auto`, `on` or `off`, for a GGUF.
        warn: Told, in one line, when the robot will need a network, or a model
            cannot be chatted with as it should.
        tell: Told, in one line, where a model goes and why.

    Raises:
        BackendError: MODEL_NOT_LOADED, `model` is an address with a fault, or a name that nobody
            knows or whose file is not on this machine.
    """
    if not is_address(model):
        path = model_path(model)
        if path.is_dir():
            return TransformersBackend(TransformersSettings(path, n_ctx, n_threads), tell, warn)
        return LlamaCppBackend(
            LlamaCppSettings(
                path,
                n_ctx,
                n_threads,
                n_gpu_layers,
                kv_cache,
                candidates,
                prefix_store,
                flash_attn,
            ),
            tell,
            warn,
        )
    address = ServerAddress.parse(model)
    if not address.on_this_machine:
        warn(f"model server {address} is another machine: without network there are no programs")
    return OpenAIBackend(
        OpenAISettings(
            base_url=str(address),
            model=address.model,
            prompt_format=address.prompt_format,
            n_ctx=n_ctx,
        )
    )


def model_path(model: str) -> Path:
    """The file or folder that `model` means; "" is the shipped one.

    Raises:
        BackendError: MODEL_NOT_LOADED, an unknown name, or one whose file is not here.
    """
    if model:
        try:
            path = model_on_this_machine(model)
            # a folder may be given as `.`, which has no name
            return Path(os.path.abspath(path)) if path.is_dir() else path
        except (ModelFault, ConfigError) as error:
            raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, str(error)) from None
    try:
        return shared_file(SHIPPED_MODEL)
    except FileNotFoundError:
        return Path(SHIPPED_MODEL)  # loading it says what is missing


def model_name(model: str) -> str:
    """Short name for the record: of the file, or the server's address."""
    if not is_address(model):
        try:
            return model_path(model).name
        except BackendError:
            return model
    try:
        address = ServerAddress.parse(model)
    except BackendError:
        return "server"
    return f"{address.model} at {address}" if address.model else str(address)


def check_model(model: str) -> str:
    """One line about a model that seems usable, without taking it into memory.

    Raises:
        BackendError: MODEL_NOT_LOADED, with the fault.
    """
    if is_address(model):
        backend = backend_for(model, warn=lambda _: None)
        backend.load()
        known = backend.describe()
        return f"{known.name} at {ServerAddress.parse(model)}, {known.context} tokens of context"
    path = model_path(model)
    try:
        if path.is_dir():
            return _check_folder(path)
        read_gguf_header(path)
    except (GgufError, ModelFolderError) as error:
        raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, str(error)) from None
    return f"{path.name}, {path.stat().st_size / 1e6:.1f} MB"


def _check_folder(path: Path) -> str:
    folder = read_model_folder(path)
    fault = packages_fault()
    if fault:
        raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, f"{path}: {fault}")
    return f"{folder.name}, {folder.weight_bytes / 1e6:.1f} MB of {folder.config['model_type']}"
