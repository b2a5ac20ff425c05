"""A model behind HTTP: finding it, its key, its context, its count of tokens."""

from __future__ import annotations

import logging
import socket
import threading
import time

import pytest
from given_time import GivenTime
from model_server import Answer, ModelServer, Reply, fixed, models, words
from served_backend import backend_of, fault_of, loaded, said

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.openai_backend import (
    KEY_VARIABLE,
    OpenAIBackend,
    OpenAISettings,
)

KEY = "sk-very-secret"


def load_fault(server: ModelServer, **choices: object) -> str:
    """Why the server's model cannot be loaded, without the address that it begins with."""
    fault = fault_of(backend_of(server, **choices).load)
    assert fault.code is TaskErrorCode.MODEL_NOT_LOADED
    assert str(fault).startswith(f"{server.address}: ")
    return str(fault).removeprefix(f"{server.address}: ")


# Loading


def test_the_first_model_is_taken_unless_one_is_named(server: ModelServer) -> None:
    server.answers["GET /v1/models"] = models({"id": "coder-7b"}, {"id": "coder-32b"})
    assert loaded(server).describe().name == "coder-7b"
    assert loaded(server, model="coder-32b").describe().name == "coder-32b"


def test_an_unknown_model_is_told_with_the_nearest(server: ModelServer) -> None:
    server.answers["GET /v1/models"] = models({"id": "coder-7b"}, {"id": "llama"})
    assert load_fault(server, model="coder-7") == "no model 'coder-7'; did you mean 'coder-7b'"
    assert load_fault(server, model="gpt") == "no model 'gpt'; there is coder-7b, llama"


@pytest.mark.parametrize(
    ("entry", "props", "asked", "context"),
    [
        ({"max_model_len": 2048}, None, 0, 2048),
        ({"max_model_len": 2048}, None, 1000, 1000),
        ({"max_model_len": 2048}, None, 9000, 2048),
        ({"meta": {"n_ctx_train": 32768, "n_params": 9}}, None, 0, 32768),
        ({"meta": {"n_ctx_train": 32768}}, {"n_ctx": 1024}, 0, 1024),
        ({"meta": {"n_ctx_train": 32768, "n_ctx": 1024}}, None, 0, 1024),
        ({}, None, 0, 4096),
        ({}, None, 1000, 1000),
        ({"max_model_len": "much", "meta": []}, None, 0, 4096),
    ],
)
def test_the_context_is_what_the_server_says(
    server: ModelServer,
    entry: dict[str, object],
    props: dict[str, int] | None,
    asked: int,
    context: int,
) -> None:
    server.answers["GET /v1/models"] = models({"id": "tiny", **entry})
    if props:
        server.answers["GET /props"] = fixed({"default_generation_settings": props})
    assert loaded(server, n_ctx=asked).describe().context == context


def test_the_prompt_format_is_the_settings_or_that_of_any_model(server: ModelServer) -> None:
    assert loaded(server).describe().prompt_format == "completion"
    own = loaded(server, prompt_format="instruction_comment")
    assert own.describe().prompt_format == "instruction_comment"
    fault = load_fault(server, prompt_format="chatty")
    assert fault.startswith("no prompt format 'chatty'; there is instruction_comment, ")


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (fixed("<html>hello</html>"), "/v1/models is no list of models"),
        (fixed({"models": []}), "/v1/models is no list of models"),
        (fixed(b"\xff\x00" * 5000), "/v1/models is no list of models"),
        (fixed("[" * 200_000), "/v1/models is no list of models"),
        (models(), "the server has no model; start it with one"),
        (fixed("no", 404), "no /v1/models (404); something other than a model server listens"),
        (fixed("", 301), "the server sends elsewhere (301); give the address it leads to"),
        (fixed("", 401), f"the server wants a key; set {KEY_VARIABLE}"),
        (fixed({"error": {"message": "Loading model"}}, 503), "not ready (Loading model); wait"),
        (
            fixed("a\n\x1b[31mb" + "c" * 999, 500),
            "the server answers 500 to /v1/models: a [31mbccc",
        ),
        (Reply.die, "the server broke the connection off"),
    ],
)
def test_a_server_that_is_no_model_server(server: ModelServer, answer: Answer, fault: str) -> None:
    server.answers["GET /v1/models"] = answer
    assert load_fault(server).startswith(fault)


def test_a_wrong_path_is_told_with_the_usual_one(server: ModelServer) -> None:
    address = server.address + "/models"
    fault = fault_of(OpenAIBackend(OpenAISettings(address)).load)
    hint = f"no /v1/models/models (404); the address is mostly {server.address}"
    assert str(fault) == f"{address}: {hint}"


def test_a_slow_server(server: ModelServer) -> None:
    server.answers["GET /v1/models"] = lambda reply: (reply.wait_until_left(), None)[1]
    assert load_fault(server, answer_timeout=0.2) == "does not answer within 0.2 s"


def test_nothing_listens_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        fault = fault_of(OpenAIBackend(OpenAISettings(address)).load)
    assert fault.code is TaskErrorCode.MODEL_NOT_LOADED
    assert str(fault) == f"{address}: nothing listens there; start the server or mend the address"


