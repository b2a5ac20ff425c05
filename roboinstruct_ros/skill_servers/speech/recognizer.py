"""Recognises which phrase of a short list was said, or none: pocketsphinx with its English model.

A grammar of the phrases always yields the best of them, even for a cough. So the same sound is also
decoded as any phone sequence (allphone search with a phone bigram); if that explains the sound much
better than the best phrase, none was said. The ratio of the two likelihoods, at most 1, is the
confidence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roboinstruct_ros.skill_servers.speech.sound import HEARING_RATE, Sound, SpeechError, in_a_room
from roboinstruct_ros.skill_servers.speech.wording import Phrase, phrases

PHONE_WEIGHT = 2.0
"""Weight of the phone bigram relative to the acoustic score."""
_GRAMMAR = "#JSGF V1.0; grammar phrases; "
_PLAIN = "public <said> = {};"
_URGED = (
    "<stop> = {}; <urged> = [please | robot] <stop>+ [now | it | please | robot]; "
    "public <said> = /0.95/ <stop> | /0.05/ <urged>;"
)
"""People who want a robot to stop repeat it."""
LEAST_VOICE = 0.12
"""Least duration of voice in a word, s; longer than the few frames that pocketsphinx needs."""
IN_DOUBT = 0.05
"""Margin (log likelihood) by which a stop word may score below an option and still win: in a loud
room, 'stop' sounds like 'no'."""
_BLURRED = ("now", "robot")
"""How a second 'stop', spoken in haste or noise, is recognised."""
_SPELLED = "qz"
"""Prefix of words added to the dictionary; no dictionary word begins so."""


@dataclass(frozen=True)
class Heard:
    """Interpretation of an utterance.

    Attributes:
        text: the nearest phrase; empty for none.
        option: index of the option; None for none.
        stop: it was a stop word.
        confidence: 0..1; how well the phrase explains the sound relative to any phone sequence.
    """

    text: str = ""
    option: int | None = None
    stop: bool = False
    confidence: float = 0.0


class Recognizer:
    """Recognises one list of phrases at a time; called from one thread."""

    def __init__(
        self,
        stop_words: Sequence[str] = ("stop",),
        pronounce: Callable[[str], Sequence[str]] | None = None,
    ) -> None:
        """Load the model; takes a third of a second.

        Args:
            pronounce: returns the phones of a word that the dictionary lacks, or raises ValueError.

        Raises:
            SpeechError: pocketsphinx is missing or a stop word cannot be recognised.
        """
        try:
            import pocketsphinx
        except ImportError as error:
            message = f"no pocketsphinx: 'pip install pocketsphinx' ({error})"
            raise SpeechError(message) from None
        # Scores are relative to the best senone evaluated: to make two searches comparable, both
        # must evaluate all of them.
        same = {"lm": None, "loglevel": "FATAL", "bestpath": False, "compallsen": True}
        self._words = pocketsphinx.Decoder(**same)
        self._phones = pocketsphinx.Decoder(
            **same,
            allphone=pocketsphinx.get_model_path("en-us/en-us-phone.lm.bin"),
            lw=PHONE_WEIGHT,
            beam=1e-10,
            pbeam=1e-10,
        )
        self._vad = pocketsphinx.Vad(pocketsphinx.Vad.MEDIUM_STRICT, HEARING_RATE)
        self._stop_words, self._pronounce = tuple(stop_words), pronounce
        self._spelled: dict[str, str] = {}
        self._meaning: dict[str, Phrase] = {}
        self.expect(())
        known = set(self._meaning.values())
        lost = [word for word in stop_words if known.isdisjoint(phrases((), (word,)))]
        if lost:
            raise SpeechError(f"stop_words: '{lost[0]}' cannot be pronounced in English")

    def expect(self, options: Sequence[str]) -> list[int]:
        """Listen for these options from now on, besides the stop words.

        Returns:
            Indices of the options that cannot be recognised: without a word, with a word that
            cannot be pronounced in English, or sounding like another option.
        """
        meaning: dict[str, Phrase] = {}
        sounds: dict[tuple[str, ...], list[Phrase]] = {}
        for phrase in phrases(options, self._stop_words):
            try:
                spelled = [self._spell(word) for word in phrase.words]
            except ValueError:
                continue
            meaning[" ".join(spelled)] = phrase
            sound = tuple(self._words.lookup_word(word) for word in spelled)
            sounds.setdefault(sound, []).append(phrase)
        alike = {
            phrase
            for same in sounds.values()
            if len({phrase.option for phrase in same}) > 1
            for phrase in same
            if phrase.option is not None
        }
        self._meaning = {said: p for said, p in meaning.items() if p not in alike}
        for name, form in (("phrases", _PLAIN), ("stop", _URGED)):
            stops = name == "stop"
            said = [said for said, p in self._meaning.items() if (p.option is None) == stops]
            if said:
                self._words.add_jsgf_string(name, _GRAMMAR + form.format(" | ".join(said)))
        heard = {phrase.option for phrase in self._meaning.values()}
        return [index for index in range(len(options)) if index not in heard]

    def hear(self, sound: Sound) -> Heard:
        """Interpret one utterance, with some silence around it."""
        samples = sound.at_rate(HEARING_RATE).samples
        raw = in_a_room(samples, np.random.default_rng(0)).tobytes()
        if not self._has_voice(raw):
            return Heard()
        phrase, likelihood = self._nearest_option(raw)
        stop, stop_likelihood, times = self._nearest_stop(raw)
        if stop_likelihood >= likelihood - IN_DOUBT:
            phrase, likelihood = stop, stop_likelihood
        else:
            times = 1
        if phrase is None:
            return Heard()
        _, any_likelihood = _decoded(self._phones, raw)
        confidence = min(1.0, math.exp((likelihood - any_likelihood) / times))
        return Heard(phrase.text, phrase.option, phrase.option is None, confidence)

    def _has_voice(self, raw: bytes) -> bool:
        """Whether the sound contains voice: a grammar finds its phrase even in silence."""
        size = self._vad.frame_bytes
        frames = (raw[at : at + size] for at in range(0, len(raw) - size + 1, size))
        voiced = sum(map(self._vad.is_speech, frames)) * self._vad.frame_length
        return bool(voiced >= LEAST_VOICE)

    def _nearest_option(self, raw: bytes) -> tuple[Phrase | None, float]:
        if all(phrase.option is None for phrase in self._meaning.values()):
            return None, -math.inf
        self._words.activate_search("phrases")
        said, likelihood = _decoded(self._words, raw)
        return self._meaning.get(said), likelihood

    def _nearest_stop(self, raw: bytes) -> tuple[Phrase | None, float, int]:
        """The stop word, its likelihood, and its number of repeats, misheard ones included."""
        self._words.activate_search("stop")
        said, likelihood = _decoded(self._words, raw)
        for text, phrase in self._meaning.items():
            times = f" {said} ".replace(" ", "  ").count(f" {text.replace(' ', '  ')} ")
            if phrase.option is None and times:
                after = said[said.index(text) + len(text) :].split()
                return phrase, likelihood, times + sum(map(after.count, _BLURRED))
        return None, -math.inf, 1

    def _spell(self, word: str) -> str:
        """The word's spelling in the dictionary; a missing word is added by its pronunciation."""
        if word.isascii() and word.replace("'", "").isalpha() and self._words.lookup_word(word):
            return word
        if word in self._spelled:
            return self._spelled[word]
        if self._pronounce is None:
            raise ValueError(f"'{word}' is not in the dictionary")
        sounds = " ".join(self._pronounce(word))
        if not sounds:
            raise ValueError(f"'{word}' has no sound")
        spelled = f"{_SPELLED}{len(self._spelled)}"
        self._words.add_word(spelled, sounds, True)
        self._spelled[word] = spelled
        return spelled


def _decoded(decoder: Any, raw: bytes) -> tuple[str, float]:
    """The best words for the sound and their (scaled) log likelihood."""
    decoder.start_utt()
    try:
        decoder.process_raw(raw, no_search=False, full_utt=True)
    finally:
        decoder.end_utt()  # otherwise it would refuse the next utterance
    best = decoder.hyp()
    return (best.hypstr, math.log(max(best.score, 1e-300))) if best else ("", -math.inf)
