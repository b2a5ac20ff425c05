"""A model on an OpenAI-compatible server (llama.cpp, vLLM), which several robots may share.

Text to continue goes to the completions endpoint. A conversation (`prompt_format` `chat`) goes to
the chat endpoint, where the server applies the model's template.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from roboinstruct_ros.domain.configuration import nearest_name
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import (
    BackendError,
    ModelDescription,
    Request,
    StopSignal,
    Token,
)
from roboinstruct_ros.generate.backends.chat_template import messages_of
from roboinstruct_ros.generate.backends.completion_stream import (
    Refusal,
    pieces,
    quoted,
    refusal,
    without_beginning,
)
from roboinstruct_ros.generate.backends.conversation import Conversation, Prompt
from roboinstruct_ros.generate.backends.grammar import whole_function_grammar
from roboinstruct_ros.generate.backends.http_exchange import (
    Before,
    Exchange,
    Left,
    Patience,
    Question,
    ServerFault,
    whole,
)
from roboinstruct_ros.generate.backends.server_address import ServerAddress
from roboinstruct_ros.generate.prompts.prompt import DEFAULT_FORMAT, FORMATS

KEY_VARIABLE = "ROBOINSTRUCT_API_KEY"
DEFAULT_CONTEXT = 4096  # tokens, if neither the server nor the settings say
LEAST_ANSWER = 16  # tokens that must be left for the answer
CHARACTERS_PER_TOKEN = 3  # of code; low on purpose, so that the estimate is not too small
TOKEN_TIMEOUT = 30.0  # s of silence
TOKENS_AROUND_A_TURN = 8  # of a chat template, estimated


@dataclass(frozen=True)
class OpenAISettings:
    """How to use a server. The API key is read from `ROBOINSTRUCT_API_KEY` and not stored
    elsewhere.

    Attributes:
        base_url: `http://host:port/v1`.
        model: Name of one of the server's models; "" is the first.
        prompt_format: See `prompt.py`; "" is `completion`.
        n_ctx: Tokens that prompt and answer share, at most the server's limit; 0 is that limit, or
            `DEFAULT_CONTEXT` if the server does not report it.
        connect_timeout: Until a connection is established, s.
        token_timeout: Between two tokens, and before the first one, s.
        answer_timeout: For the whole answer to a short request (e.g. the list of models), s.
        count_timeout: For counting a prompt's tokens, s; short enough that a cancel, which cannot
            interrupt it, still ends everything within 100 ms.
    """

    base_url: str
    model: str = ""
    prompt_format: str = ""
    n_ctx: int = 0
    connect_timeout: float = 3.0
    token_timeout: float = TOKEN_TIMEOUT
    answer_timeout: float = 5.0
    count_timeout: float = 0.08


@dataclass(frozen=True)
class _Count:
    """Tokens of a prompt; `exact` if the server counted them."""

    prompt: Prompt
    tokens: int
    exact: bool

    def __str__(self) -> str:
        return f"{self.tokens} tokens" if self.exact else f"about {self.tokens} tokens"


class OpenAIBackend:
    """Backend for one model of one server.

    Raises:
        BackendError: MODEL_NOT_LOADED, `base_url` is not a valid address.
    """

    def __init__(self, settings: OpenAISettings) -> None:
        self._settings = settings
        self._address = ServerAddress.parse(settings.base_url)
        self._model: ModelDescription | None = None
        self._count: _Count | None = None
        self._counts_tokens = True  # until the server turns out not to support it

    def load(self) -> None:
        """Request the server's list of models, and find the selected one.

        Raises:
            BackendError: MODEL_NOT_LOADED, one line that begins with the address.
        """
        if self._model is not None:
            return
        self._check_format()
        entry = self._wanted(self._models())
        self._model = ModelDescription(
            name=entry["id"],
            prompt_format=self._settings.prompt_format or DEFAULT_FORMAT,
            context=self._context(entry),
            parameters=_whole_number(entry, "meta", "n_params"),
        )

    def unload(self) -> None:
        """Forget the server, whose model stays loaded."""
        self._model = self._count = None
        self._counts_tokens = True

    def describe(self) -> ModelDescription:
        if self._model is None:
            raise self._not_loaded("the model is not loaded")
        return self._model

    def count_tokens(self, prompt: Prompt) -> int:
        """Tokens of `prompt`: the server's own count, or an estimate.

        The tokens that a template adds around the turns of a conversation are estimated in any
        case.

        The estimate is a third of the characters, rounded up; code has between three and four
        characters per token. It is used if the server has no `/tokenize`, or is too slow.
        """
        return self._counted(prompt).tokens

    @property
    def cached_tokens(self) -> int:
        """0: a server does not report how much of a prompt it had cached."""
        return 0

    def stream(self, request: Request, cancel: StopSignal) -> Iterator[Token]:
        most = min(request.max_tokens, self._room(request.prompt))
        body = {
            "model": self.describe().name,
            "max_tokens": most,
            "temperature": request.temperature,
            "seed": request.seed,
            "stream": True,
        }
        place, grammar, begun = "completions", request.grammar, ""
        if isinstance(request.prompt, Conversation):
            # Only some servers continue a turn begun for the model, so the model begins it itself.
            place, body["messages"] = "chat/completions", messages_of(request.prompt)
            grammar, begun = whole_function_grammar(grammar), request.prompt.answer
        else:
            body["prompt"] = request.prompt
        if grammar:  # llama.cpp's server uses GBNF; other servers ignore unknown fields
            body["grammar"] = grammar
        if most <= 0:
            return
        try:
            yield from without_beginning(self._complete(place, body, most, cancel), begun)
        except Left:
            return
        except ServerFault as fault:
            raise self._failed(str(fault)) from None
        except Refusal as no:
            if no.overflow:
                raise self._too_long(str(no)) from None
            raise self._failed(f"the server refuses: {no}") from None

    def _complete(self, place: str, body: Any, most: int, cancel: StopSignal) -> Iterator[Token]:
        told = 0
        with self._asking("POST", f"{self._address.path}/{place}", body) as exchange:
            status = exchange.status(cancel)
            if status != 200:
                raise self._no(status, exchange, cancel)
            for piece in pieces(exchange.lines(cancel)):
                if piece.text:
                    told += 1
                    yield Token(piece.text)
                if piece.cut_off:
                    # Several tokens may have arrived as one text. The caller that counts them must
                    # see that the limit was reached: half a program may be valid Python.
                    yield from [Token("")] * (most - told)
                if piece.cut_off or told >= most:
                    return

    def _no(self, status: int, exchange: Exchange, cancel: StopSignal) -> Refusal:
        """The reason for an HTTP error status."""
        in_time = Before(self._settings.answer_timeout, time.monotonic(), cancel)
        try:
            no = refusal(whole(exchange.lines(in_time)))
        except Left:
            if cancel.is_set():
                raise
            no = refusal(b"")  # the server gave no reason
        if status in (401, 403):
            raise ServerFault(self._key_fault())
        return Refusal(f"{status} {no}".rstrip(), no.overflow)

    def _check_format(self) -> None:
        name = self._settings.prompt_format
        if name and name not in FORMATS:
            raise self._not_loaded(f"no prompt format '{name}'; there is {', '.join(FORMATS)}")

    def _models(self) -> list[dict[str, Any]]:
        path = f"{self._address.path}/models"
        try:
            status, answer = self._ask("GET", path, None, self._settings.answer_timeout)
        except ServerFault as fault:
            raise self._not_loaded(str(fault)) from None
        if status != 200:
            raise self._not_loaded(self._wrong_status(status, path, answer))
        try:
            entries = json.loads(answer)["data"]
            found = [entry for entry in entries if isinstance(entry["id"], str)]
        except (ValueError, RecursionError, KeyError, TypeError):
            wrong = f"{path} is no list of models; an OpenAI-compatible server is wanted"
            raise self._not_loaded(f"{wrong}, mostly at {self._usual()}") from None
        if not found:
            raise self._not_loaded("the server has no model; start it with one")
        return found

    def _wanted(self, entries: list[dict[str, Any]]) -> dict[str, Any]:
        name = self._settings.model
        for entry in entries:
            if name in ("", entry["id"]):
                return entry
        names = [entry["id"] for entry in entries]
        near = nearest_name(name, names)
        hint = f"did you mean '{near}'" if near else f"there is {', '.join(names[:5])}"
        raise self._not_loaded(quoted(f"no model '{name}'; {hint}"))

    def _context(self, entry: dict[str, Any]) -> int:
        """The server's context in tokens, else the model's trained one, else the settings'."""
        said = (
            _whole_number(entry, "max_model_len")  # vLLM
            or _whole_number(entry, "meta", "n_ctx")  # llama.cpp of 2026
            or self._context_of_llama_cpp()
            or _whole_number(entry, "meta", "n_ctx_train")
        )
        asked = self._settings.n_ctx
        return min(asked, said) if asked and said else asked or said or DEFAULT_CONTEXT

    def _context_of_llama_cpp(self) -> int:
        answer = self._asked_beside("GET", "/props", None, self._settings.answer_timeout)
        return _whole_number(answer, "default_generation_settings", "n_ctx")

    def _room(self, prompt: Prompt) -> int:
        """Tokens that `prompt` leaves for the answer."""
        count, context = self._counted(prompt), self.describe().context
        if context - count.tokens < LEAST_ANSWER:
            raise self._too_long(f"the prompt takes {count} and the model reads {context}")
        return context - count.tokens

    def _counted(self, prompt: Prompt) -> _Count:
        # Needed twice per prompt: by the writer, and before sending.
        if self._count is None or self._count.prompt != prompt:
            text = prompt.text if isinstance(prompt, Conversation) else prompt
            count = self._counted_by_server(text) or _estimate(text)
            if isinstance(prompt, Conversation):
                around = (len(prompt.turns) + 1) * TOKENS_AROUND_A_TURN
                count = _Count(prompt, count.tokens + around, exact=False)
            self._count = count
        return self._count

    def _counted_by_server(self, prompt: str) -> _Count | None:
        # Servers use different names: llama.cpp `content`, vLLM `model` and `prompt`.
        question = {
            "model": self.describe().name,
            "prompt": prompt,
            "content": prompt,
            "add_special": True,
        }
        if not self._counts_tokens:
            return None
        answer = self._asked_beside("POST", "/tokenize", question, self._settings.count_timeout)
        tokens = answer.get("tokens")
        count = len(tokens) if isinstance(tokens, list) else _whole_number(answer, "count")
        return _Count(prompt, count, exact=True) if count else None

    def _asked_beside(self, method: str, path: str, body: Any, limit: float) -> dict[str, Any]:
        """An answer outside of OpenAI's API; empty if there is none."""
        try:
            status, answer = self._ask(method, self._address.root + path, body, limit)
            said = json.loads(answer) if status == 200 else {}
        except (ServerFault, ValueError, RecursionError):
            return {}
        if status in (404, 405, 501) and path == "/tokenize":
            self._counts_tokens = False
        return said if isinstance(said, dict) else {}

    def _ask(self, method: str, path: str, body: Any, limit: float) -> tuple[int, bytes]:
        in_time = Before(limit, time.monotonic())
        try:
            with self._asking(method, path, body) as exchange:
                return exchange.status(in_time), whole(exchange.lines(in_time))
        except Left:
            raise ServerFault(f"does not answer within {limit:g} s") from None

    def _asking(self, method: str, path: str, body: Any) -> Exchange:
        headers = {"Accept": "application/json, text/event-stream", "Connection": "close"}
        key = self._key()
        if key:
            headers["Authorization"] = f"Bearer {key}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        question = Question(method, path, json.dumps(body) if body is not None else "", headers)
        patience = Patience(self._settings.connect_timeout, self._settings.token_timeout)
        return Exchange(self._address, question, patience)

    def _key(self) -> str:
        key = os.environ.get(KEY_VARIABLE, "").strip()
        if not (key.isascii() and key.isprintable()):  # HTTP headers allow nothing else
            raise ServerFault(f"{KEY_VARIABLE} holds characters that no key has")
        return key

    def _wrong_status(self, status: int, path: str, answer: bytes) -> str:
        if status in (401, 403):
            return self._key_fault()
        if status in (404, 405):
            usual = f"the address is mostly {self._usual()}"
            other = "something other than a model server listens there"
            return f"no {path} ({status}); {other if self._address.path == '/v1' else usual}"
        if 300 <= status < 400:
            return f"the server sends elsewhere ({status}); give the address it leads to"
        if status == 503:
            return f"not ready ({refusal(answer)}); wait until the server has its model"
        return f"the server answers {status} to {path}: {refusal(answer)}"

    def _key_fault(self) -> str:
        if os.environ.get(KEY_VARIABLE):
            return f"the server does not take the key in {KEY_VARIABLE}"
        return f"the server wants a key; set {KEY_VARIABLE}"

    def _usual(self) -> str:
        return str(self._address).removesuffix(self._address.path) + "/v1"

    def _not_loaded(self, fault: str) -> BackendError:
        return self._error(TaskErrorCode.MODEL_NOT_LOADED, fault)

    def _failed(self, fault: str) -> BackendError:
        return self._error(TaskErrorCode.MODEL_FAILED, fault)

    def _too_long(self, fault: str) -> BackendError:
        advice = "say it shorter or give the server's model more context"
        return self._error(TaskErrorCode.INSTRUCTION_TOO_LONG, f"{fault}; {advice}")

    def _error(self, code: TaskErrorCode, fault: str) -> BackendError:
        key = os.environ.get(KEY_VARIABLE, "").strip()
        # Some servers repeat a wrong key in their error message.
        return BackendError(code, f"{self._address}: {fault.replace(key, '***') if key else fault}")


def _estimate(prompt: str) -> _Count:
    return _Count(prompt, -(-len(prompt) // CHARACTERS_PER_TOKEN), exact=False)


def _whole_number(said: Any, *keys: str) -> int:
    """The number at the end of the path `keys`; 0 if it is missing or not positive."""
    for key in keys:
        said = said.get(key) if isinstance(said, dict) else None
    is_number = isinstance(said, int) and not isinstance(said, bool)
    return max(said, 0) if is_number else 0
