"""The registry: what ships is true of the files, and a wrong entry is named with its line."""

from __future__ import annotations

import hashlib
from pathlib import Path

import gguf
import pytest
from tiny_gguf import write_tiny_gguf

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.generate.models.gguf_file import GgufError
from roboinstruct_ros.generate.models.memory_fit import ModelShape
from roboinstruct_ros.generate.models.model_file import read_model_file
from roboinstruct_ros.generate.models.model_registry import load_registry
from roboinstruct_ros.generate.models.model_store import (
    ModelFault,
    import_model,
    models_folder,
    stored_models,
)
from roboinstruct_ros.generate.prompts.prompt import FORMATS

ENTRY = """\
models:
  - name: mine
    source: lab/mine
    parameters: 1_000_000
    context: 2048
    prompt_format: completion
    layers: 2
    kv_heads: 4
    head_dim: 16
"""


def fault_of(folder: Path, wrong: str, right: str) -> str:
    path = folder / "registry.yaml"
    path.write_text(ENTRY.replace(right, wrong))
    with pytest.raises(ConfigError) as error:
        load_registry(path)
    text = str(error.value)
    assert text.startswith(f"{path}:") and "\n" not in text
    return text.removeprefix(f"{path}:")


def test_the_shipped_entry_is_true_of_the_shipped_file() -> None:
    entry = load_registry().find("roboinstruct-small")
    assert entry is not None
    path = shared_file(entry.source)
    model = read_model_file(path)
    assert entry.shape == model.shape
    assert entry.prompt_format == model.prompt_format
    assert entry.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_every_shipped_file_has_an_entry() -> None:
    models = load_registry().models
    known = {entry.source for entry in models if entry.shipped}
    known |= {entry.adapter.file for entry in models if entry.adapter and entry.adapter.sha256}
    assert {f"models/{path.name}" for path in shared_file("models").glob("*.gguf")} == known


def test_models_of_a_lab_are_known_and_what_is_not_known_is_not_made_up() -> None:
    registry = load_registry()
    for name in (
        "codellama-7b-python",
        "qwen2.5-coder-7b-instruct",
        "deepseek-coder-6.7b",
    ):
        assert registry.find(name) is not None, name
    robot = registry.find("robo-instruct-codellama-7b")
    assert robot is not None
    assert (robot.licence, robot.sha256) == (None, None)


def test_what_need_not_be_said(tmp_path: Path) -> None:
    path = tmp_path / "registry.yaml"
    path.write_text(ENTRY)
    (entry,) = load_registry(path).models
    assert (entry.licence, entry.sha256, entry.shipped) == (None, None, False)
    assert entry.shape == ModelShape(1_000_000, 2048, 2, 4, 16)


@pytest.mark.parametrize(
    ("wrong", "right", "fault"),
    [
        ("kv_head:", "kv_heads:", "8: models[0].kv_head: unknown field; did you mean 'kv_heads'?"),
        ("    layers: 2\n", "", "2: models[0]: field 'layers' is missing"),
        ("layers: two", "layers: 2", "7: models[0].layers: expected a whole number, got 'two'"),
        ("layers: 0", "layers: 2", "7: models[0].layers: expected a value greater than 0, got 0"),
        (
            "prompt_format: complete", "prompt_format: completion",
            "6: models[0].prompt_format: 'complete' is no prompt format; there are "
            f"{', '.join(FORMATS)}; did you mean 'completion'?",
        ),
        ("name: ../mine", "name: mine", "2: models[0].name: '../mine' is no model name"),
        ("name: mine\n    sha256: abc", "name: mine", "3: models[0].sha256: a SHA-256 has 64"),
        ("modles:", "models:", "1: modles: unknown field; did you mean 'models'?"),
    ],
)  # fmt: skip
def test_a_wrong_entry_is_named_with_its_line(
    tmp_path: Path, wrong: str, right: str, fault: str
) -> None:
    if not right:  # an entry that lacks a line
        wrong, right = "", wrong
    assert fault in fault_of(tmp_path, wrong, right)


def test_two_models_of_one_name(tmp_path: Path) -> None:
    path = tmp_path / "registry.yaml"
    path.write_text(ENTRY + ENTRY.removeprefix("models:\n"))
    with pytest.raises(ConfigError, match=r":10: models\[1\].name: 'mine' is given twice"):
        load_registry(path)


