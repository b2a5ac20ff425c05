"""A file or a server, by what a person gives; and the real llama.cpp behind a real server."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, Reply, fixed, model_server, models

from roboinstruct_ros.bringup.check_options import ModelFault, check_options
from roboinstruct_ros.bringup.node_set import Options
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import BackendError, Request
from roboinstruct_ros.generate.backends.llama_cpp_backend import LlamaCppBackend
from roboinstruct_ros.generate.backends.llama_loading import plain_kernels
from roboinstruct_ros.generate.backends.open_backend import (
    SHIPPED_MODEL,
    backend_for,
    check_model,
    model_name,
)
from roboinstruct_ros.generate.backends.openai_backend import OpenAIBackend
from roboinstruct_ros.generate.backends.server_address import ServerAddress
from roboinstruct_ros.generate.generator import Generator
from roboinstruct_ros.generate.models.model_options import ModelOptions
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.verify.service.worker import VerifierWorker

CHOICES = "?model=roboinstruct-small.gguf&prompt_format=instruction_comment"
TASK = "Could you drive to the kitchen, please?"
COMMAND = [sys.executable, "-m", "roboinstruct_ros.cli", "generate", TASK]


def test_an_address_is_a_server_and_everything_else_a_file() -> None:
    assert isinstance(backend_for("http://127.0.0.1:8000/v1"), OpenAIBackend)
    assert isinstance(backend_for("HTTPS://localhost"), OpenAIBackend)
    for path in ("", "models/x.gguf", "~/http/x.gguf", "/http://x"):
        assert isinstance(backend_for(path), LlamaCppBackend)


@pytest.mark.parametrize(
    ("text", "address", "root"),
    [
        ("http://10.0.0.5:8000/v1", "http://10.0.0.5:8000/v1", ""),
        ("http://10.0.0.5:8000/", "http://10.0.0.5:8000/v1", ""),
        ("https://models.example/llm/v1/", "https://models.example:443/llm/v1", "/llm"),
        ("http://[::1]:80/v1", "http://[::1]:80/v1", ""),
        (" http://Host:1/openai ", "http://host:1/openai", "/openai"),
    ],
)
def test_addresses(text: str, address: str, root: str) -> None:
    parsed = ServerAddress.parse(text)
    assert str(parsed) == address and parsed.root == root


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("http://", "http://: names no server; give it like http://127.0.0.1:8000/v1"),
        ("http://host:99999/v1", "http://host:99999/v1: Port out of range"),
        ("http://[::1/v1", "http://[::1/v1: Invalid IPv6 URL"),
        ("http://me:secret@host/v1", "http://host/v1: a key in an address ends up in logs"),
        ("http://h/v1?modle=x", "http://h/v1: unknown choice 'modle'; did you mean 'model'"),
        ("http://h/v1?key=x", "http://h/v1: unknown choice 'key'; known are model and"),
    ],
)
def test_addresses_that_are_none(text: str, fault: str) -> None:
    with pytest.raises(BackendError) as error:
        backend_for(text)
    assert error.value.code is TaskErrorCode.MODEL_NOT_LOADED
    assert str(error.value).startswith(fault) and "secret" not in str(error.value)


def test_a_server_on_another_machine_is_told_of() -> None:
    told: list[str] = []
    for near in ("http://127.0.0.1/v1", "http://localhost/v1", "http://[::1]/v1", ""):
        backend_for(near, warn=told.append)
    assert told == []
    backend_for("http://192.0.2.7:8000/v1", warn=told.append)
    backend_for("https://models.example/v1", warn=told.append)
    assert len(told) == 2 and "http://192.0.2.7:8000/v1 is another machine" in told[0]


def test_the_record_names_the_model() -> None:
    assert model_name("") == Path(SHIPPED_MODEL).name
    assert model_name("/a/b.gguf") == "b.gguf"
    assert model_name("http://127.0.0.1:1?model=x") == "x at http://127.0.0.1:1/v1"
    assert model_name("http://127.0.0.1:1/v1") == "http://127.0.0.1:1/v1"
    assert "secret" not in model_name("http://me:secret@host/v1")


def test_a_server_is_looked_at_before_anything_starts() -> None:
    with model_server() as server:
        assert check_model(server.address) == f"tiny at {server.address}, 512 tokens of context"
        check_options(Options(model=server.address, headless=True))
        with pytest.raises(ModelFault) as error:
            check_options(Options(model=server.address + "?model=tinny", headless=True))
        assert "did you mean 'tiny'" in str(error.value)
    with pytest.raises(BackendError):
        check_model(server.address)


@pytest.fixture(scope="module")
def shipped() -> Iterator[ModelServer]:
    """llama.cpp with the shipped model behind HTTP, as its own server has it."""
    import llama_cpp

    with plain_kernels(llama_cpp):
        llama = llama_cpp.Llama(
            str(shared_file(SHIPPED_MODEL)), n_ctx=512, n_threads=1, verbose=False
        )
    one_at_a_time = threading.Lock()

    def complete(reply: Reply) -> None:
        asked: dict[str, Any] = reply.asked
        keys = ("prompt", "max_tokens", "temperature", "seed", "stream")
        with one_at_a_time:
            reply.begin()
            for event in llama.create_completion(**{key: asked[key] for key in keys}):
                reply.send(f"data: {json.dumps(event)}\n\n".encode())
            reply.done()

    def tokenize(reply: Reply) -> None:
        text = reply.asked["content"].encode()
        reply.whole({"tokens": llama.tokenize(text, reply.asked["add_special"])})

    def props(reply: Reply) -> None:
        reply.whole({"default_generation_settings": {"n_ctx": llama.n_ctx()}})

    with model_server() as server:
        server.answers["GET /v1/models"] = models({"id": "roboinstruct-small.gguf", "meta": {}})
        server.answers["GET /props"] = props
        server.answers["POST /tokenize"] = tokenize
        server.completes(complete)
        yield server
    llama.close()


def test_an_instruction_becomes_a_verified_program_through_a_server(shipped: ModelServer) -> None:
    generator = Generator(
        lambda: backend_for(shipped.address + CHOICES), lambda: VerifierWorker(load_domain(), None)
    )
    generator.load()
    events: list[object] = []
    generation = generator.write(TASK, WritingOptions(), events.append, threading.Event())
    generator.unload()
    assert generation.accepted, generation.error_msg
    assert 'go_to("kitchen")' in generation.source
    assert generation.generated_tokens > 5 and generation.verdict is not None


def test_a_server_writes_what_the_same_model_writes_here(shipped: ModelServer) -> None:
    prompt, never = f"# Instruction: {TASK}\ndef task_program():\n", threading.Event()
    texts, counts = [], []
    for model in (shipped.address + CHOICES, ""):
        backend = backend_for(model, ModelOptions(n_ctx=512))
        backend.load()
        texts.append(
            "".join(token.text for token in backend.stream(Request(prompt, 60, 0.0, 1), never))
        )
        counts.append(backend.count_tokens(prompt))
        backend.unload()
    assert texts[0] == texts[1] and counts[0] == counts[1]


def test_the_command_takes_an_address(shipped: ModelServer) -> None:
    command = [*COMMAND, "--json", "--model", shipped.address + CHOICES]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["accepted"] and done.stderr == ""


def test_the_command_tells_a_fault_in_one_line() -> None:
    with model_server() as server:
        server.answers["GET /v1/models"] = fixed("[red]no[/red] " + "luck " * 25, 500)
        done = subprocess.run(
            [*COMMAND, "--model", server.address], capture_output=True, text=True, timeout=60
        )
    assert done.returncode == 2
    (line,) = (done.stdout + done.stderr).splitlines()
    assert line.startswith(f"model_not_loaded: {server.address}: ") and "[red]no[/red] luck" in line
