"""A model in the Hugging Face format in this process, through transformers and PyTorch.

Both libraries are optional (`requirements/transformers.txt`) and imported only when such a model is
loaded. The grammar of a request is ignored: it is in llama.cpp's format, and the verifier checks
the text anyway.
"""

from __future__ import annotations

import gc
import importlib.util
import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import (
    BackendError,
    ModelDescription,
    Request,
    StopSignal,
    Token,
)
from roboinstruct_ros.generate.backends.conversation import Prompt
from roboinstruct_ros.generate.backends.token_reader import Stopped, TokenReader
from roboinstruct_ros.generate.backends.transformers_text import TextChat, TextOut, encoded
from roboinstruct_ros.generate.models.memory_fit import gigabytes
from roboinstruct_ros.generate.models.memory_plan import free_main_memory
from roboinstruct_ros.generate.models.model_folder import (
    ModelFolder,
    ModelFolderError,
    read_model_folder,
)
from roboinstruct_ros.generate.models.model_notes import (
    CHAT_FORMAT,
    ModelNotes,
    read_notes,
    trained_to_chat,
)
from roboinstruct_ros.generate.prompts.prompt import DEFAULT_FORMAT

REQUIREMENTS = "pip install -r requirements/transformers.txt"
DEFAULT_CONTEXT = 4096  # tokens, if the model can hold that many
LEAST_ANSWER = 16  # tokens that must be left for the answer
SMALL_MODEL = 100_000_000  # weights; below it, one thread is fastest
LIKELIEST = 40  # top-k tokens, the default of llama.cpp
TOP_P = 0.95  # top-p probability mass

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class TransformersSettings:
    """How a folder is loaded.

    Attributes:
        model: Path of the folder.
        n_ctx: Tokens that prompt and answer share; 0 is what the model was trained for, at
            most `DEFAULT_CONTEXT`.
        n_threads: Threads on the CPU; 0 is one for a small model, else one for each core available
            to this process.
    """

    model: Path
    n_ctx: int = 0
    n_threads: int = 0


def packages_fault() -> str:
    """Which packages are missing, and how to install them; "" if none is."""
    missing = [name for name in ("torch", "transformers") if importlib.util.find_spec(name) is None]
    if not missing:
        return ""
    return f"a folder needs {' and '.join(missing)}, not installed here: {REQUIREMENTS}"


