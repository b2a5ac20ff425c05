"""Backends for the tests' own server, and what they say."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
from model_server import LIMIT, ModelServer

from roboinstruct_ros.generate.backends.backend import BackendError, Request
from roboinstruct_ros.generate.backends.openai_backend import OpenAIBackend, OpenAISettings

NEVER = threading.Event()
PROMPT = "# Instruction: go\ndef task_program():\n"


def backend_of(server: ModelServer, **choices: object) -> OpenAIBackend:
    # The count of tokens may take long on a busy machine; the test of its limit sets its own.
    settings = OpenAISettings(server.address, count_timeout=LIMIT)
    return OpenAIBackend(replace(settings, **choices))


def loaded(server: ModelServer, **choices: object) -> OpenAIBackend:
    backend = backend_of(server, **choices)
    backend.load()
    return backend


def said(backend: OpenAIBackend, most: int = 50, prompt: str = PROMPT) -> list[str]:
    return [token.text for token in backend.stream(Request(prompt, most, 0.5, 7), NEVER)]


def fault_of(action: Callable[[], object]) -> BackendError:
    with pytest.raises(BackendError) as error:
        action()
    assert "\n" not in str(error.value)
    return error.value
