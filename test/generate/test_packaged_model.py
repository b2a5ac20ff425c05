"""A model whose weights come in a Python package: it is the default where it is here and whole."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from tiny_gguf import write_tiny_adapter, write_tiny_gguf

from roboinstruct_ros.bringup.check_options import ModelFault as OptionFault
from roboinstruct_ros.bringup.check_options import check_options
from roboinstruct_ros.bringup.node_set import Options
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.generate.backends import open_backend
from roboinstruct_ros.generate.backends.backend import BackendError
from roboinstruct_ros.generate.backends.open_backend import (
    BEST_MODEL,
    MODEL_VARIABLE,
    backend_for,
    check_model,
    chosen_model,
    missing_best,
    model_name,
)
from roboinstruct_ros.generate.backends.openai_backend import OpenAIBackend
from roboinstruct_ros.generate.models import model_names
from roboinstruct_ros.generate.models.lora import Adapter
from roboinstruct_ros.generate.models.model_options import ModelOptions
from roboinstruct_ros.generate.models.model_registry import load_registry
from roboinstruct_ros.generate.models.model_store import sha256_of

SMALL = shared_file("models/roboinstruct-small.gguf")


@dataclass
class Box:
    """An installed package with a tiny base in it, and a registry that knows base and adapter."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch
    adapter_sha256: str = ""

    @property
    def base(self) -> Path:
        return self.folder / "tiny_base" / "tiny.gguf"

    @property
    def adapter(self) -> Path:
        return self.folder / "adapter.gguf"

    def install(self, version: str = "1.2") -> None:
        self.base.parent.mkdir(exist_ok=True)
        write_tiny_gguf(self.base)
        (self.base.parent / "__init__.py").write_text("raise SystemExit('nobody imports this')\n")
        facts = self.folder / f"tiny_base-{version}.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text(f"Name: tiny-base\nVersion: {version}\n")

    def know(self) -> None:
        """Enter both into the registry with their checksums, or with none for no adapter."""
        made = sha256_of(self.adapter) if self.adapter.exists() else "null"
        path = self.folder / "registry.yaml"
        path.write_text(
            f"models:\n  - name: {BEST_MODEL}\n    source: lab/tiny\n    parameters: 100\n"
            "    context: 512\n    prompt_format: robot_task\n    layers: 1\n    kv_heads: 2\n"
            "    head_dim: 16\n    package: {name: tiny-base, version: '1.2', "
            f"file: tiny_base/tiny.gguf}}\n    adapter: {{file: {self.adapter}, sha256: {made}}}\n"
            f"    sha256: {sha256_of(self.base)}\n"
        )
        for module in (model_names, open_backend):
            self.monkeypatch.setattr(module, "load_registry", lambda: load_registry(path))


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("ROBOINSTRUCT_MODELS", str(tmp_path / "none"))
    monkeypatch.delenv(MODEL_VARIABLE, raising=False)
    made = Box(tmp_path, monkeypatch)
    made.install()
    write_tiny_adapter(made.adapter, prompt_format="robot_task")
    made.know()
    return made


def fault_of(model: str, lora: str = "") -> str:
    with pytest.raises(BackendError) as error:
        chosen_model(model, lora)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_base_and_adapter_are_what_no_name_means(box: Box) -> None:
    for model in ("", BEST_MODEL):
        chosen = chosen_model(model)
        assert (chosen.path, chosen.adapters) == (box.base, (Adapter(box.adapter),))
        assert chosen.notice == missing_best(model) == ""
    backend = backend_for("")
    backend.load()
    assert backend.describe().prompt_format == "robot_task"
    backend.unload()
    assert model_name("") == "tiny.gguf + adapter.gguf"
    assert check_model("").startswith("tiny.gguf + adapter.gguf, 0.")
    assert "tiny_base" not in sys.modules


def test_another_default_can_be_set(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MODEL_VARIABLE, "http://localhost:1/v1")
    assert isinstance(backend_for(""), OpenAIBackend)
    assert model_name("") == "http://localhost:1/v1"
    monkeypatch.setenv(MODEL_VARIABLE, str(SMALL))
    assert chosen_model("").path == SMALL
    assert missing_best("") == ""
    assert chosen_model(BEST_MODEL).path == box.base