class TransformersBackend:
    """Backend for one folder with `config.json`, `*.safetensors` and a tokenizer.

    Args:
        tell: Called with one line: where the model is placed and in which number format.
        warn: Called with one line if a chat template cannot be used as it is.
    """

    def __init__(
        self,
        settings: TransformersSettings,
        tell: Callable[[str], object] = _logger.info,
        warn: Callable[[str], object] = _logger.warning,
    ) -> None:
        self._settings = settings
        self._tell, self._warn = tell, warn
        self._folder: ModelFolder | None = None
        self._tokenizer: Any = None
        self._reader: TokenReader | None = None
        self._chat: TextChat | None = None
        self._prompt_format = DEFAULT_FORMAT
        self._ends: frozenset[int] = frozenset()
        self._in_use = threading.Lock()
        self._cached = 0

    def load(self) -> None:
        """Check the folder, then load it with transformers; no code of the model is run.

        Raises:
            BackendError: MODEL_NOT_LOADED, one line that begins with the path.
        """
        if self._reader is not None:
            return
        path = self._settings.model
        try:
            folder, notes = read_model_folder(path), read_notes(path)
        except (ModelFolderError, ConfigError) as error:
            raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, str(error)) from None
        fault = packages_fault()
        if fault:
            raise self._not_loaded(fault)
        try:
            self._tokenizer = self._open_tokenizer()
            self._choose_format(folder, notes)
            self._open_model(folder)
        except BackendError:
            self.unload()
            raise
        self._folder = folder

    def unload(self) -> None:
        with self._in_use:
            was_loaded = self._reader is not None
            self._reader = self._tokenizer = self._chat = self._folder = None
            if was_loaded:
                _give_back()

    def describe(self) -> ModelDescription:
        folder, _ = self._loaded()
        return ModelDescription(
            name=folder.name,
            prompt_format=self._prompt_format,
            context=self._context(folder),
            parameters=folder.parameters,
        )

    @property
    def cached_tokens(self) -> int:
        return self._cached

    def count_tokens(self, prompt: Prompt) -> int:
        self._loaded()
        return len(self._encoded(prompt))

    def warm(self, beginning: Prompt) -> None:
        """Evaluate the common beginning of all prompts; the result stays in memory."""
        _, reader = self._loaded()
        with self._in_use, self._faults():
            reader.read(self._encoded(beginning), threading.Event())

    def forget(self) -> None:
        _, reader = self._loaded()
        with self._in_use:
            reader.forget()

    def stream(self, request: Request, cancel: StopSignal) -> Iterator[Token]:
        folder, reader = self._loaded()
        tokens, context = self._encoded(request.prompt), self._context(folder)
        room = context - len(tokens)
        if room < LEAST_ANSWER:
            raise BackendError(
                TaskErrorCode.INSTRUCTION_TOO_LONG,
                f"the prompt takes {len(tokens)} tokens and the model reads {context}; "
                "say it shorter or raise n_ctx",
            )
        with self._in_use, self._faults():
            self._cached = reader.shared(tokens)
            yield from self._written(reader, tokens, request, room, cancel)

    def _written(
        self, reader: TokenReader, tokens: list[int], request: Request, room: int,
        cancel: StopSignal,
    ) -> Iterator[Token]:  # fmt: skip
        draw = _Draw(request.temperature, request.seed)
        out, given = TextOut(self._tokenizer, tokens), list(tokens)
        try:
            for _ in range(min(request.max_tokens, room)):
                token = draw.token(reader.read(given, cancel))
                if token in self._ends or cancel.is_set():
                    return
                given.append(token)
                yield Token(out.take(token))
        except Stopped:
            return

    def _encoded(self, prompt: Prompt) -> list[int]:
        if isinstance(prompt, str):
            return encoded(self._tokenizer, prompt, special=False, beginning=True)
        if self._chat is None:
            fault = f"is spoken to as {self._prompt_format}, not in turns"
            raise BackendError(TaskErrorCode.MODEL_FAILED, f"{self._settings.model}: {fault}")
        try:
            return self._chat.tokens(prompt)
        except ValueError as error:
            fault = f"{self._settings.model}: its chat template cannot be used: {error}"
            raise BackendError(TaskErrorCode.MODEL_FAILED, fault) from None

    def _context(self, folder: ModelFolder) -> int:
        trained = folder.number("max_position_embeddings", "n_positions") or DEFAULT_CONTEXT
        return self._settings.n_ctx or min(trained, DEFAULT_CONTEXT)

    def _threads(self, folder: ModelFolder) -> int:
        """The number of threads: PyTorch's busy-wait too. With two threads on a machine with
        other work a tiny model read 400 token/s, with one 4900 (measured)."""
        small = folder.parameters < SMALL_MODEL
        return self._settings.n_threads or (1 if small else len(os.sched_getaffinity(0)))

    def _loaded(self) -> tuple[ModelFolder, TokenReader]:
        if self._reader is None or self._folder is None:
            raise self._not_loaded("the model is not loaded")
        return self._folder, self._reader

    def _open_tokenizer(self) -> Any:
        import transformers

        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()
        try:
            return transformers.AutoTokenizer.from_pretrained(
                str(self._settings.model), local_files_only=True, trust_remote_code=False
            )
        except Exception as error:  # tokenizers raise errors of any type
            raise self._not_loaded(f"its tokenizer cannot be used: {_first_line(error)}") from None

    def _choose_format(self, folder: ModelFolder, notes: ModelNotes) -> None:
        """The prompt format, as for a GGUF: the notes, then the name together with a chat
        template, then completion."""
        told = notes.prompt_format or ""
        guessed = self._tokenizer.chat_template and trained_to_chat(folder.name)
        self._prompt_format = told or (CHAT_FORMAT if guessed else DEFAULT_FORMAT)
        if self._prompt_format != CHAT_FORMAT:
            return
        try:
            self._chat = TextChat(self._tokenizer)
        except ValueError as error:
            fault = f"its chat template cannot be used: {error}"
            if told:
                file = f"{self._settings.model}.yaml"
                hint = f"note 'prompt_format: {DEFAULT_FORMAT}' in {file}"
                raise self._not_loaded(f"{fault}; {hint}") from None
            self._prompt_format = DEFAULT_FORMAT
            self._warn(f"{folder.name}: {fault}; it gets prompts of the format {DEFAULT_FORMAT}")

    def _open_model(self, folder: ModelFolder) -> None:
        import torch
        import transformers

        torch.set_num_threads(self._threads(folder))
        how, words = self._placement(folder, torch, transformers)
        try:
            model, found = transformers.AutoModelForCausalLM.from_pretrained(
                str(self._settings.model), local_files_only=True, trust_remote_code=False,
                use_safetensors=True, output_loading_info=True, **how,
            )  # fmt: skip
            if "quantization_config" not in how and not folder.is_quantized:
                model.to("cuda" if torch.cuda.is_available() else "cpu")
        except torch.OutOfMemoryError:
            raise self._not_loaded(f"out of memory on the GPU: {_shortage(folder)}") from None
        except Exception as error:  # errors in files and configs that only transformers understands
            raise self._not_loaded(f"cannot be loaded: {_first_line(error)}") from None
        absent = sorted(found["missing_keys"])
        if absent:  # transformers would continue with random numbers
            raise self._not_loaded(f"{len(absent)} weights are missing, e.g. {absent[0]}")
        model.eval()
        ends = [model.generation_config.eos_token_id, self._tokenizer.eos_token_id]
        flat = [end for some in ends for end in (some if isinstance(some, list) else [some])]
        self._ends = frozenset(end for end in flat if end is not None)
        self._reader = TokenReader(model)
        self._tell(f"{folder.name}: {words}; no grammar is applied to what it writes")

    def _placement(
        self, folder: ModelFolder, torch: Any, transformers: Any
    ) -> tuple[dict[str, Any], str]:
        """Arguments for loading, and their meaning in words."""
        if torch.cuda.is_available():
            number = torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
            four_bits = all(map(importlib.util.find_spec, ("bitsandbytes", "accelerate")))
            if four_bits and not folder.is_quantized:
                settings = transformers.BitsAndBytesConfig(
                    load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=number
                )
                how = {"quantization_config": settings, "device_map": {"": 0}, "dtype": number}
                return how, "4-bit weights (NF4) on the GPU"
            return {"dtype": number}, "16-bit weights on the GPU"
        free = free_main_memory()
        exact = free is None or folder.parameters * 4 <= free
        needed = folder.parameters * (4 if exact else 2)
        if free is not None and needed > free:
            fault = f"{gigabytes(needed)} of 16-bit weights and {gigabytes(free)} free main memory"
            raise self._not_loaded(f"{fault}; take a smaller model, or a GPU")
        number = torch.float32 if exact else torch.bfloat16
        return {"dtype": number}, f"{32 if exact else 16}-bit weights on the CPU"

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Converts errors of PyTorch into BackendErrors; the model stays usable."""
        try:
            yield
        except BackendError:
            raise
        except Exception as error:
            reader, folder = self._reader, self._folder
            if reader is not None:
                reader.forget()
            fault = f"the model failed while writing: {_first_line(error)}"
            if type(error).__name__ == "OutOfMemoryError" and folder is not None:
                _give_back()
                fault = f"out of memory while writing: {_shortage(folder)}"
            raise BackendError(TaskErrorCode.MODEL_FAILED, fault) from None

    def _not_loaded(self, fault: str) -> BackendError:
        return BackendError(TaskErrorCode.MODEL_NOT_LOADED, f"{self._settings.model}: {fault}")


class _Draw:
    """Samples tokens; the same seed gives the same tokens from the same model."""

    def __init__(self, temperature: float, seed: int) -> None:
        import torch

        self._temperature = temperature
        self._random = torch.Generator().manual_seed(seed)

    def token(self, logits: Any) -> int:
        """The next token; the likeliest at temperature 0."""
        import torch

        if not self._temperature:
            return int(logits.argmax())
        likeliest = logits.float().cpu().topk(min(LIKELIEST, logits.shape[-1]))
        shares = torch.softmax(likeliest.values / self._temperature, -1)
        shares[shares.cumsum(-1) - shares > TOP_P] = 0.0
        return int(likeliest.indices[torch.multinomial(shares, 1, generator=self._random)])


def _shortage(folder: ModelFolder) -> str:
    import torch

    free, total = torch.cuda.mem_get_info()
    return (
        f"{gigabytes(folder.weight_bytes)} of weights as they are on disk, {gigabytes(free)} of "
        f"{gigabytes(total)} free; install bitsandbytes and accelerate for 4-bit weights, or take "
        "a smaller model or less n_ctx"
    )


def _give_back() -> None:
    """Release memory that Python and PyTorch hold in reserve."""
    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def _first_line(error: Exception) -> str:
    """The first non-empty line of a library's message."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0][:300] if lines else type(error).__name__