def test_a_base_that_is_no_other_model(tmp_path: Path) -> None:
    path = tmp_path / "registry.yaml"
    for base in ("mine", "elsewhere"):
        path.write_text(f"{ENTRY.rstrip()}\n    base: {base}\n")
        with pytest.raises(ConfigError, match=rf"models\[0\].base: '{base}' is no other model"):
            load_registry(path)


def test_a_file_says_its_own_shape(tiny_gguf: Path) -> None:
    model = read_model_file(tiny_gguf)
    assert (model.architecture, model.prompt_format) == ("llama", "instruction_comment")
    assert model.quantization == "not stated"
    assert (model.shape.layers, model.shape.kv_heads, model.shape.head_dim) == (1, 2, 16)


def test_a_file_without_the_facts_of_its_architecture(tmp_path: Path) -> None:
    path = tmp_path / "odd.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_token_list(["a", "b"])
    write_nothing_else(writer)
    with pytest.raises(GgufError, match=r"holds no llama\.attention\.head_count"):
        read_model_file(path)


def test_one_part_of_a_model_in_several_files(tmp_path: Path) -> None:
    path = tmp_path / "mine-00001-of-00003.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_uint16("split.count", 3)
    write_nothing_else(writer)
    with pytest.raises(GgufError, match="is one part of 3; make one file of them"):
        read_model_file(path)


def write_nothing_else(writer: gguf.GGUFWriter) -> None:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROBOINSTRUCT_MODELS", str(tmp_path / "models"))
    return models_folder()


def bring(source: Path, name: str = "", prompt_format: str | None = None) -> Path:
    return import_model(source, name, prompt_format, load_registry()).path


def test_an_imported_model_is_the_same_file_and_is_found_by_name(
    tiny_gguf: Path, folder: Path
) -> None:
    path = bring(tiny_gguf, "mine")
    assert path.read_bytes() == tiny_gguf.read_bytes()
    assert stored_models() == {"mine": path}
    assert sorted(file.name for file in folder.iterdir()) == ["mine.gguf", "mine.gguf.yaml"]


def test_the_prompt_format_is_noted_and_kept_by_a_second_import(
    tiny_gguf: Path, folder: Path
) -> None:
    path = bring(tiny_gguf, "mine", "completion")
    assert read_model_file(path).prompt_format == "completion"
    bring(tiny_gguf, "mine")
    model = read_model_file(path)
    assert (model.prompt_format, model.format_source) == ("completion", "noted beside the file")
    assert path.read_bytes() == tiny_gguf.read_bytes()


def test_another_file_is_never_overwritten(tiny_gguf: Path, folder: Path, tmp_path: Path) -> None:
    path = bring(tiny_gguf, "mine")
    other = write_tiny_gguf(tmp_path / "other.gguf", layers=2)
    with pytest.raises(ModelFault, match="another file has this name"):
        bring(other, "mine")
    assert path.read_bytes() == tiny_gguf.read_bytes()


def test_a_file_of_the_same_size_is_compared_to_the_last_byte(
    tiny_gguf: Path, folder: Path, tmp_path: Path
) -> None:
    bring(tiny_gguf, "mine")
    other = tmp_path / "other.gguf"
    other.write_bytes(tiny_gguf.read_bytes()[:-1] + b"\x55")
    with pytest.raises(ModelFault, match="another file has this name"):
        bring(other, "mine")


def test_a_name_of_the_registry_is_for_its_file_alone(tiny_gguf: Path, folder: Path) -> None:
    with pytest.raises(ModelFault, match="is not the 'roboinstruct-small' of the registry"):
        bring(tiny_gguf, "roboinstruct-small")
    assert list(folder.iterdir()) == []


def test_a_full_disk_leaves_nothing_behind(
    tiny_gguf: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda path: type("Usage", (), {"free": 1000}))
    with pytest.raises(ModelFault, match=r"no space: .* KB are needed and 1\.0 KB are free"):
        bring(tiny_gguf, "mine")
    assert list(folder.iterdir()) == []


def test_a_copy_that_breaks_off_leaves_nothing_behind(tiny_gguf: Path, folder: Path) -> None:
    def no_space(count: int) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(ModelFault, match=r"cannot be copied to .*: No space left on device"):
        import_model(tiny_gguf, "mine", None, load_registry(), no_space)
    assert list(folder.iterdir()) == []


def test_a_name_that_leaves_the_folder(tiny_gguf: Path, folder: Path) -> None:
    with pytest.raises(ModelFault, match=r"'\.\./x' is no model name"):
        bring(tiny_gguf, "../x")
