"""A real model file and a model server for the tests here."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from model_server import ModelServer, model_server
from tiny_gguf import write_tiny_gguf

from roboinstruct_ros.generate.backends.openai_backend import KEY_VARIABLE


@pytest.fixture(scope="session")
def tiny_gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole GGUF file with random weights, about 0.1 MB."""
    return write_tiny_gguf(tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """A server with one model, which wants no key."""
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    with model_server() as server:
        yield server
