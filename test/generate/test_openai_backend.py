"""A model behind HTTP: what is asked, what is heard, and every way in which a server can fail."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from model_server import LIMIT, Answer, ModelServer, Reply, fixed, model_server, models, words

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backend import BackendError
from roboinstruct_ros.generate.openai_backend import KEY_VARIABLE, OpenAIBackend, OpenAISettings

NEVER = threading.Event()
PROMPT = "# Instruction: go\ndef task_program():\n"
KEY = "sk-very-secret"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    with model_server() as server:
        yield server


def backend_of(server: ModelServer, **choices: object) -> OpenAIBackend:
    # The count of tokens may take long on a busy machine; the test of its limit sets its own.
    settings = OpenAISettings(server.address, count_timeout=LIMIT)
    return OpenAIBackend(replace(settings, **choices))


def loaded(server: ModelServer, **choices: object) -> OpenAIBackend:
    backend = backend_of(server, **choices)
    backend.load()
    return backend


def said(backend: OpenAIBackend, most: int = 50, prompt: str = PROMPT) -> list[str]:
    return [token.text for token in backend.stream(prompt, most, 0.5, 7, NEVER)]


def fault_of(action: Callable[[], object]) -> BackendError:
    with pytest.raises(BackendError) as error:
        action()
    assert "\n" not in str(error.value)
    return error.value


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
    fault = load_fault(server, prompt_format="chat")
    assert fault == "no prompt format 'chat'; there is instruction_comment, completion"


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (fixed("<html>hello</html>"), "/v1/models is no list of models"),
        (fixed({"models": []}), "/v1/models is no list of models"),
        (fixed(b"\xff\x00" * 5000), "/v1/models is no list of models"),
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


# Streaming


def test_text_comes_in_pieces_and_the_request_says_everything(server: ModelServer) -> None:
    server.completes(words(["    say(", '"größe"', ")\n"]))
    assert said(loaded(server)) == ["    say(", '"größe"', ")\n"]
    assert server.last("POST /v1/completions") == {
        "model": "tiny",
        "prompt": PROMPT,
        "max_tokens": 50,
        "temperature": 0.5,
        "seed": 7,
        "stream": True,
    }


def test_text_is_there_before_the_next_is_written(server: ModelServer) -> None:
    heard = threading.Event()

    def answer(reply: Reply) -> None:
        reply.begin()
        reply.say("first")
        reply.say(" second" if heard.wait(LIMIT) else " late")
        reply.done()

    server.completes(answer)
    stream = loaded(server).stream(PROMPT, 50, 0.0, 1, NEVER)
    assert next(stream).text == "first"
    heard.set()
    assert next(stream).text == " second"


def test_no_more_tokens_than_asked_for(server: ModelServer) -> None:
    server.completes(words(str(number) for number in range(100)))
    assert said(loaded(server), most=12) == [str(number) for number in range(12)]


def test_a_text_that_was_cut_off_counts_as_all_tokens(server: ModelServer) -> None:
    def answer(reply: Reply) -> None:
        reply.begin()
        reply.say("three tokens at once", "length")
        reply.done()

    server.completes(answer)
    assert said(loaded(server), most=3) == ["three tokens at once", "", ""]


def test_what_is_no_text_in_a_stream_is_passed_over(server: ModelServer) -> None:
    def answer(reply: Reply) -> None:
        reply.begin()
        reply.send(b": ping\n\nevent: message\r\nid: 4\n")
        reply.send(b'data:{"choices": [{"te')
        reply.send(b'xt": "all"}]}\r\n\r\n')
        reply.send(b'data: {"choices": [], "usage": {"total_tokens": 3}}\n\n')
        reply.done()

    server.completes(answer)
    assert said(loaded(server)) == ["all"]


def garbage(data: bytes) -> Answer:
    def answer(reply: Reply) -> None:
        reply.begin()
        reply.say("a")
        reply.send(data)
        reply.done()

    return answer


def dies(reply: Reply) -> None:
    reply.begin()
    reply.say("    go_to(")
    reply.die()


def dies_in_a_line(reply: Reply) -> None:
    reply.begin()
    reply.send(b'data: {"choices": [{"text": "a"}]}\n\ndata: {"choi')
    reply.send(b"")


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (dies, ""),
        (dies_in_a_line, "the answer ended in the middle; did the server stop?"),
        (fixed({"choices": [{"text": "not streamed"}]}), "answered something other than a stream"),
        (fixed("<html>"), "answered something other than a stream of text: <html>"),
        (fixed(""), "the answer ended in the middle"),
        (garbage(b"\xff\xfe\x00\n"), "answered something other than a stream of text"),
        (garbage(b"data: {\n\n"), "answered something other than a stream of text: {"),
        (garbage(b"data: 7\n\n"), "answered something other than a stream of text: 7"),
        (garbage(b'data: {"choices": [{"text": 7}]}\n\n'), "answered something other"),
        (
            garbage(b'data: {"error": {"message": "out of\\nmemory"}}\n\n'),
            "the server refuses: out",
        ),
        (garbage(b'error: {"message": "slot died"}\n\n'), "the server refuses: slot died"),
        (
            fixed({"object": "error", "message": "bad seed"}, 400),
            "the server refuses: 400 bad seed",
        ),
        (fixed({"detail": [{"msg": "field"}]}, 422), "the server refuses: 422"),
        (fixed("Internal Server Error", 500), "the server refuses: 500 Internal Server Error"),
        (fixed("", 403), f"the server wants a key; set {KEY_VARIABLE}"),
    ],
)
def test_a_server_that_fails_is_one_line_and_can_be_asked_again(
    server: ModelServer, answer: Answer, fault: str
) -> None:
    backend = loaded(server)
    server.completes(answer)
    error = fault_of(lambda: said(backend))
    assert error.code is TaskErrorCode.MODEL_FAILED
    assert str(error).startswith(f"{server.address}: {fault}")
    server.completes(words(["well"]))
    assert said(backend) == ["well"]


def test_a_server_that_falls_silent(server: ModelServer) -> None:
    def answer(reply: Reply) -> None:
        reply.begin()
        reply.say("a")
        reply.wait_until_left()

    server.completes(answer)
    backend = loaded(server, token_timeout=0.2)
    assert str(fault_of(lambda: said(backend))).endswith("sent nothing for 0.2 s")


def test_a_server_that_went_away(server: ModelServer) -> None:
    with model_server() as other:
        backend = loaded(other)
    error = fault_of(lambda: said(backend))
    assert error.code is TaskErrorCode.MODEL_FAILED and "nothing listens there" in str(error)


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
    start = time.monotonic()
    assert backend.count_tokens("x" * 10) == 4
    assert time.monotonic() - start < 0.5


# Cancelling


@pytest.mark.parametrize("silence", ["before the head", "before the first token", "in the middle"])
def test_cancel_ends_a_silent_server(server: ModelServer, silence: str) -> None:
    silent, left = threading.Event(), threading.Event()

    def answer(reply: Reply) -> None:
        if silence != "before the head":
            reply.begin()
        if silence == "in the middle":
            reply.say("a")
        silent.set()
        if reply.wait_until_left():
            left.set()

    server.completes(answer)
    backend = loaded(server)
    cancel, pressed = threading.Event(), [0.0]

    def press() -> None:
        assert silent.wait(LIMIT)
        pressed[0] = time.monotonic()
        cancel.set()

    presser = threading.Thread(target=press)
    presser.start()
    tokens = list(backend.stream(PROMPT, 50, 0.0, 1, cancel))
    latency = time.monotonic() - pressed[0]
    presser.join()
    # 0.1 s is the promise; a test machine with other work on it gets more.
    assert pressed[0] and latency < 0.5
    assert len(tokens) <= (silence == "in the middle")
    assert left.wait(LIMIT), "the server still writes for nobody"
    server.completes(words(["well"]))
    assert said(backend) == ["well"]


def test_a_stream_that_is_left_closes_its_connection(server: ModelServer) -> None:
    left = threading.Event()

    def answer(reply: Reply) -> None:
        reply.begin()
        reply.say("a")
        if reply.wait_until_left():
            left.set()

    server.completes(answer)
    for _ in loaded(server).stream(PROMPT, 50, 0.0, 1, NEVER):
        break
    assert left.wait(LIMIT)


def test_a_flood_waits_in_the_network(server: ModelServer) -> None:
    sent, left = [0], threading.Event()

    def answer(reply: Reply) -> None:
        reply.begin()
        try:
            while sent[0] < 200_000:
                reply.say("x" * 1000)
                sent[0] += 1
        except OSError:
            left.set()

    server.completes(answer)
    assert len(said(loaded(server), most=5)) == 5
    assert left.wait(LIMIT) and sent[0] < 200_000
