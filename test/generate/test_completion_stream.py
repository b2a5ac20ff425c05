"""What a model server writes, every way in which it can fail meanwhile, and leaving it."""

from __future__ import annotations

import threading
import time
from http.client import HTTPConnection

import pytest
from given_time import GivenTime
from model_server import LIMIT, Answer, ModelServer, Reply, fixed, model_server, words
from served_backend import NEVER, PROMPT, fault_of, loaded, said

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import Request
from roboinstruct_ros.generate.backends.openai_backend import KEY_VARIABLE

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
    stream = loaded(server).stream(Request(PROMPT, 50, 0.0, 1), NEVER)
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


def dies_in_a_chunk(reply: Reply) -> None:
    reply.begin()
    reply.wfile.write(b"20\r\ndata: {")


def gives_up(reply: Reply) -> None:
    reply.begin()
    reply.say('    go_to("kitchen")\n')
    reply.say("", "abort")
    reply.done()


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (dies, ""),
        (gives_up, "the server gave up in the middle of the answer (abort)"),
        (dies_in_a_chunk, "the server broke the connection off"),
        (dies_in_a_line, "the answer ended in the middle; did the server stop?"),
        (fixed({"choices": [{"text": "not streamed"}]}), "answered something other than a stream"),
        (fixed("<html>"), "answered something other than a stream of text: <html>"),
        (fixed(""), "the answer ended in the middle"),
        (garbage(b"\xff\xfe\x00\n"), "answered something other than a stream of text"),
        (garbage(b"data: {\n\n"), "answered something other than a stream of text: {"),
        (garbage(b"data: " + b"[" * 200_000 + b"\n\n"), "answered something other than a stream"),
        (fixed("[" * 200_000, 500), "the server refuses: 500 [[["),
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
    cancel, pressed = threading.Event(), list[GivenTime]()

    def press() -> None:
        assert silent.wait(LIMIT)
        pressed.append(GivenTime())
        cancel.set()

    presser = threading.Thread(target=press)
    presser.start()
    tokens = list(backend.stream(Request(PROMPT, 50, 0.0, 1), cancel))
    latency = pressed[0].until(time.time())
    presser.join()
    assert latency < 0.5
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
    for _ in loaded(server).stream(Request(PROMPT, 50, 0.0, 1), NEVER):
        break
    assert left.wait(LIMIT)


def test_who_leaves_while_connecting_asks_nothing(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.completes(words(["a"]))
    backend = loaded(server)
    backend.count_tokens(PROMPT)  # so that it is not counted below
    connect, cancel, left = HTTPConnection.connect, threading.Event(), threading.Event()
    threads: list[threading.Thread] = []

    def slowly(connection: HTTPConnection) -> None:
        threads.append(threading.current_thread())
        cancel.set()
        left.wait(LIMIT)
        connect(connection)

    monkeypatch.setattr(HTTPConnection, "connect", slowly)
    assert list(backend.stream(Request(PROMPT, 50, 0.0, 1), cancel)) == []
    left.set()
    threads[0].join(LIMIT)
    assert "POST /v1/completions" not in [place for place, _, _ in server.asked]


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
