"""A conversation with a model behind HTTP."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import llama_cpp
import pytest
from chat_templates import CHATML, MARKS
from model_server import ModelServer, Reply
from served_backend import NEVER, fault_of, loaded
from tiny_gguf import write_tiny_gguf

from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import Request, Token
from roboinstruct_ros.generate.backends.completion_stream import without_beginning
from roboinstruct_ros.generate.backends.constrained_decoding import admits
from roboinstruct_ros.generate.backends.conversation import Conversation, Role, Turn
from roboinstruct_ros.generate.backends.grammar import task_program_grammar, whole_function_grammar
from roboinstruct_ros.generate.backends.llama_cpp_backend import LlamaCppBackend
from roboinstruct_ros.generate.backends.llama_loading import plain_kernels
from roboinstruct_ros.generate.backends.llama_opening import LlamaCppSettings


def test_a_conversation_goes_to_the_chat_interface(server: ModelServer) -> None:
    def answer(reply: Reply) -> None:
        reply.begin()
        for delta in (
            {"role": "assistant", "content": None},
            {"content": "de"},
            {"content": "f x"},
        ):
            reply.send(f"data: {json.dumps({'choices': [{'delta': delta}]})}\n\n".encode())
        end = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
        reply.send(f"data: {json.dumps(end)}\n\n".encode())
        reply.done()

    server.answers["POST /v1/chat/completions"] = answer
    backend = loaded(server, prompt_format="chat")
    turns = (Turn(Role.SYSTEM, "rules"), Turn(Role.USER, "go"))
    request = Request(Conversation(turns, "def"), 9, 0.5, 7, 'root ::= block1\nblock1 ::= "x"\n')
    assert [token.text for token in backend.stream(request, NEVER)] == ["", " x"]
    body = server.last("POST /v1/chat/completions")
    assert body["messages"] == [
        {"role": "system", "content": "rules"},
        {"role": "user", "content": "go"},
    ]
    assert (body["max_tokens"], body["seed"], body["stream"]) == (9, 7, True)
    assert body["grammar"].startswith('root ::= "def task_program():\\n" body\nbody ::= block1\n')
    assert "prompt" not in body


@pytest.mark.parametrize(
    ("texts", "left"),
    [
        (["def t():", "\n", "    go"], ["", "", "    go"]),
        (["\n def t():\n    go", "()"], ["    go", "()"]),
        (["Sure:", " def t():\n"], ["Sure:", " def t():\n"]),
        (["def t", "oo(): pass"], ["", "def too(): pass"]),
        (["def t"], ["", "def t"]),
        (["", ""], ["", ""]),
    ],
)
def test_an_answer_that_opens_with_the_beginning_goes_on_after_it(
    texts: list[str], left: list[str]
) -> None:
    tokens = without_beginning((Token(text) for text in texts), "def t():\n")
    assert [token.text for token in tokens] == left
    kept = without_beginning((Token(text) for text in texts), "")
    assert [token.text for token in kept] == texts


def test_a_chat_that_does_not_fit_or_breaks_off(server: ModelServer) -> None:
    backend = loaded(server, prompt_format="chat")  # of 512 tokens
    long = Conversation((Turn(Role.USER, "x" * 1500),))
    fault = fault_of(lambda: list(backend.stream(Request(long, 9), NEVER)))
    assert fault.code is TaskErrorCode.INSTRUCTION_TOO_LONG
    assert "takes about 517 tokens" in str(fault)
    short = Request(Conversation((Turn(Role.USER, "go"),)), 9)
    fault = fault_of(lambda: list(backend.stream(short, NEVER)))  # the server has no such place
    assert fault.code is TaskErrorCode.MODEL_FAILED and "404" in str(fault)
    server.answers["POST /v1/chat/completions"] = Reply.die
    assert fault_of(lambda: list(backend.stream(short, NEVER))).code is TaskErrorCode.MODEL_FAILED
    server.answers["POST /v1/chat/completions"] = lambda reply: (
        reply.begin(),
        reply.wait_until_left(),
        None,
    )[2]
    cancel = threading.Event()
    threading.Timer(0.1, cancel.set).start()
    assert list(backend.stream(short, cancel)) == []


def test_a_server_answers_what_the_same_model_answers_here(
    server: ModelServer, tmp_path: Path
) -> None:
    path = write_tiny_gguf(
        tmp_path / "m.gguf", "", name="Tiny Instruct", chat_template=CHATML, control=MARKS
    )
    here = LlamaCppBackend(LlamaCppSettings(path, n_threads=1))
    here.load()
    with plain_kernels(llama_cpp):
        llama = llama_cpp.Llama(str(path), n_ctx=512, n_threads=1, verbose=False)

    def answer(reply: Reply) -> None:
        asked = {key: reply.asked[key] for key in ("messages", "max_tokens", "seed")}
        reply.begin()
        for event in llama.create_chat_completion(**asked, temperature=0.0, stream=True):
            reply.send(f"data: {json.dumps(event)}\n\n".encode())
        reply.done()

    server.answers["POST /v1/chat/completions"] = answer
    there = loaded(server, prompt_format="chat")
    conversation = Conversation((Turn(Role.SYSTEM, "rules"), Turn(Role.USER, "go there")))
    texts = [
        "".join(token.text for token in backend.stream(Request(conversation, 20), NEVER))
        for backend in (here, there)
    ]
    # noise: llama-cpp-python leaves broken characters out, the backend marks them
    plain = ["".join(filter(str.isascii, text)) for text in texts]
    assert plain[0] == plain[1] != ""
    here.unload()
    llama.close()


def test_the_grammar_of_a_chat_is_that_of_the_function_with_its_head() -> None:
    with plain_kernels(llama_cpp):
        llama = llama_cpp.Llama(
            str(shared_file("models/roboinstruct-small.gguf")), n_ctx=256, verbose=False
        )
    whole = whole_function_grammar(task_program_grammar(load_domain()))
    body = '    go_to("kitchen")\n'
    assert admits(llama, whole, f"def task_program():\n{body}")
    assert not admits(llama, whole, body)
    assert whole_function_grammar("") == ""
    llama.close()