def test_until_the_adapter_is_made_the_small_model_is_the_default_without_a_word(box: Box) -> None:
    box.adapter.unlink()
    box.know()
    assert chosen_model("") == open_backend.ChosenModel(SMALL)
    assert missing_best("") == ""


@pytest.mark.parametrize("damage", ["not installed", "another version", "another base", "no base",
                                    "another adapter", "no adapter"])  # fmt: skip
def test_without_a_part_the_small_model_serves_and_one_line_says_why(box: Box, damage: str) -> None:
    facts = box.folder / "tiny_base-1.2.dist-info"
    if damage == "not installed":
        (facts / "METADATA").unlink()
        facts.rmdir()
        why = "the package tiny-base==1.2 is not installed; 'make setup' installs it"
    elif damage == "another version":
        (facts / "METADATA").write_text("Name: tiny-base\nVersion: 1.3\n")
        why = "tiny-base is installed as 1.3; 'make setup'"
    elif damage == "another base":
        write_tiny_gguf(box.base, layers=2)
        why = f"{box.base}: is another file, SHA-256 "
    elif damage == "no base":
        box.base.unlink()
        why = f"{box.base}: cannot be read: No such file or directory; 'make setup'"
    elif damage == "another adapter":
        write_tiny_adapter(box.adapter, seed=9)
        why = f"{box.adapter}: is another file, SHA-256 "
    else:
        box.adapter.unlink()
        why = f"the adapter {box.adapter} is not here; fetch the repository anew"
    chosen = chosen_model("")
    assert (chosen.path, chosen.adapters) == (SMALL, ())
    assert chosen.notice.startswith(f"roboinstruct-small writes instead of {BEST_MODEL}: {why}")
    assert missing_best("") == chosen.notice and "\n" not in chosen.notice
    told: list[str] = []
    backend_for("", warn=told.append)
    assert told == [chosen.notice]
    assert fault_of(BEST_MODEL).startswith(why)  # asked for by name, nothing takes its place
    assert missing_best(BEST_MODEL) == ""


def test_adapters_of_ones_own_take_the_place_of_the_shipped_one(box: Box) -> None:
    own = write_tiny_adapter(box.folder / "own.gguf", seed=4)
    box.adapter.unlink()
    chosen = chosen_model(BEST_MODEL, f"{own}:0.5")
    assert chosen.adapters == (Adapter(own, 0.5),)
    backend = backend_for(BEST_MODEL, ModelOptions(lora=str(own)))
    backend.load()
    assert backend.describe().prompt_format == "instruction_comment"
    backend.unload()


def test_bringing_the_stack_up_looks_at_adapters_too(box: Box) -> None:
    check_options(Options(model=BEST_MODEL, lora=str(box.adapter), headless=True))
    with pytest.raises(OptionFault, match="does not fit roboinstruct-small"):
        check_options(Options(model=str(SMALL), lora=str(box.adapter), headless=True))
    with pytest.raises(OptionFault, match="'lots' is no scale"):
        check_options(Options(lora=f"{box.adapter}:lots", headless=True))


def test_a_server_and_a_folder_take_no_adapters(box: Box) -> None:
    with pytest.raises(BackendError, match="the server http://localhost/v1 takes no adapters"):
        backend_for("http://localhost/v1", ModelOptions(lora="a.gguf"))
    assert "takes no adapters from here" in fault_of(str(box.folder), "a.gguf")


def test_the_shipped_entry_names_what_setup_installs() -> None:
    entry = load_registry().find(BEST_MODEL)
    assert entry is not None and entry.package is not None and entry.adapter is not None
    wanted = Path(__file__).parents[2] / "requirements" / "base.txt"
    assert f"\n{entry.package.name}=={entry.package.version} \\\n" in wanted.read_text()
    if entry.adapter.sha256:
        assert sha256_of(shared_file(entry.adapter.file)) == entry.adapter.sha256
