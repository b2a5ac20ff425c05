"""A real model file for the tests here."""

from pathlib import Path

import pytest
from tiny_gguf import write_tiny_gguf


@pytest.fixture(scope="session")
def tiny_gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole GGUF file with random weights, about 0.1 MB."""
    return write_tiny_gguf(tmp_path_factory.mktemp("models") / "tiny.gguf")
