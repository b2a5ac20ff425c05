"""The chat template of a GGUF, and the tokens of a conversation with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import BackendError
from roboinstruct_ros.generate.backends.chat_template import (
    ChatTemplate,
    ChatTemplateError,
    tokens_of,
)
from roboinstruct_ros.generate.backends.conversation import Conversation
from roboinstruct_ros.generate.backends.template_process import TemplateProcess
from roboinstruct_ros.generate.models.gguf_file import GgufHeader
from roboinstruct_ros.generate.models.model_notes import (
    CHAT_FORMAT,
    ModelNotes,
    named_format,
    prompt_format_of,
)
from roboinstruct_ros.generate.prompts.prompt import DEFAULT_FORMAT

CHAT_TEMPLATE_KEY = "tokenizer.chat_template"


class LlamaChat:
    """Conversations with one loaded `llama_cpp.Llama`.

    Args:
        source: The Jinja template; it runs in a confined process.

    Raises:
        ChatTemplateError: There is none, or it cannot be used.
    """

    def __init__(self, llama: Any, source: str) -> None:
        if not source.strip():
            raise ChatTemplateError("there is none")
        self._llama = llama
        self._begin = _text(llama, llama.token_bos())
        process = TemplateProcess(source, self._begin, _text(llama, llama.token_eos()))
        self._template = ChatTemplate(process.render)

    @property
    def has_system(self) -> bool:
        """Whether the template supports the system role."""
        return self._template.has_system

    def tokens(self, conversation: Conversation) -> list[int]:
        """The tokens of a conversation; no text of a turn becomes a control token.

        Raises:
            ChatTemplateError: The template fails on it.
        """
        pieces = self._template.pieces(conversation)
        # A template may write the begin-of-text token itself; it must not occur twice.
        begun = bool(self._begin) and pieces[0].text.startswith(self._begin)
        beginning: list[int] = [] if begun else self._llama.tokenize(b"", add_bos=True)
        return [*beginning, *tokens_of(pieces, self._tokenize, self._is_control)]

    def _tokenize(self, text: str, special: bool) -> list[int]:
        tokens: list[int] = self._llama.tokenize(text.encode(), add_bos=False, special=special)
        return tokens

    def _is_control(self, token: int) -> bool:
        import llama_cpp

        return bool(llama_cpp.llama_vocab_is_control(self._llama._model.vocab, token))


def format_and_chat(
    llama: Any,
    path: Path,
    header: GgufHeader,
    notes: ModelNotes,
    warn: Callable[[str], object],
) -> tuple[str, LlamaChat | None]:
    """The prompt format of a loaded GGUF, and its chat if that is the format.

    Args:
        warn: Called with one line if the model's own template cannot be used properly.

    Raises:
        BackendError: MODEL_NOT_LOADED, a chat was requested and the template is unusable.
    """
    chosen = prompt_format_of(path, header, notes)
    if chosen != CHAT_FORMAT:
        return chosen, None
    try:
        chat = LlamaChat(llama, header.text(CHAT_TEMPLATE_KEY))
    except ChatTemplateError as error:
        fault = f"its chat template ({CHAT_TEMPLATE_KEY}) cannot be used: {error}"
        if named_format(path, header, notes):
            fault = f"{path}: {fault}; note 'prompt_format: {DEFAULT_FORMAT}' in {path}.yaml"
            raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, fault) from None
        warn(f"{path.name}: {fault}; it gets prompts of the format {DEFAULT_FORMAT}")
        return DEFAULT_FORMAT, None
    if not chat.has_system:
        warn(
            f"{path.name}: its chat template takes no system turn; the robot's functions and the "
            "rules open the first user turn"
        )
    return CHAT_FORMAT, chat


def _text(llama: Any, token: int) -> str:
    return str(llama._model.token_get_text(token)) if token >= 0 else ""
