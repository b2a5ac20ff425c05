"""The real llama.cpp on files with random weights: streaming, cancel, bad files."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from given_time import GivenTime
from tiny_gguf import write_tiny_gguf

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import BackendError, Request
from roboinstruct_ros.generate.backends.llama_cpp_backend import LlamaCppBackend
from roboinstruct_ros.generate.backends.llama_opening import LlamaCppSettings

PROMPT = "# Instruction: go\ndef task_program():\n"
NEVER = threading.Event()


@pytest.fixture(scope="module")
def backend(tiny_gguf: Path) -> Iterator[LlamaCppBackend]:
    backend = LlamaCppBackend(LlamaCppSettings(tiny_gguf, n_threads=1))
    backend.load()
    yield backend
    backend.unload()


def said(backend: LlamaCppBackend, temperature: float, seed: int, most: int = 30) -> list[str]:
    return [token.text for token in backend.stream(Request(PROMPT, most, temperature, seed), NEVER)]


def test_a_loaded_model_describes_itself(backend: LlamaCppBackend) -> None:
    description = backend.describe()
    assert description.name == "tiny random"
    assert description.prompt_format == "instruction_comment"
    assert description.context == 512 and description.parameters > 0


def test_tokens_come_one_by_one_and_no_more_than_asked(backend: LlamaCppBackend) -> None:
    assert len(said(backend, 0.0, 1, most=12)) == 12


def test_greedy_text_is_always_the_same(backend: LlamaCppBackend) -> None:
    assert said(backend, 0.0, 1) == said(backend, 0.0, 2)


def test_sampled_text_follows_the_seed(backend: LlamaCppBackend) -> None:
    assert said(backend, 0.9, 5) == said(backend, 0.9, 5) != said(backend, 0.9, 6)


def test_every_byte_is_one_token_of_the_count(backend: LlamaCppBackend) -> None:
    assert backend.count_tokens("Zoë") == 4


def test_a_prompt_that_fills_the_context_is_refused_and_the_next_is_served(
    backend: LlamaCppBackend,
) -> None:
    with pytest.raises(BackendError) as error:
        list(backend.stream(Request("go " * 400, 10, 0.0, 1), NEVER))
    assert error.value.code is TaskErrorCode.INSTRUCTION_TOO_LONG
    assert "1200 tokens" in str(error.value) and "512" in str(error.value)
    assert said(backend, 0.0, 1)


def test_cancel_between_two_tokens(backend: LlamaCppBackend) -> None:
    cancel = threading.Event()
    stream = backend.stream(Request(PROMPT, 400, 0.0, 1), cancel)
    next(stream)
    cancel.set()
    assert list(stream) == []


def test_cancel_within_100_ms_while_a_long_prompt_is_read(tmp_path: Path) -> None:
    path = write_tiny_gguf(tmp_path / "wide.gguf", layers=12, width=384, context=4096)
    backend = LlamaCppBackend(LlamaCppSettings(path))
    backend.load()
    cancel, pressed = threading.Event(), list[GivenTime]()

    def press() -> None:
        pressed.append(GivenTime())
        cancel.set()

    threading.Timer(0.1, press).start()
    tokens = list(backend.stream(Request("x" * 4000, 10, 0.0, 1), cancel))
    latency = pressed[0].until(time.time())
    assert tokens == [] and latency < 0.1
    # What was read before the cancel must not disturb the next prompt.
    fresh = LlamaCppBackend(LlamaCppSettings(path))
    fresh.load()
    assert said(backend, 0.0, 1, most=3) == said(fresh, 0.0, 1, most=3)
    backend.unload()
    fresh.unload()


def test_a_model_that_is_not_loaded_says_so(tiny_gguf: Path) -> None:
    backend = LlamaCppBackend(LlamaCppSettings(tiny_gguf))
    for ask in (backend.describe, lambda: backend.count_tokens("x"), lambda: said(backend, 0, 1)):
        with pytest.raises(BackendError) as error:
            ask()
        assert error.value.code is TaskErrorCode.MODEL_NOT_LOADED
    backend.unload()


def test_a_model_is_not_freed_while_a_prompt_is_tokenized(
    tiny_gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = LlamaCppBackend(LlamaCppSettings(tiny_gguf, n_threads=1))
    backend.load()
    unloading, tokenize = threading.Thread(target=backend.unload), backend._tokenize

    def unload_meanwhile(prompt: str) -> list[int]:
        unloading.start()
        unloading.join(0.1)
        assert unloading.is_alive()
        return tokenize(prompt)

    monkeypatch.setattr(backend, "_tokenize", unload_meanwhile)
    assert len(said(backend, 0.0, 1, most=3)) == 3
    unloading.join()


def test_a_model_can_be_unloaded_and_loaded_again(tiny_gguf: Path) -> None:
    backend = LlamaCppBackend(LlamaCppSettings(tiny_gguf, n_ctx=128))
    for _ in range(2):
        backend.load()
        assert 128 <= backend.describe().context <= 256  # llama.cpp rounds up
        backend.unload()


@pytest.mark.parametrize("weights", ["F16", "Q8_0", "Q4_0"])
def test_quantized_models_run_on_this_cpu(tmp_path: Path, weights: str) -> None:
    path = write_tiny_gguf(tmp_path / "q.gguf", width=256, weights=weights)
    backend = LlamaCppBackend(LlamaCppSettings(path))
    backend.load()
    assert len(said(backend, 0.0, 1, most=5)) == 5
    backend.unload()


@pytest.mark.parametrize("damage", ["missing", "foreign", "truncated", "no weights", "no model"])
def test_a_bad_file_is_one_line_and_nothing_on_the_terminal(
    tiny_gguf: Path, tmp_path: Path, damage: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.gguf"
    whole = tiny_gguf.read_bytes()
    if damage == "foreign":
        path.write_bytes(b"#!/bin/sh\necho not a model\n")
    elif damage == "truncated":
        path.write_bytes(whole[:-20_000])
    elif damage == "no weights":
        # The table names a tensor that llama.cpp does not look for, so it misses one.
        path.write_bytes(whole.replace(b"blk.0.attn_q.weight", b"blk.0.attn_x.weight"))
    elif damage == "no model":
        path.write_bytes(whole.replace(b"general.architecture", b"general.architectura"))
    with pytest.raises(BackendError) as error:
        LlamaCppBackend(LlamaCppSettings(path)).load()
    assert error.value.code is TaskErrorCode.MODEL_NOT_LOADED
    assert str(error.value).startswith(f"{path}: ") and "\n" not in str(error.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("given", [None, "active"])
def test_threads_sleep_while_they_wait_unless_the_environment_says_otherwise(
    tiny_gguf: Path, given: str | None
) -> None:
    """On a machine with other work, threads that wait actively write a twentieth as fast."""
    script = (
        "import sys, pathlib\n"
        "from roboinstruct_ros.generate.backends.llama_cpp_backend import *\n"
        "LlamaCppBackend(LlamaCppSettings(pathlib.Path(sys.argv[1]))).load()\n"
    )
    environment = {key: text for key, text in os.environ.items() if not key.startswith("OMP_")}
    environment |= {"OMP_DISPLAY_ENV": "true"} | ({"OMP_WAIT_POLICY": given} if given else {})
    command = [sys.executable, "-c", script, str(tiny_gguf)]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert f"OMP_WAIT_POLICY = '{(given or 'passive').upper()}'" in told.stderr


def test_a_quantized_cache_writes_too() -> None:
    shipped = Path(__file__).parents[2] / "models" / "roboinstruct-small.gguf"
    backend = LlamaCppBackend(LlamaCppSettings(shipped, n_threads=1, kv_cache="q8_0"))
    backend.load()
    prompt = "# Instruction: Go to the kitchen.\ndef task_program():\n"
    text = "".join(token.text for token in backend.stream(Request(prompt, 40, 0.0, 1), NEVER))
    backend.unload()
    assert 'go_to("kitchen")' in text


def test_a_cache_of_an_unknown_format(tiny_gguf: Path) -> None:
    with pytest.raises(BackendError, match="'q9' is not one of f16, q8_0, q4_0"):
        LlamaCppBackend(LlamaCppSettings(tiny_gguf, kv_cache="q9")).load()


def test_the_prompt_format_that_is_noted_beside_the_file_comes_first(tmp_path: Path) -> None:
    path = write_tiny_gguf(tmp_path / "tiny.gguf")
    notes = tmp_path / "tiny.gguf.yaml"
    notes.write_text("prompt_format: completion\n")
    backend = LlamaCppBackend(LlamaCppSettings(path, n_threads=1))
    backend.load()
    assert backend.describe().prompt_format == "completion"
    backend.unload()
    notes.write_text("prompt_formt: completion\n")
    with pytest.raises(BackendError, match=r"yaml:1: prompt_formt: .* 'prompt_format'"):
        backend.load()


def test_a_prompt_that_begins_like_the_last_one_is_partly_kept(backend: LlamaCppBackend) -> None:
    long = "go to the kitchen and then " * 8
    list(backend.stream(Request(long + "stop", 1), NEVER))
    list(backend.stream(Request(long + "turn", 1), NEVER))
    assert 0 < backend.cached_tokens < backend.count_tokens(long + "turn")
    list(backend.stream(Request("something else", 1), NEVER))
    assert backend.cached_tokens <= 1  # the token that begins every text
    backend.forget()
    list(backend.stream(Request("something else", 1), NEVER))
    assert backend.cached_tokens == 0


def test_what_was_read_ahead_is_not_forgotten(backend: LlamaCppBackend) -> None:
    beginning = "go to the kitchen and then " * 16
    backend.warm(beginning)
    list(backend.stream(Request(beginning + "stop and turn", 1), NEVER))
    backend.forget()
    list(backend.stream(Request(beginning + "stop and turn", 1), NEVER))
    # its last blank may be a token with what follows
    assert backend.cached_tokens >= backend.count_tokens(beginning) - 1 > 0
    list(backend.stream(Request("something else", 1), NEVER))
    backend.forget()
    list(backend.stream(Request(beginning + "stop", 1), NEVER))
    assert backend.cached_tokens == 0
