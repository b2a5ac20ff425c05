"""Folders of Hugging Face, as far as they are looked at before PyTorch is."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from roboinstruct_ros.bringup.check_options import ModelFault, check_options
from roboinstruct_ros.bringup.node_set import Options
from roboinstruct_ros.commands.doctor.doctor import _model
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import BackendError
from roboinstruct_ros.generate.backends.open_backend import backend_for, check_model, model_name
from roboinstruct_ros.generate.models.model_folder import ModelFolderError, read_model_folder

SHARDS = ("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors")


def weights(count: int) -> bytes:
    """A safetensors file with one tensor of `count` 32-bit weights."""
    tensor = {"dtype": "F32", "shape": [2, count // 2], "data_offsets": [0, 4 * count]}
    header = json.dumps({"__metadata__": {"format": "pt"}, "w": tensor}).encode()
    return len(header).to_bytes(8, "little") + header + bytes(4 * count)


SIZE = len(weights(20))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A whole folder with two files of weights."""
    path = tmp_path / "model"
    path.mkdir()
    config = {"model_type": "llama", "text_config": {"max_position_embeddings": 2048}}
    (path / "config.json").write_text(json.dumps(config))
    (path / "tokenizer.json").write_text("{}")
    for name, count in zip(SHARDS, (10, 20), strict=True):
        (path / name).write_bytes(weights(count))
    index = {"weight_map": {"a": SHARDS[0], "b": SHARDS[1]}}
    (path / "model.safetensors.index.json").write_text(json.dumps(index))
    return path


def fault_of(folder: Path) -> str:
    with pytest.raises(ModelFolderError) as error:
        read_model_folder(folder)
    text = str(error.value)
    assert text.startswith(str(folder)) and "\n" not in text
    return text.removeprefix(str(folder)).lstrip("/")


def test_a_whole_folder(folder: Path) -> None:
    model = read_model_folder(folder)
    assert (model.name, model.parameters, model.is_quantized) == ("model", 30, False)
    assert model.weight_bytes == sum((folder / name).stat().st_size for name in SHARDS)
    assert model.number("n_positions", "max_position_embeddings") == 2048
    assert model.number("nothing") == 0


def test_weights_in_one_file(folder: Path) -> None:
    (folder / "model.safetensors.index.json").unlink()
    (folder / SHARDS[0]).rename(folder / "model.safetensors")
    assert read_model_folder(folder).parameters == 10


def test_a_missing_file_of_weights(folder: Path) -> None:
    (folder / SHARDS[1]).unlink()
    assert fault_of(folder) == f": 1 of 2 weight files missing: {SHARDS[1]}"


def test_a_file_of_weights_outside_of_the_folder_is_not_read(folder: Path) -> None:
    index = {"weight_map": {"a": "../elsewhere.safetensors"}}
    (folder.parent / "elsewhere.safetensors").write_bytes(weights(4))
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    assert "1 of 1 weight files missing: ../elsewhere.safetensors" in fault_of(folder)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (weights(20)[:-30], f"truncated: {SIZE - 30} bytes of {SIZE} bytes; copy it again"),
        (weights(20)[:40], "truncated or no safetensors: 40 bytes, the header is cut off"),
        (b"", "truncated or no safetensors: 0 bytes, the header is cut off"),
        (b"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer, run 'git lfs pull'"),
        (
            b"PK\x03\x04" + bytes(500),
            "truncated or no safetensors: 504 bytes, the header is cut off",
        ),
        ((2).to_bytes(8, "little") + b"[]", "damaged: its header is none of safetensors"),
        ((8).to_bytes(8, "little") + b'{"w": 1}', "damaged: its header is none of safetensors"),
        (
            (46).to_bytes(8, "little") + b'{"w": {"shape": [1], "data_offsets": [0, ""]}}',
            "damaged: its header is none of safetensors",
        ),
    ],
)
def test_damaged_weights(folder: Path, content: bytes, fault: str) -> None:
    (folder / SHARDS[1]).write_bytes(content)
    assert fault_of(folder) == f"{SHARDS[1]}: {fault}"


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("config.json", None, ": config.json is missing; give the folder of a model"),
        ("config.json", "{", "config.json: damaged: it is no JSON"),
        ("config.json", "[" * 100_000, "config.json: damaged: it is no JSON"),
        ("config.json", "[]", "config.json: damaged: a JSON object was expected"),
        ("config.json", "{}", ": config.json names no model_type"),
        ("config.json", '{"model_type": "x", "auto_map": {"A": "code.py"}}',
         ": a 'x' wants to run code of its own (auto_map in config.json); none is run"),
        ("tokenizer.json", None, ": holds no tokenizer; tokenizer.json was expected"),
        ("model.safetensors.index.json", "{}",
         "model.safetensors.index.json: damaged: it has no weight_map"),
        ("model.safetensors.index.json", "\udcff",
         "model.safetensors.index.json: damaged: it is no JSON"),
    ],
)  # fmt: skip
def test_other_files(folder: Path, name: str, content: str | None, fault: str) -> None:
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content.encode(errors="surrogateescape"))
    assert fault_of(folder) == fault


@pytest.mark.parametrize(
    ("other", "hint"),
    [
        ("pytorch_model.bin", "; pytorch_model.bin may run code when it is read and is never"),
        ("m.gguf", "; for a GGUF give the file, "),
        ("readme.md", ""),
    ],
)
def test_a_folder_without_weights_that_can_be_used(folder: Path, other: str, hint: str) -> None:
    for path in folder.glob("*.safetensors*"):
        path.unlink()
    (folder / other).touch()
    wanted = ": holds no weights: model.safetensors or model.safetensors.index.json was expected"
    assert fault_of(folder).startswith(wanted + hint)


def test_without_pytorch_every_way_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    line = (
        f"{folder}: a folder needs torch{'' if has_transformers() else ' and transformers'}, "
        "not installed here: pip install -r requirements/transformers.txt"
    )
    with pytest.raises(BackendError) as error:
        backend_for(str(folder)).load()
    assert (str(error.value), error.value.code) == (line, TaskErrorCode.MODEL_NOT_LOADED)
    with pytest.raises(BackendError, match=r"pip install -r requirements/transformers\.txt"):
        check_model(str(folder))
    with pytest.raises(ModelFault, match=r"pip install -r requirements/transformers\.txt"):
        check_options(Options(model=str(folder), headless=True))
    finding = _model(str(folder))
    assert not finding.good and finding.mend == "pip install -r requirements/transformers.txt"


def has_transformers() -> bool:
    import importlib.util

    return importlib.util.find_spec("transformers") is not None


def test_the_folder_one_stands_in_has_a_name_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert model_name(".") == "model"
    os.remove("config.json")
    with pytest.raises(BackendError, match=r"model: config.json is missing"):
        check_model(".")
