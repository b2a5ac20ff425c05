"""What a model has read of the beginning of all prompts is there after a restart, or read anew."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.generate.backends.backend import Request
from roboinstruct_ros.generate.backends.llama_cpp_backend import LlamaCppBackend
from roboinstruct_ros.generate.backends.llama_opening import LlamaCppSettings
from roboinstruct_ros.generate.prompts.prompt import prompt_format

SHIPPED = Path(__file__).parents[2] / "models" / "roboinstruct-small.gguf"
PROMPTS = prompt_format("completion")
FIRST = PROMPTS.first(Instruction.checked("Go to the kitchen."))


class Robot:
    """A model that is started, told a task, and switched off."""

    def __init__(
        self, folder: Path | None, kv_cache: str = "f16", flash_attn: str = "auto"
    ) -> None:
        self._settings = LlamaCppSettings(
            SHIPPED, n_ctx=2048, kv_cache=kv_cache, prefix_store=folder, flash_attn=flash_attn
        )

    def day(self, warm: bool = True) -> tuple[str, int]:
        """Text for the first task, and how much of its prompt was read before."""
        backend = LlamaCppBackend(self._settings)
        backend.load()
        if warm:
            backend.warm(PROMPTS.beginning)
        stream = backend.stream(Request(FIRST, 30), threading.Event())
        text = "".join(token.text for token in stream)
        kept = backend.cached_tokens
        backend.unload()
        return text, kept


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "prefixes"


def states(folder: Path) -> list[Path]:
    return sorted(folder.glob("*"))


def test_the_first_task_pays_for_its_own_words_only(folder: Path) -> None:
    cold, nothing = Robot(None).day(warm=False)
    read, kept = Robot(folder).day()
    assert nothing == 0 and kept > 800
    assert read == cold


def test_a_restart_takes_the_state_from_disk_and_writes_the_same(folder: Path) -> None:
    first = Robot(folder).day()
    (state,) = states(folder)
    before = state.stat().st_mtime_ns
    os.utime(state, ns=(before - 10**10, before - 10**10))
    assert Robot(folder).day() == first
    assert states(folder) == [state]
    assert state.stat().st_mtime_ns > before - 10**10, "the file was not used"


def test_a_damaged_state_is_told_and_read_anew(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = Robot(folder).day()
    (state,) = states(folder)
    content = bytearray(state.read_bytes())
    content[len(content) // 2] ^= 1
    state.write_bytes(content)
    assert Robot(folder).day() == first
    assert f"{state} is damaged" in caplog.text
    assert Robot(folder).day() == first and caplog.text.count(" is damaged") == 1


def test_another_cache_format_has_a_state_of_its_own(folder: Path) -> None:
    Robot(folder).day()
    Robot(folder, kv_cache="q8_0").day()
    Robot(folder, flash_attn="on").day()
    assert len(states(folder)) == 3


def test_a_folder_that_cannot_be_made_is_told_and_costs_only_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    text, kept = Robot(tmp_path / "file" / "prefixes").day()
    assert text and kept > 800
    assert "cannot be kept" in caplog.text


def test_old_states_give_way(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Robot(folder).day()
    (state,) = states(folder)
    size = state.stat().st_size
    os.utime(state, (1, 1))
    monkeypatch.setattr("roboinstruct_ros.generate.backends.prefix_store.MOST_BYTES", size + 1)
    other = LlamaCppBackend(LlamaCppSettings(SHIPPED, n_ctx=2048, prefix_store=folder))
    other.load()
    other.warm("# another robot\n" * 40)
    other.unload()
    assert state not in states(folder) and len(states(folder)) == 1


def test_a_short_beginning_is_not_worth_a_file(folder: Path) -> None:
    backend = LlamaCppBackend(LlamaCppSettings(SHIPPED, prefix_store=folder))
    backend.load()
    backend.warm("# Instruction: ")
    backend.unload()
    assert not folder.exists()
