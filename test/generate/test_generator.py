"""The generator always answers: while loading, without a model, while busy, while verifying."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from builders import GOOD, LIMIT, OnlyGood
from given_time import GivenTime
from scripted_backend import ScriptedBackend
from versions import THREE

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.files.rule_files import RuleFiles
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import Backend, Request, StopSignal, Token
from roboinstruct_ros.generate.backends.llama_cpp_backend import LlamaCppBackend
from roboinstruct_ros.generate.backends.llama_opening import LlamaCppSettings
from roboinstruct_ros.generate.generation import DraftStarted, Generation, GenerationEvent
from roboinstruct_ros.generate.generator import Generator, LoadError
from roboinstruct_ros.generate.generator_diagnosis import ModelState, model_state
from roboinstruct_ros.generate.rounds.steering import read_follow_up
from roboinstruct_ros.generate.site import Site
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.sandbox.wire import WireTimeout
from roboinstruct_ros.verify.service.current_rules import CurrentRules
from roboinstruct_ros.verify.service.from_here import FromHere
from roboinstruct_ros.verify.world.remains import RobotPast


class House:
    """A generator over a scripted model, with a thread to ask it from."""

    def __init__(self, backend: Backend | None = None) -> None:
        self.verifiers: list[OnlyGood] = []
        self.cancel = threading.Event()
        self.events: list[GenerationEvent] = []
        self.generator = Generator(lambda: backend or ScriptedBackend([GOOD]), self._open_verifier)
        self.pool = ThreadPoolExecutor()

    def _open_verifier(self) -> OnlyGood:
        self.verifiers.append(OnlyGood())
        return self.verifiers[-1]

    def write(
        self, text: str = "Go to the kitchen", limit: float = LIMIT, background: bool = False
    ) -> Generation:
        options = WritingOptions(time_limit=limit)
        return self.generator.write(
            text, options, self.events.append, self.cancel, background=background
        )

    def write_later(self, background: bool = False) -> Future[Generation]:
        return self.pool.submit(self.write, background=background)


@pytest.fixture
def house() -> Iterator[House]:
    house = House()
    yield house
    house.cancel.set()
    house.generator.unload()
    house.pool.shutdown()


def test_a_loaded_generator_writes(house: House) -> None:
    house.generator.load()
    generation = house.write()
    assert generation.accepted and house.events[-1] is generation


def test_bad_words_are_refused_and_the_next_ones_served(house: House) -> None:
    house.generator.load()
    codes = [house.write(text).error_code for text in ("", "go " * 5000, "Иди на кухню", "Go on")]
    assert codes == [
        TaskErrorCode.INSTRUCTION_EMPTY,
        TaskErrorCode.INSTRUCTION_TOO_LONG,
        TaskErrorCode.INSTRUCTION_SCRIPT,
        TaskErrorCode.NONE,
    ]


def test_without_a_load_there_is_no_model(house: House) -> None:
    assert house.write().error_code is TaskErrorCode.MODEL_NOT_LOADED


def test_a_request_waits_for_a_load_that_is_coming(house: House) -> None:
    house.generator.expect_load()
    asked = house.write_later()
    house.generator.load()
    assert asked.result(LIMIT).accepted


def test_waiting_for_the_model_can_be_cancelled_and_ends(house: House) -> None:
    house.generator.expect_load()
    assert house.write(limit=0.05).error_code is TaskErrorCode.MODEL_NOT_LOADED
    house.cancel.set()
    assert house.write().error_code is TaskErrorCode.CANCELED


def test_all_that_comes_before_the_writing_counts_against_its_time() -> None:
    class Silent(ScriptedBackend):
        def stream(self, request: Request, cancel: StopSignal) -> Iterator[Token]:
            while not cancel.is_set():
                time.sleep(0.001)
            return iter(())

    house = House(Silent([GOOD], "completion"))
    house.generator.load()
    unsure = read_follow_up("a pear would be better", (THREE,), THREE)
    options = WritingOptions(time_limit=0.05)
    late = house.pool.submit(
        house.generator.write, "A pear", options, house.events.append, house.cancel,
        follow_up=unsure,
    )  # fmt: skip
    try:
        assert late.result(LIMIT).error_code is TaskErrorCode.TIMEOUT
    finally:
        house.cancel.set()
    assert not any(isinstance(event, DraftStarted) for event in house.events)


def test_a_missing_model_is_the_answer_to_every_request() -> None:
    house = House(LlamaCppBackend(LlamaCppSettings(Path("models/none.gguf"))))
    with pytest.raises(LoadError):
        house.generator.load()
    for _ in range(2):
        generation = house.write()
        assert generation.error_code is TaskErrorCode.MODEL_NOT_LOADED
        assert generation.error_msg.startswith("models/none.gguf: no such model file")
    assert [verifier.closed for verifier in house.verifiers] == [True]


def test_a_bad_map_is_the_answer_too() -> None:
    def no_verifier() -> OnlyGood:
        raise ConfigError("moon", 0, "", "no world of that name", None)

    generator = Generator(lambda: ScriptedBackend([GOOD]), no_verifier)
    with pytest.raises(LoadError, match="no world of that name"):
        generator.load()
    answer = generator.write("Go", WritingOptions(), lambda _: None, threading.Event())
    assert "moon" in answer.error_msg and not answer.accepted


def test_the_place_is_looked_at_again_when_the_rules_have_changed() -> None:
    verifier, opened = OnlyGood(), []

    def site() -> Site:
        opened.append(verifier.rules_sha256)
        return Site()

    generator = Generator(lambda: ScriptedBackend([GOOD] * 3), lambda: verifier, site)
    generator.load()
    for rules in ("", "a", "a"):
        verifier.rules_sha256 = rules
        answer = generator.write("Go", WritingOptions(), lambda _: None, threading.Event())
        assert answer.accepted
    assert opened == ["", "a"]


def test_a_map_that_cannot_be_read_any_more_is_the_answer(tmp_path: Path) -> None:
    rules = tmp_path / "policies.yaml"
    rules.write_text("policies: []\n")
    current = CurrentRules(RuleFiles(load_domain(), "home", str(rules)))
    backend = ScriptedBackend([GOOD] * 2)
    generator = Generator(lambda: backend, lambda: FromHere(current, RobotPast(load_domain())))
    generator.load()
    events: list[GenerationEvent] = []

    def ask() -> Generation:
        return generator.write(
            "Go to the kitchen", WritingOptions(), events.append, threading.Event()
        )

    rules.write_text("policies:\n  - nam")
    refused = ask()
    assert refused.error_code is TaskErrorCode.UNKNOWN and events[-1] is refused
    assert refused.error_msg.startswith(f"{rules}:2") and "\n" not in refused.error_msg
    rules.write_text("policies: []\n")
    assert ask().accepted
    generator.unload()


def test_whatever_keeps_it_from_loading_is_the_answer() -> None:
    def out_of_time() -> OnlyGood:
        raise WireTimeout

    generator = Generator(lambda: ScriptedBackend([GOOD]), out_of_time)
    with pytest.raises(LoadError, match="cannot load: WireTimeout"):
        generator.load()
    answer = generator.write("Go", WritingOptions(), lambda event: None, threading.Event())
    assert answer.error_msg == "cannot load: WireTimeout()"


def test_a_second_request_at_the_same_time_is_busy(house: House) -> None:
    house.generator.load()
    house.verifiers[0].released.clear()
    first = house.write_later()
    assert house.verifiers[0].entered.wait(LIMIT)
    assert house.write().error_code is TaskErrorCode.BUSY
    house.verifiers[0].released.set()
    assert first.result(LIMIT).accepted


def test_a_request_in_the_background_ends_for_any_other(house: House) -> None:
    house.generator.load()
    house.verifiers[0].released.clear()
    background = house.write_later(background=True)
    assert house.verifiers[0].entered.wait(LIMIT)
    assert house.write(background=True).error_code is TaskErrorCode.BUSY
    assert house.write().accepted  # which did not wait for the verdict of the other
    assert background.result(LIMIT).error_code is TaskErrorCode.CANCELED
    assert house.write(background=True).accepted


def test_a_request_in_the_background_ends_for_no_other_of_its_kind(house: House) -> None:
    house.generator.load()
    house.verifiers[0].released.clear()
    first = house.write_later()
    assert house.verifiers[0].entered.wait(LIMIT)
    assert house.write(background=True).error_code is TaskErrorCode.BUSY
    house.verifiers[0].released.set()
    assert first.result(LIMIT).accepted


def test_cancel_does_not_wait_for_the_verdict(house: House) -> None:
    house.generator.load()
    house.verifiers[0].released.clear()
    asked = house.write_later()
    assert house.verifiers[0].entered.wait(LIMIT)
    given = GivenTime()
    house.cancel.set()
    assert asked.result(LIMIT).error_code is TaskErrorCode.CANCELED
    assert given.until(time.time()) < 0.1 and house.verifiers[0].closed
    house.cancel.clear()
    assert house.write().accepted and len(house.verifiers) == 2


def test_an_unloaded_generator_can_load_again(house: House) -> None:
    house.generator.load()
    house.generator.unload()
    assert house.write().error_code is TaskErrorCode.MODEL_NOT_LOADED
    house.generator.load()
    assert house.write().accepted


def test_a_load_ends_the_verifier_that_brought_a_version_back_before(house: House) -> None:
    house.generator.readmit(THREE, house.events.append, house.cancel)
    house.generator.load()
    assert [verifier.closed for verifier in house.verifiers] == [True, False]
    assert house.write().accepted


def test_an_inactive_generator_refuses_every_request(house: House) -> None:
    house.generator.active = False
    assert "configure" in house.write().error_msg
    house.generator.load()
    assert model_state(house.generator) is ModelState.INACTIVE
    generation = house.write()
    assert generation.error_code is TaskErrorCode.MODEL_NOT_LOADED
    assert generation.error_msg == "the generator is inactive; activate it"
    house.generator.active = True
    assert house.write().accepted


def test_unloading_waits_for_the_request_in_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    backend, ended = ScriptedBackend([GOOD]), []
    house = House(backend)
    house.generator.load()
    house.verifiers[0].released.clear()
    asked = house.write_later()
    assert house.verifiers[0].entered.wait(LIMIT)
    monkeypatch.setattr("roboinstruct_ros.generate.generator.UNLOAD_LIMIT", 0.01)
    assert not house.generator.unload() and house.generator.loaded

    monkeypatch.undo()
    monkeypatch.setattr(backend, "unload", lambda: ended.append(house.events[-1]))
    unloading = house.pool.submit(house.generator.unload)
    house.cancel.set()
    assert unloading.result(LIMIT) and not house.generator.loaded
    assert ended == [asked.result(LIMIT)]
    house.pool.shutdown()
