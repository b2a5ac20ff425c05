"""What may be said for an option, and how words beyond the dictionary are pronounced."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboinstruct_ros.skill_servers.speech.espeak import EspeakVoice
from roboinstruct_ros.skill_servers.speech.wording import NO, YES, phrases

PHONES = (
    "AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W "
    "Y Z ZH"
).split()
"""Phones of pocketsphinx's English model, without silence."""


def ways(*options: str) -> dict[str, int | None]:
    return {phrase.text: phrase.option for phrase in phrases(options)}


def test_yes_and_no_have_other_words_unless_two_options_begin_so() -> None:
    said = ways("Yes", "No, thanks.")
    assert all(said[word] == 0 for word in YES) and all(said[word] == 1 for word in NO)
    assert said["no thanks"] == 1 and said["stop"] is None
    assert "yeah" not in ways("yes now", "yes later")


def test_articles_and_shared_words_may_be_left_out() -> None:
    said = ways("the red cup", "the blue cup", "in the kitchen")
    assert said["red cup"] == said["red"] == said["the red cup"] == 0
    assert said["blue"] == 1 and "cup" not in said
    assert said["in the kitchen"] == 2


def test_what_would_stand_for_two_options_stands_for_none() -> None:
    said = ways("the cup", "a cup", "sure", "yes")
    assert "cup" not in said and said["the cup"] == 0 and said["a cup"] == 1
    assert said["sure"] == 2 and said["yes"] == 3


def test_stop_is_stop_whatever_the_options_are() -> None:
    assert ways("stop", "go on") == {"go on": 1, "stop": None} | {
        word: 1 for word in ways("stop", "go on") if word not in ("stop", "go on")
    }


@given(st.lists(st.text(max_size=12), max_size=6))
def test_every_phrase_has_words_and_one_meaning(options: list[str]) -> None:
    found = phrases(options)
    assert all(phrase.words for phrase in found)
    assert len({phrase.words for phrase in found}) == len(found)
    assert all(p.option is None or 0 <= p.option < len(options) for p in found)


@pytest.mark.parametrize(
    ("word", "phones"),
    [
        ("coffee", "K AO F IY"),
        ("church", "CH ER CH"),
        ("42", "F AO R T IY T UW"),
        ("measure", "M EH ZH ER"),
        ("Wi-Fi", "W AY F AY"),
    ],
)
def test_words_are_pronounced_as_the_dictionary_would(word: str, phones: str) -> None:
    assert " ".join(EspeakVoice().pronounce(word)) == phones


@given(st.text(max_size=20))
def test_whatever_is_pronounced_is_phones_or_refused(text: str) -> None:
    try:
        assert set(EspeakVoice().pronounce(text)) <= set(PHONES)
    except ValueError as error:
        assert "not among those of English" in str(error)
