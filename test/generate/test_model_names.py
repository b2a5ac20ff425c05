"""A model by its name, wherever a model is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_gguf import write_tiny_gguf

from roboinstruct_ros.bringup.check_options import ModelFault as OptionFault
from roboinstruct_ros.bringup.check_options import check_options
from roboinstruct_ros.bringup.node_set import Options
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import BackendError
from roboinstruct_ros.generate.backends.open_backend import (
    backend_for,
    check_model,
    chosen_model,
    model_name,
)
from roboinstruct_ros.generate.models.model_names import named_model


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of models with one of its own, and an empty working directory."""
    models = tmp_path / "models"
    models.mkdir()
    write_tiny_gguf(models / "mine.gguf")
    monkeypatch.setenv("ROBOINSTRUCT_MODELS", str(models))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return models


def fault_of(model: str) -> str:
    with pytest.raises(BackendError) as error:
        backend_for(model)
    assert error.value.code is TaskErrorCode.MODEL_NOT_LOADED
    assert "\n" not in str(error.value)
    return str(error.value)


def test_an_imported_model_is_loaded_by_its_name(folder: Path) -> None:
    assert chosen_model("mine").path == folder / "mine.gguf"
    backend = backend_for("mine")
    backend.load()
    assert backend.describe().name == "tiny random"
    backend.unload()
    assert check_model("mine").startswith("mine.gguf, ")


def test_a_shipped_model_has_a_name_too() -> None:
    assert chosen_model("roboinstruct-small").path == shared_file("models/roboinstruct-small.gguf")


def test_an_imported_model_comes_before_the_registry(folder: Path) -> None:
    own = write_tiny_gguf(folder / "codellama-7b-python.gguf")
    known = named_model("codellama-7b-python")
    assert known.path == own and known.entry is not None


def test_a_path_wins_where_it_exists_or_looks_like_one(folder: Path) -> None:
    assert chosen_model("./mine").path == Path("mine")
    assert chosen_model("mine.gguf").path == Path("mine.gguf")
    assert chosen_model("~/x.gguf").path == Path.home() / "x.gguf"
    Path("mine").touch()
    assert chosen_model("mine").path == Path("mine")


def test_an_unknown_name_is_told_with_the_nearest_ones() -> None:
    line = fault_of("codellama-7b")
    assert line.startswith("there is no file and no model 'codellama-7b'; did you mean ")
    assert "'codellama-7b-python'" in line and "'codellama-7b-instruct'" in line
    assert "'mine'" in fault_of("mien")
    assert fault_of("zzzz").endswith("'roboinstruct models list' shows them")
    assert "no model 'nnn" in fault_of("n" * 5000)


def test_a_known_model_that_nobody_fetched_says_where_it_is_published() -> None:
    line = fault_of("qwen2.5-coder-3b")
    assert line.startswith("qwen2.5-coder-3b is not on this machine: ")
    assert "https://huggingface.co/Qwen/Qwen2.5-Coder-3B" in line
    assert "roboinstruct models import FILE --name qwen2.5-coder-3b" in line


def test_bringing_the_stack_up_takes_names_and_refuses_unknown_ones() -> None:
    check_options(Options(model="mine", headless=True))
    with pytest.raises(OptionFault, match="did you mean 'mine'"):
        check_options(Options(model="mien", headless=True))


def test_the_record_names_the_file_and_an_unknown_name_as_it_was_given() -> None:
    assert (model_name("mine"), model_name("no such")) == ("mine.gguf", "no such")
