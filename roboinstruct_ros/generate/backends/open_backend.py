"""Opens the backend for a model given as a path, a name, or an address."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import Backend, BackendError
from roboinstruct_ros.generate.backends.llama_cpp_backend import LlamaCppBackend
from roboinstruct_ros.generate.backends.llama_opening import LlamaCppSettings
from roboinstruct_ros.generate.backends.openai_backend import (
    TOKEN_TIMEOUT,
    OpenAIBackend,
    OpenAISettings,
)
from roboinstruct_ros.generate.backends.server_address import ServerAddress, is_address
from roboinstruct_ros.generate.backends.transformers_backend import (
    TransformersBackend,
    TransformersSettings,
    packages_fault,
)
from roboinstruct_ros.generate.models.gguf_file import GgufError, read_gguf_header
from roboinstruct_ros.generate.models.lora import (
    Adapter,
    AdapterError,
    adapters_named,
    bytes_of,
    prompt_format_with,
)
from roboinstruct_ros.generate.models.model_folder import ModelFolderError, read_model_folder
from roboinstruct_ros.generate.models.model_names import model_on_this_machine
from roboinstruct_ros.generate.models.model_options import NO_CHOICE, LoadingOptions, ModelOptions
from roboinstruct_ros.generate.models.model_registry import load_registry
from roboinstruct_ros.generate.models.model_store import ModelFault

MODEL_VARIABLE = "ROBOINSTRUCT_MODEL"
"""Names the model if none is given."""

BEST_MODEL = "roboinstruct-smollm2"
SHIPPED_MODEL = "models/roboinstruct-small.gguf"
"""The fallback if the best model is not installed."""

_logger = logging.getLogger(__name__)


def backend_for(
    model: str,
    options: ModelOptions = NO_CHOICE,
    candidates: int = 1,
    prefix_store: Path | None = None,
    warn: Callable[[str], object] = _logger.warning,
    tell: Callable[[str], object] = _logger.info,
    silence: float = TOKEN_TIMEOUT,
) -> Backend:
    """The backend for `model`, not yet loaded: a server's, a folder's, or a GGUF's.

    Args:
        model: An address that begins with http:// or https:// (see `ServerAddress.parse`), "" (see
            `chosen_model`), or else a path or a name (see `named_model`).
        options: Further choices.
        candidates: Usual number of texts that a GGUF writes in parallel.
        prefix_store: Folder for a GGUF's evaluated beginning of all prompts.
        warn: Called with one line if the robot will need a network, or if a model's chat template
            is unusable.
        tell: Called with one line: where a model is placed and why.
        silence: Timeout between two tokens of a server, and before the first one, s.

    Raises:
        BackendError: MODEL_NOT_LOADED, `model` is an invalid address, an unknown name, or a name
            whose file is not on this machine.
    """
    model = model or _default()
    if not is_address(model):
        chosen = chosen_model(model, options.lora)
        if chosen.notice:
            warn(chosen.notice)
        loading = {one.name: getattr(options, one.name) for one in fields(LoadingOptions)}
        if chosen.path.is_dir():
            return TransformersBackend(
                TransformersSettings(chosen.path, options.n_ctx, options.n_threads), tell, warn
            )
        settings = LlamaCppSettings(
            chosen.path, chosen.adapters, candidates, prefix_store, **loading
        )
        return LlamaCppBackend(settings, tell, warn)
    _check_takes_adapters(f"the server {model}", options.lora)
    address = ServerAddress.parse(model)
    if not address.on_this_machine:
        warn(f"model server {address} is another machine: without network there are no programs")
    return OpenAIBackend(
        OpenAISettings(
            base_url=str(address),
            model=address.model,
            prompt_format=address.prompt_format,
            n_ctx=options.n_ctx,
            token_timeout=silence,
        )
    )


def larger_for(
    options: ModelOptions,
    warn: Callable[[str], object] = _logger.warning,
    tell: Callable[[str], object] = _logger.info,
) -> Backend | None:
    """The larger model of `options`, loaded unless it is on a server; None if none is named.

    The server is contacted only when needed, so that a robot works without it.

    Raises:
        BackendError: MODEL_NOT_LOADED, as for `backend_for`, or it cannot be loaded.
    """
    if not options.larger_model:
        return None
    alone = replace(options, lora="", larger_model="")
    larger = backend_for(options.larger_model, alone, warn=warn, tell=tell)
    if not is_address(options.larger_model):
        larger.load()
    return larger


@dataclass(frozen=True)
class ChosenModel:
    """The files of a model.

    Attributes:
        notice: Why it is not the best model of the stack, in one line; "" if it is, or was
            requested by name.
    """

    path: Path
    adapters: tuple[Adapter, ...] = ()
    notice: str = ""

    @property
    def name(self) -> str:
        """Short name for the record."""
        return " + ".join([self.path.name, *(adapter.path.name for adapter in self.adapters)])


def chosen_model(model: str, lora: str = "") -> ChosenModel:
    """The files that `model` means; "" is the model in `MODEL_VARIABLE`, else the best model of the
    stack that is installed.

    Args:
        lora: Adapters instead of those that come with the model.

    Raises:
        BackendError: MODEL_NOT_LOADED, an unknown name, a missing file, or an invalid list of
            adapters.
    """
    model = model or _default()
    try:
        adapters = adapters_named(lora)
        chosen = _named(model, bool(adapters)) if model else _best_here()
    except (ModelFault, ConfigError, AdapterError) as error:
        raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, str(error)) from None
    if chosen.path.is_dir():
        _check_takes_adapters(f"the folder {chosen.path}", lora)
    return replace(chosen, adapters=adapters or chosen.adapters)


def model_meant(model: str) -> str:
    """`model` as an address, a name or an absolute path, which means the same in another folder.

    Raises:
        BackendError: MODEL_NOT_LOADED, the model is unknown, or not on this machine.
    """
    model = model or _default()
    if is_address(model):
        return model
    chosen = chosen_model(model)
    if model:
        return str(chosen.path.absolute()) if Path(model).expanduser().exists() else model
    return str(chosen.path.absolute()) if chosen.notice or not chosen.adapters else BEST_MODEL


def missing_best(model: str) -> str:
    """Why "" does not select the best model of the stack, in one line; "" if it does, or if
    another model is selected."""
    if model or _default():
        return ""
    try:
        return chosen_model(model).notice
    except BackendError:  # reported where the model is checked
        return ""


def _named(model: str, bare: bool) -> ChosenModel:
    named = model_on_this_machine(model, bare)
    assert named.path is not None
    # a folder may be given as `.`, which has no name
    path = Path(os.path.abspath(named.path)) if named.path.is_dir() else named.path
    return ChosenModel(path, named.adapters)


def _best_here() -> ChosenModel:
    """`BEST_MODEL` if its files are complete, else the small model with the reason; no reason
    while the adapter of the best model does not exist yet."""
    entry = load_registry().find(BEST_MODEL)
    if entry is None or entry.adapter is None or entry.adapter.sha256 is None:
        return ChosenModel(_small())
    try:
        return _named(BEST_MODEL, bare=False)
    except ModelFault as fault:
        small = _small()
        return ChosenModel(small, notice=f"{small.stem} writes instead of {BEST_MODEL}: {fault}")


def _small() -> Path:
    try:
        return shared_file(SHIPPED_MODEL)
    except FileNotFoundError:
        return Path(SHIPPED_MODEL)  # loading it reports what is missing


def _check_takes_adapters(what: str, lora: str) -> None:
    if lora:
        fault = f"{what} takes no adapters from here; leave lora empty, or name a GGUF"
        raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, fault)


def _default() -> str:
    return os.environ.get(MODEL_VARIABLE, "")


def model_name(model: str, lora: str = "") -> str:
    """Short name for the record: of the files, or the server's address."""
    model = model or _default()
    if not is_address(model):
        try:
            return chosen_model(model, lora).name
        except BackendError:
            return model
    try:
        address = ServerAddress.parse(model)
    except BackendError:
        return "server"
    return f"{address.model} at {address}" if address.model else str(address)


def check_model(model: str, lora: str = "") -> str:
    """One line about a model that seems usable, without loading it.

    Raises:
        BackendError: MODEL_NOT_LOADED, with the fault.
    """
    model = model or _default()
    if is_address(model):
        backend = backend_for(model, ModelOptions(lora=lora), warn=lambda _: None)
        backend.load()
        known = backend.describe()
        return f"{known.name} at {ServerAddress.parse(model)}, {known.context} tokens of context"
    chosen = chosen_model(model, lora)
    try:
        if chosen.path.is_dir():
            return _check_folder(chosen.path)
        header = read_gguf_header(chosen.path)
        prompt_format_with(chosen.adapters, chosen.path, header)
    except (GgufError, ModelFolderError, ConfigError) as error:
        raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, str(error)) from None
    size = header.file_bytes + bytes_of(chosen.adapters)
    return f"{chosen.name}, {size / 1e6:.1f} MB"


def _check_folder(path: Path) -> str:
    folder = read_model_folder(path)
    fault = packages_fault()
    if fault:
        raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, f"{path}: {fault}")
    return f"{folder.name}, {folder.weight_bytes / 1e6:.1f} MB of {folder.config['model_type']}"
