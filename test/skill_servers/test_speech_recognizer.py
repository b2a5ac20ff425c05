"""Real speech, real recognition: what is understood, and what is not taken for an answer."""

from __future__ import annotations

import pytest
from option_sets import CHATTER, OPTION_SETS
from voices import silence, spoken

from roboinstruct_ros.skill_servers.speech.espeak import EspeakVoice
from roboinstruct_ros.skill_servers.speech.recognizer import Recognizer
from roboinstruct_ros.skill_servers.speech.sound import SpeechError

CONFIDENCE, STOP_CONFIDENCE = 0.86, 0.84
"""The node's defaults."""
REPEATED = ("no no no", "step by step", "go go go")


@pytest.fixture(scope="module")
def recognizer() -> Recognizer:
    return Recognizer(("stop",), EspeakVoice().pronounce)


def test_options_are_understood(recognizer: Recognizer) -> None:
    # all forty, other voices and noise: speech_figures.py
    right, wrong, asked = 0, [], 0
    for options in OPTION_SETS[::4]:
        assert recognizer.expect(options) == []
        for index, option in enumerate(options):
            asked += 1
            heard = recognizer.hear(spoken(option))
            if heard.confidence >= CONFIDENCE and (heard.option is not None or heard.stop):
                right += heard.option == index
                if heard.option != index:
                    wrong.append((option, heard))
    assert right / asked > 0.95
    assert not wrong


def test_stop_is_understood_beside_any_options_and_by_other_voices(recognizer: Recognizer) -> None:
    for options in ((), *OPTION_SETS[:2]):
        recognizer.expect(options)
        for language in ("en-us", "en-us+f3", "en-us+m3"):
            heard = recognizer.hear(spoken("stop", language))
            assert heard.stop and heard.confidence >= STOP_CONFIDENCE


@pytest.mark.parametrize("said", ["stop stop stop", "please stop", "stop it", "robot stop"])
def test_stop_may_be_said_as_people_do(recognizer: Recognizer, said: str) -> None:
    recognizer.expect(("yes", "no"))
    heard = recognizer.hear(spoken(said))
    assert heard.stop and heard.confidence >= STOP_CONFIDENCE and heard.text == "stop"


@pytest.mark.parametrize("snr", [None, 20.0, 15.0, 10.0])
def test_a_hasty_stop_said_again_and_again_in_noise_is_a_stop(
    recognizer: Recognizer, snr: float | None
) -> None:
    recognizer.expect(("yes", "no"))
    for rate, said in ((165, "stop stop stop"), (250, "stop stop stop"), (250, "stop stop")):
        heard = recognizer.hear(spoken(said, "en-us", snr, rate))
        assert heard.stop and heard.confidence >= STOP_CONFIDENCE, (rate, heard)


def test_chatter_is_no_answer_and_no_stop(recognizer: Recognizer) -> None:
    for options in ((), ("yes", "no"), ("coffee", "tea", "water")):
        recognizer.expect(options)
        heard = [recognizer.hear(spoken(said)) for said in (*CHATTER[::3], *REPEATED)]
        assert not [h for h in heard if h.stop and h.confidence >= STOP_CONFIDENCE]
        taken = [h for h in heard if not h.stop and h.confidence >= CONFIDENCE]
        assert len(taken) <= 1, taken


def test_words_beyond_the_dictionary_are_understood_or_said_to_be_lost() -> None:
    names = ("Xiaoming", "Priyanka", "42")
    recognizer = Recognizer(("stop",), EspeakVoice().pronounce)
    assert recognizer.expect(names) == []
    assert recognizer.hear(spoken("Priyanka")).option == 1
    assert recognizer.hear(spoken("42")).option == 2
    assert Recognizer().expect((*names, "yes")) == [0, 1, 2]


def test_options_that_sound_alike_are_not_told_apart_by_voice(recognizer: Recognizer) -> None:
    assert recognizer.expect(("see", "sea", "lake", "!?")) == [0, 1, 3]
    assert recognizer.hear(spoken("lake")).option == 2


def test_silence_says_nothing(recognizer: Recognizer) -> None:
    recognizer.expect(("yes", "no"))
    for sound in (silence(0), silence(0.01), silence(2)):
        heard = recognizer.hear(sound)
        assert heard.confidence < STOP_CONFIDENCE or not heard.text


def test_stop_words_are_what_they_were_set_to() -> None:
    recognizer = Recognizer(("halt", "freeze now"), EspeakVoice().pronounce)
    recognizer.expect(("yes", "no"))
    assert recognizer.hear(spoken("halt")).stop and recognizer.hear(spoken("freeze now")).stop
    with pytest.raises(SpeechError, match="stop_words: '!' cannot be pronounced"):
        Recognizer(("!",), EspeakVoice().pronounce)
