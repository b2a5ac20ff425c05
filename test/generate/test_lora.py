"""Adapters beside a base: what they change, and one line for each that does not fit."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tiny_gguf import LAYERS, WIDTH, write_tiny_adapter, write_tiny_gguf

from roboinstruct_ros.generate.backends.backend import BackendError, Draw, Request
from roboinstruct_ros.generate.backends.llama_cpp_backend import LlamaCppBackend
from roboinstruct_ros.generate.backends.llama_opening import LlamaCppSettings
from roboinstruct_ros.generate.models.lora import Adapter, AdapterError, adapters_named
from roboinstruct_ros.generate.models.model_store import sha256_of

PROMPT = "# Instruction: go to the kitchen and look for a red cup there\n" * 2
NEVER = threading.Event()
Loaded = Callable[..., LlamaCppBackend]


@pytest.fixture
def loaded(tiny_gguf: Path) -> Loaded:
    def load(*adapters: Adapter, **settings: Path | int) -> LlamaCppBackend:
        backend = LlamaCppBackend(
            LlamaCppSettings(tiny_gguf, adapters, n_threads=1, **settings)  # type: ignore[arg-type]
        )
        backend.load()
        return backend

    return load


@pytest.fixture(scope="module")
def adapter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_adapter(tmp_path_factory.mktemp("lora") / "a.gguf")


def said(backend: LlamaCppBackend, grammar: str = "") -> str:
    request = Request(PROMPT, 24, grammar=grammar)
    return "".join(token.text for token in backend.stream(request, NEVER))


def fault(loaded: Loaded, *adapters: Adapter) -> str:
    with pytest.raises(BackendError) as error:
        loaded(*adapters)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_an_adapter_changes_what_is_written_as_far_as_its_scale(
    loaded: Loaded, adapter: Path
) -> None:
    plain, whole = said(loaded()), said(loaded(Adapter(adapter)))
    assert whole != plain
    assert said(loaded(Adapter(adapter, 0.0))) == plain
    assert said(loaded(Adapter(adapter, 0.5))) != whole


def test_several_adapters_are_added_together(loaded: Loaded, adapter: Path, tmp_path: Path) -> None:
    other = write_tiny_adapter(tmp_path / "b.gguf", seed=2)
    both = said(loaded(Adapter(adapter), Adapter(other)))
    assert both not in (said(loaded(Adapter(adapter))), said(loaded(Adapter(other))))
    taken_off = write_tiny_adapter(tmp_path / "minus.gguf")
    assert said(loaded(Adapter(adapter), Adapter(taken_off, -1.0))) == said(loaded())


def test_the_adapter_says_how_the_model_is_spoken_to(loaded: Loaded, tmp_path: Path) -> None:
    assert loaded().describe().prompt_format == "instruction_comment"
    named = write_tiny_adapter(tmp_path / "a.gguf", prompt_format="completion")
    silent = write_tiny_adapter(tmp_path / "b.gguf", seed=3)
    assert loaded(Adapter(silent), Adapter(named)).describe().prompt_format == "completion"
    assert loaded(Adapter(silent)).describe().prompt_format == "instruction_comment"
    (tmp_path / "b.gguf.yaml").write_text("prompt_format: robot_task\n")
    assert loaded(Adapter(silent)).describe().prompt_format == "robot_task"
    unknown = write_tiny_adapter(tmp_path / "c.gguf", prompt_format="comletion")
    assert "'comletion', which there is not" in fault(loaded, Adapter(unknown))


def test_a_model_that_names_an_unknown_format_is_not_loaded(tmp_path: Path) -> None:
    model = write_tiny_gguf(tmp_path / "model.gguf", prompt_format="comletion")
    backend = LlamaCppBackend(LlamaCppSettings(model))
    with pytest.raises(BackendError, match=r"'comletion', which there is not: .*model\.gguf\.yaml"):
        backend.load()
    (tmp_path / "model.gguf.yaml").write_text("prompt_format: completion\n")
    backend.load()
    assert backend.describe().prompt_format == "completion"
    backend.unload()


def test_the_prefix_of_one_adapter_is_not_the_one_of_another(
    loaded: Loaded, adapter: Path, tmp_path: Path
) -> None:
    settings = {"prefix_store": tmp_path / "prefixes"}
    for scale in (1.0, 0.5):
        fresh = said(loaded(Adapter(adapter, scale)))
        for _ in range(2):  # the second finds what the first has kept
            backend = loaded(Adapter(adapter, scale), **settings)
            backend.warm(PROMPT)
            assert said(backend) == fresh
            assert backend.cached_tokens > 100
    assert len(list((tmp_path / "prefixes").iterdir())) == 2


def test_candidates_and_the_grammar_work_with_an_adapter(loaded: Loaded, adapter: Path) -> None:
    grammar = 'root ::= "say(" [a-c]+ ")"'
    assert said(loaded(Adapter(adapter)), grammar).startswith("say(")
    draws = [Draw(0.0, 1), Draw(0.9, 2), Draw(0.9, 3)]
    backend = loaded(Adapter(adapter), candidates=3)
    texts = ["", "", ""]
    for piece in backend.draw(Request(PROMPT, 24), draws, set(), NEVER):
        texts[piece.index] += piece.text
    assert texts[0] == said(loaded(Adapter(adapter))) and len(set(texts)) == 3


def test_a_cancel_ends_the_writing_with_an_adapter(loaded: Loaded, adapter: Path) -> None:
    backend, cancel = loaded(Adapter(adapter)), threading.Event()
    stream = backend.stream(Request(PROMPT, 400), cancel)
    next(stream)
    cancel.set()
    assert list(stream) == []
    assert said(backend) == said(loaded(Adapter(adapter)))


def test_an_adapter_of_another_base_is_one_line(
    loaded: Loaded, tiny_gguf: Path, tmp_path: Path
) -> None:
    path = tmp_path / "a.gguf"
    write_tiny_adapter(path, width=2 * WIDTH)
    assert f"{path}: does not fit tiny.gguf: it changes blk.0." in fault(loaded, Adapter(path))
    write_tiny_adapter(path, layers=LAYERS + 1)
    assert "which there is not: the base has other layers" in fault(loaded, Adapter(path))
    write_tiny_adapter(path, architecture="qwen2")
    assert "for the architecture qwen2, this is llama" in fault(loaded, Adapter(path))
    write_tiny_adapter(path, ranks=(4, 8))
    assert "have ranks 4 and 8" in fault(loaded, Adapter(path))
    write_tiny_adapter(path, base_sha256="0" * 64)
    assert "trained for the file with SHA-256 000000000000..." in fault(loaded, Adapter(path))
    loaded(Adapter(write_tiny_adapter(path, base_sha256=sha256_of(tiny_gguf))))


def test_a_file_that_is_no_whole_adapter_is_one_line(
    loaded: Loaded, adapter: Path, tmp_path: Path
) -> None:
    path = tmp_path / "a.gguf"
    assert f"{path}: no such model file" in fault(loaded, Adapter(path))
    path.write_bytes(adapter.read_bytes()[:-1000])
    assert f"{path}: truncated" in fault(loaded, Adapter(path))
    write_tiny_gguf(path)
    assert "holds no LoRA adapter but a model" in fault(loaded, Adapter(path))


def test_adapters_are_named_by_commas_each_with_its_scale() -> None:
    assert adapters_named(" a.gguf, b/c.gguf:0.5 ,d:-1") == (
        Adapter(Path("a.gguf")),
        Adapter(Path("b/c.gguf"), 0.5),
        Adapter(Path("d"), -1.0),
    )
    assert adapters_named("") == adapters_named(" , ") == ()
    for words, told in (
        ("a.gguf:much", "'much' is no scale; give it like a.gguf:0.5"),
        ("a.gguf:nan", "'nan' is no scale"),
        ("a.gguf,a.gguf:2", "names a.gguf twice"),
    ):
        with pytest.raises(AdapterError, match=told):
            adapters_named(words)
