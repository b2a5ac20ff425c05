"""The voice without ROS: real sound of real texts, cut at once when it must be."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from voices import silence

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.speech.espeak import EspeakVoice
from roboinstruct_ros.skill_servers.speech.mouth import Mouth
from roboinstruct_ros.skill_servers.speech.playback import (
    KEPT_FILES,
    DeviceSpeaker,
    FolderSpeaker,
    make_speaker,
)
from roboinstruct_ros.skill_servers.speech.sound import Sound, SpeechError, read_wav
from roboinstruct_ros.skill_servers.speech.voice import LONGEST_PART, make_voice, parts

NEVER = threading.Event()


def test_a_text_becomes_sound_as_long_as_it_takes_to_say_it() -> None:
    voice = EspeakVoice()
    short, long = (voice.synthesize(text, NEVER) for text in ("Hello.", "Hello. " * 5))
    assert np.abs(short.samples).max() > 3000
    assert 0.3 < short.seconds < 2
    assert long.seconds > 3 * short.seconds
    quick = EspeakVoice("en-us", 320).synthesize("Here is the apple that you wanted.", NEVER)
    assert quick.seconds < voice.synthesize("Here is the apple that you wanted.", NEVER).seconds


@settings(max_examples=60)
@given(st.text(max_size=80))
def test_no_text_harms_the_voice(text: str) -> None:
    voice = EspeakVoice()
    for part in parts(text):
        assert voice.synthesize(part, NEVER).rate > 0


@given(st.text(alphabet="ab .!?\n", max_size=1500))
def test_parts_lose_no_word_and_are_short(text: str) -> None:
    cut = list(parts(text))
    assert "".join("".join(cut).split()) == "".join(text.split())
    assert all(part.strip() and len(part) <= LONGEST_PART for part in cut)


def test_markup_and_phonemes_are_spoken_as_written_and_not_obeyed() -> None:
    voice = EspeakVoice()
    plain = voice.synthesize("one two", NEVER)
    assert voice.synthesize('<break time="20s"/> one two', NEVER).seconds < plain.seconds + 8


@pytest.mark.parametrize(
    ("path", "language", "said"),
    [
        ("", "xx", "no voice 'xx'"),
        ("/nowhere/amy.onnx", "en-us", "/nowhere/amy.onnx: no such file; a Piper voice is two"),
    ],
)
def test_a_voice_that_is_not_there_is_named(path: str, language: str, said: str) -> None:
    with pytest.raises(SpeechError, match=said):
        make_voice(path, language, 165)


def test_a_folder_hears_what_was_said_until_the_cut(tmp_path: Path) -> None:
    speaker = make_speaker(str(tmp_path / "said"))
    tone = Sound(np.full(4410, 1000, np.int16), 22050)
    speaker.play(tone, NEVER)
    cut = threading.Event()
    cut.set()
    speaker.play(tone, cut)
    whole, nothing = (read_wav(tmp_path / "said" / f"000{n}.wav") for n in (1, 2))
    assert whole.seconds == tone.seconds and (whole.samples == tone.samples).all()
    assert nothing.seconds < 0.1
    # the numbers go on where another start of the node left off
    make_speaker(str(tmp_path / "said")).play(silence(0), NEVER)
    assert (tmp_path / "said" / "0003.wav").exists()


def test_a_flood_of_speech_does_not_fill_the_disk(tmp_path: Path) -> None:
    speaker = FolderSpeaker(tmp_path)
    for _ in range(KEPT_FILES + 20):
        speaker.play(silence(0), NEVER)
    assert len(list(tmp_path.iterdir())) == KEPT_FILES


def test_a_folder_that_cannot_be_made_is_named() -> None:
    with pytest.raises(SpeechError, match="audio_out: /proc/nothing: "):
        make_speaker("/proc/nothing")


def test_a_sound_card_is_played_to_and_stops_when_cut() -> None:
    card = DeviceSpeaker(silent=True)  # miniaudio's card without a loudspeaker
    began = time.monotonic()
    card.play(silence(0.3), NEVER)
    assert time.monotonic() - began > 0.3
    cut = threading.Event()
    playing = threading.Thread(target=card.play, args=(silence(60), cut))
    playing.start()
    cut.set()
    playing.join(50)
    assert not playing.is_alive()


def test_no_sound_card_is_an_error_and_never_silence() -> None:
    with pytest.raises(SpeechError, match=r"no device with 'no such card'|no sound card"):
        make_speaker("device:no such card").play(silence(0.1), NEVER)


class Tape:
    """A speaker that keeps what it got and takes no time."""

    name = "tape"

    def __init__(self) -> None:
        self.sounds: list[Sound] = []

    def play(self, sound: Sound, cut: threading.Event) -> None:
        self.sounds.append(sound)


def say(mouth: Mouth, text: str, cut: threading.Event = NEVER) -> Fault | None:
    """Says it to its end; gives what the goal is told."""
    told: list[Fault | None] = []
    over = threading.Event()

    def done(fault: Fault | None) -> None:
        told.append(fault)
        over.set()

    mouth.say(text, cut, done)
    assert over.wait(60)
    return told[0]


def test_the_mouth_speaks_sentence_by_sentence_at_its_volume() -> None:
    tape, volume = Tape(), [1.0]
    mouth = Mouth(EspeakVoice(), tape, lambda: volume[0])
    assert say(mouth, "First. Second!") is None
    assert len(tape.sounds) == 2
    volume[0] = 0.25
    assert say(mouth, "First.") is None
    loud, quiet = (np.abs(tape.sounds[at].samples.astype(int)).max() for at in (0, 2))
    assert quiet == pytest.approx(loud / 4, rel=0.3)


def test_nothing_more_is_said_after_a_cut() -> None:
    tape, cut = Tape(), threading.Event()
    cut.set()
    assert say(Mouth(EspeakVoice(), tape, lambda: 1.0), "One. Two. Three.", cut) is None
    assert tape.sounds == []


def test_the_mouth_knows_its_own_words_while_they_are_to_be_heard() -> None:
    mouth = Mouth(EspeakVoice(), Tape(), lambda: 1.0)
    assert not mouth.said_just_now("tea")
    say(mouth, "Would you like coffee or TEA?")
    assert mouth.said_just_now("tea") and mouth.said_just_now("like coffee")
    assert not mouth.said_just_now("water") and not mouth.said_just_now("offee")


def test_words_of_a_sentence_are_its_own_when_the_next_has_begun() -> None:
    class Listening(Tape):
        def play(self, sound: Sound, cut: threading.Event) -> None:
            super().play(sound, cut)
            own.append([mouth.said_just_now(word) for word in ("stop", "wet")])

    own: list[list[bool]] = []
    mouth = Mouth(EspeakVoice(), Listening(), lambda: 1.0)
    say(mouth, "Stop! It is wet.")
    assert own == [[True, False], [True, True]]


def test_a_voice_that_breaks_is_a_failed_skill() -> None:
    class Broken:
        name = "a broken voice"

        def synthesize(self, text: str, cut: threading.Event) -> Sound:
            raise RuntimeError("out of breath")

    fault = say(Mouth(Broken(), Tape(), lambda: 1.0), "Hello")
    assert fault is not None and fault.code is SkillErrorCode.SPEECH_FAILED
    assert "out of breath" in fault.message
    card = Mouth(EspeakVoice(), make_speaker("device:no such card"), lambda: 1.0)
    fault = say(card, "Hello")
    assert fault is not None and fault.code is SkillErrorCode.SPEECH_FAILED