def test_something_else_listens_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:

        def greet() -> None:
            connection, _ = other.accept()
            with connection:
                connection.sendall(b"220 mail server ready\r\n")
                connection.recv(1000)

        threading.Thread(target=greet, daemon=True).start()
        address = f"http://127.0.0.1:{other.getsockname()[1]}/v1"
        fault = fault_of(OpenAIBackend(OpenAISettings(address)).load)
    assert "does not speak HTTP" in str(fault)


def test_tls_is_asked_of_a_server_without(server: ModelServer) -> None:
    address = server.address.replace("http:", "https:")
    fault = fault_of(OpenAIBackend(OpenAISettings(address)).load)
    assert str(fault) == f"{address}: does not speak TLS; begin the address with http://"


def test_a_server_that_is_not_loaded_says_so(server: ModelServer) -> None:
    backend = backend_of(server)
    for ask in (backend.describe, lambda: backend.count_tokens("x"), lambda: said(backend)):
        assert fault_of(ask).code is TaskErrorCode.MODEL_NOT_LOADED
    backend.load()
    backend.unload()
    assert fault_of(backend.describe).code is TaskErrorCode.MODEL_NOT_LOADED


# The key


def test_the_key_goes_to_the_server_and_nowhere_else(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    caplog.set_level(logging.DEBUG)
    server.completes(fixed({"error": {"message": f"quota of {KEY} is spent"}}, 429))
    backend = loaded(server)
    fault = fault_of(lambda: said(backend))
    assert all(head["Authorization"] == f"Bearer {KEY}" for _, _, head in server.asked)
    assert str(fault) == f"{server.address}: the server refuses: 429 quota of *** is spent"
    server.completes(fixed(f"Incorrect API key: {KEY}", 401))
    assert KEY_VARIABLE in str(fault_of(lambda: said(backend)))
    assert KEY not in caplog.text + repr(vars(backend))


def test_a_key_that_no_head_can_hold(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "sk-\nX-Other: yes")
    assert load_fault(server) == f"{KEY_VARIABLE} holds characters that no key has"


# The context


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (400, {"error": {"message": "the request exceeds the available context size"}}),
        (500, {"error": {"message": "too many", "type": "exceed_context_size_error"}}),
        (200, {"error": {"message": "too many", "type": "exceed_context_size_error"}}),
        (400, {"object": "error", "message": "This model's maximum context length is 512 tokens."}),
    ],
)
def test_a_context_that_overflows_is_a_fault_of_the_instruction(
    server: ModelServer, status: int, answer: dict[str, object]
) -> None:
    server.completes(fixed(answer, status))
    backend = loaded(server)
    assert fault_of(lambda: said(backend)).code is TaskErrorCode.INSTRUCTION_TOO_LONG
    server.completes(words(["well"]))
    assert said(backend) == ["well"]


def test_a_prompt_without_room_for_an_answer_is_not_sent(server: ModelServer) -> None:
    server.answers["POST /tokenize"] = fixed({"count": 500})
    error = fault_of(lambda: said(loaded(server)))
    assert error.code is TaskErrorCode.INSTRUCTION_TOO_LONG
    assert "the prompt takes 500 tokens and the model reads 512" in str(error)
    assert "POST /v1/completions" not in [place for place, _, _ in server.asked]


def test_the_answer_is_asked_to_fit_beside_the_prompt(server: ModelServer) -> None:
    server.answers["POST /tokenize"] = fixed({"count": 480})
    server.completes(words(["well"]))
    said(loaded(server), most=300)
    assert server.last("POST /v1/completions")["max_tokens"] == 32


# Tokens of a prompt


@pytest.mark.parametrize("answer", [{"tokens": [1, 2, 3, 4]}, {"count": 4, "max_model_len": 512}])
def test_the_server_counts_tokens(server: ModelServer, answer: dict[str, object]) -> None:
    server.answers["POST /tokenize"] = fixed(answer)
    backend = loaded(server)
    assert backend.count_tokens("Zoë and I") == 4 == backend.count_tokens("Zoë and I")
    asked = [body for place, body, _ in server.asked if place == "POST /tokenize"]
    assert len(asked) == 1  # the same prompt is not counted twice
    assert asked[0]["model"] == "tiny" and asked[0]["prompt"] == asked[0]["content"] == "Zoë and I"


def test_a_server_that_cannot_count_is_asked_once(server: ModelServer) -> None:
    backend = loaded(server)
    assert [backend.count_tokens("x" * count) for count in (9, 10, 12)] == [3, 4, 4]
    assert [place for place, _, _ in server.asked].count("POST /tokenize") == 1


@pytest.mark.parametrize("answer", [fixed("what?"), fixed({"tokens": 3}), fixed("", 500)])
def test_nonsense_instead_of_a_count_is_an_estimate(server: ModelServer, answer: Answer) -> None:
    server.answers["POST /tokenize"] = answer
    assert loaded(server).count_tokens("x" * 10) == 4


def test_a_count_is_not_waited_for(server: ModelServer) -> None:
    server.answers["POST /tokenize"] = lambda reply: (reply.wait_until_left(), None)[1]
    backend = loaded(server, count_timeout=OpenAISettings.count_timeout)
    given = GivenTime()
    assert backend.count_tokens("x" * 10) == 4
    assert given.until(time.time()) < 0.5
