"""What the ear makes of sound that comes, without ROS: utterances, the button, dictation."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from option_sets import OPTION_SETS
from voices import spoken
from waiting import LIMIT, until

from roboinstruct_ros.skill_servers.speech import ear
from roboinstruct_ros.skill_servers.speech.ear import Ear, Utterance
from roboinstruct_ros.skill_servers.speech.espeak import EspeakVoice
from roboinstruct_ros.skill_servers.speech.microphone import (
    DeviceMicrophone,
    Inbox,
    Microphone,
    make_microphone,
)
from roboinstruct_ros.skill_servers.speech.node import Speech
from roboinstruct_ros.skill_servers.speech.recognizer import Recognizer
from roboinstruct_ros.skill_servers.speech.sound import Sound, SpeechError


class Secretary:
    """Writes down how long it listened."""

    def write(self, sound: Sound) -> str:
        return f"{sound.seconds:.0f} s"


class Listener:
    """An ear and what it told."""

    def __init__(self, microphone: Microphone) -> None:
        self.told: list[Utterance] = []
        self.warned: list[str] = []
        recognizer = Recognizer(("stop",), EspeakVoice().pronounce)
        self.ear = Ear(
            microphone,
            recognizer,
            Secretary(),
            lambda heard: heard.stop and heard.confidence > 0.85,
            self.told.append,
            self.warned.append,
        )

    def say(self, text: str) -> None:
        self.ear.inbox.put(spoken(text).samples)

    def hear(self, count: int) -> list[str]:
        until(lambda: len(self.told) >= count)
        return [utterance.heard.text for utterance in self.told]


@contextmanager
def listening(microphone: Microphone | None = None) -> Iterator[Listener]:
    listener = Listener(microphone or Microphone())
    listener.ear.start()
    yield listener
    listener.ear.close()


def test_one_utterance_after_another_is_heard_with_what_was_expected_then() -> None:
    with listening() as listener:
        listener.ear.expect("first", ["yes", "no"])
        listener.say("yes")
        assert listener.hear(1) == ["yes"]
        listener.ear.expect("second", ["tea", "coffee"])
        listener.say("coffee")
        assert listener.hear(2) == ["yes", "coffee"]
        listener.ear.expect()
        listener.say("stop")
        assert listener.hear(3)[-1] == "stop"
        assert [utterance.expected for utterance in listener.told] == ["first", "second", ""]
        assert listener.warned == []


def test_every_word_is_noticed_whatever_came_before() -> None:
    words = [option for options in OPTION_SETS[::4] for option in options]
    with listening() as listener:
        for count, word in enumerate(words, 1):
            listener.say(word)
            listener.hear(count)


def test_options_that_cannot_be_heard_are_told() -> None:
    with listening() as listener:
        listener.ear.expect("q", ["see", "sea"])
        until(lambda: listener.warned)
        assert "only by touch: 'see', 'sea'" in listener.warned[0]


def test_with_the_button_down_all_is_one_utterance_and_is_dictated_without_a_question() -> None:
    with listening() as listener:
        listener.ear.press(True)
        listener.say("bring me the newspaper")
        listener.say("and a cup of tea")
        listener.ear.press(False)
        until(lambda: any(said.own for said in listener.told))
        assert listener.told[-1].text.endswith(" s") and int(listener.told[-1].text[:-2]) >= 3
        listener.told.clear()
        listener.ear.expect("q", ["yes", "no"])
        listener.ear.press(True)
        listener.say("yes")
        listener.ear.press(False)
        until(lambda: any(said.own for said in listener.told))
        assert listener.told[-1].heard.text == "yes" and listener.told[-1].text == ""


def test_it_attends_from_the_press_until_what_was_said_with_it_is_told() -> None:
    with listening() as listener:
        attended: list[bool] = []
        listener.ear._tell = lambda said: attended.append(listener.ear.attends)
        listener.ear.expect("q", ["yes", "no"])
        assert not listener.ear.attends
        listener.ear.press(True)
        assert listener.ear.attends
        listener.say("yes")
        listener.ear.press(False)
        assert listener.ear.attends
        until(lambda: not listener.ear.attends)
        assert attended and all(attended)


def test_sound_that_comes_a_moment_after_the_button_went_up_was_said_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ear, "_NOTHING_CAME", 0.001)
    monkeypatch.setattr(ear, "RELEASE", 2.0, raising=False)  # leaves time to a busy machine
    spoken("yes")  # made once
    with listening() as listener:
        listener.ear.expect("q", ["yes", "no"])
        listener.ear.press(True)
        until(lambda: listener.ear._clicked is False)  # noticed
        listener.ear.press(False)
        looks: list[bool] = []
        take = listener.ear.inbox.take

        def counted(*limits: float) -> Any:
            looks.append(True)
            return take(*limits)

        monkeypatch.setattr(listener.ear.inbox, "take", counted)
        until(lambda: len(looks) >= 20)
        listener.say("yes")
        until(lambda: any(said.own for said in listener.told))
        assert listener.told[-1].heard.text == "yes"


def test_pressed_again_at_once_the_button_begins_an_utterance_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ear, "RELEASE", LIMIT)  # the first press still waits for its last sound
    with listening() as listener:
        listener.ear.press(True)
        until(lambda: listener.ear._clicked is False)  # noticed
        listener.ear.press(False)
        asked = time.monotonic()
        listener.ear.expect("q", ["yes", "no"])
        listener.ear.press(True)
        until(lambda: listener.ear._clicked is False)
        monkeypatch.setattr(ear, "RELEASE", 0.0)
        listener.say("yes")
        listener.ear.press(False)
        until(lambda: any(said.heard.text == "yes" for said in listener.told))
        answer = listener.told[-1]
        assert answer.own and answer.began >= asked


def test_a_button_that_is_told_to_be_down_again_and_again_is_one_utterance() -> None:
    with listening() as listener:
        for word in ("bring me", "a cup", "of tea"):
            listener.ear.press(True)
            listener.say(word)
            until(lambda: len(listener.ear.inbox._waiting) < 16000)
        listener.ear.press(False)
        until(lambda: any(said.own for said in listener.told))
        assert [said.own for said in listener.told] == [True]


def test_a_button_whose_teller_is_gone_counts_as_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ear, "LONGEST_PRESS", 0.1)
    with listening() as listener:
        listener.ear.press(True)
        until(lambda: not listener.ear.attends)


def test_a_stop_is_heard_while_the_button_is_down() -> None:
    with listening() as listener:
        listener.ear.press(True)
        until(lambda: listener.ear.inbox.take(10**9, 0.01) is None)
        listener.say("stop")
        assert listener.hear(1) == ["stop"]


def test_a_recogniser_that_breaks_costs_one_utterance() -> None:
    with listening() as listener:
        listener.ear.expect("p", ["yes", "no"])
        until(lambda: listener.ear._expected == "p")
        listener.ear.expect("q", [None])  # type: ignore[list-item]
        until(lambda: any("cannot listen for None" in w for w in listener.warned))
        listener.say("yes")
        listener.hear(1)
        assert listener.told.pop().heard.option is None, "an answer to the question before"
        listener.ear.expect("r", ["yes", "no"])
        listener.say("yes")
        assert listener.hear(1) == ["yes"]


def test_a_recording_is_heard(tmp_path: Path) -> None:
    spoken("stop").write(tmp_path / "said.wav")
    with listening(make_microphone(str(tmp_path / "said.wav"))) as listener:
        assert listener.hear(1) == ["stop"]


def test_a_sound_card_is_heard_and_one_that_is_missing_is_told() -> None:
    with listening(DeviceMicrophone(silent=True)) as listener:
        until(lambda: listener.ear.microphone._came > 0)  # type: ignore[attr-defined]
        assert listener.ear.microphone.fault() == ""
    with listening(make_microphone("device:no such card")) as listener:
        until(listener.ear.microphone.fault)


def test_a_microphone_on_another_machine_that_is_gone_is_told() -> None:
    senders = 1
    node: Any = SimpleNamespace(
        _deaf="",
        parameters=SimpleNamespace(audio_in="topic"),
        resolve_topic_name={"skills/microphone": "/microphone"}.get,  # remapped
        count_publishers=lambda topic: senders if topic == "/microphone" else 0,
    )
    assert Speech.ailment(node) == ""
    senders = 0
    assert Speech.ailment(node) == "nothing can be heard: nobody sends sound on '/microphone'"
    node.parameters.audio_in = "none"
    assert Speech.ailment(node) == ""


def test_without_the_library_of_sound_cards_a_microphone_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "miniaudio", None)
    microphone = make_microphone("default")
    microphone.start(Inbox())
    until(microphone.fault)
    assert "pip install miniaudio" in microphone.fault()
    microphone.close()


@pytest.mark.parametrize(("name", "content"), [("no.wav", None), ("text.wav", b"hello")])
def test_a_file_that_is_no_recording_is_named(
    name: str, content: bytes | None, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(SpeechError, match=f"audio_in: .*{name}: "):
        make_microphone(str(tmp_path / name))


@given(st.lists(st.integers(0, 700), max_size=20), st.integers(1, 500))
def test_an_inbox_gives_back_what_was_put_in_order(sizes: list[int], frame: int) -> None:
    inbox, whole = Inbox(), np.arange(sum(sizes)).astype(np.int16)
    for piece in np.split(whole, np.cumsum(sizes)[:-1]) if sizes else []:
        inbox.put(piece)
    taken = []
    while (piece := inbox.take(frame, 0)) is not None:
        assert len(piece) == frame
        taken.append(piece)
    assert (np.concatenate([*taken, inbox.flush()]) == whole).all()


def test_an_inbox_that_nobody_empties_forgets_the_oldest() -> None:
    inbox = Inbox()
    for second in range(100):
        inbox.put(np.full(16000, second, np.int16))
    kept = inbox.flush()
    assert len(kept) <= 30 * 16000 and kept[-1] == 99 and kept[0] >= 69


def test_waiting_for_sound_ends() -> None:
    assert Inbox().take(1, 0.01) is None
    inbox = Inbox()
    threading.Timer(0.01, inbox.put, (np.zeros(5, np.int16),)).start()
    assert inbox.take(5, LIMIT) is not None
