"""A model server that says what a test tells it to."""

from collections.abc import Iterator

import pytest
from model_server import ModelServer, model_server

from roboinstruct_ros.generate.backends.openai_backend import KEY_VARIABLE


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """One that wants no key."""
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    with model_server() as server:
        yield server
