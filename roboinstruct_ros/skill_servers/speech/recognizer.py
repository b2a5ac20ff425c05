"""Which of a short list of phrases was said, or none of them: pocketsphinx with its English model.

A grammar of the phrases is forced upon the sound and gives the best of them, even for a cough. So
the same sound is also taken as any row of phones (allphone search, with a bigram of phones); what
any row explains much better than the best phrase was none of the phrases. The ratio of the two
likelihoods, at most 1, is the confidence.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roboinstruct_ros.skill_servers.speech.phones import phones_of
from roboinstruct_ros.skill_servers.speech.sound import HEARING_RATE, Sound, SpeechError, in_a_room
from roboinstruct_ros.skill_servers.speech.wording import Phrase, phrases

PHONE_WEIGHT = 2.0
"""Weight of the bigram of phones against the sound."""
_GRAMMAR = "#JSGF V1.0; grammar phrases; "
_PLAIN = "public <said> = {};"
_URGED = (
    "<stop> = {}; <urged> = [please | robot] <stop>+ [now | it | please | robot]; "
    "public <said> = /0.95/ <stop> | /0.05/ <urged>;"
)
"""Who wants a robot to stop says so more than once."""
LEAST_VOICE = 0.12
"""s of voice in what can be a word."""
SHORTEST = 0.1
"""s; pocketsphinx needs some frames to look at."""
IN_DOUBT = 0.05
"""What is this little less likely a stop word than an option was a stop word (logarithm, as
confidence has it): in a loud room, 'stop' sounds like 'no'."""
_BLURRED = ("now", "robot")
"""What a second 'stop' is taken for, said in haste or in noise."""
_SPELLED = "qz"
"""Words of our own begin so; no word of the dictionary does."""


@dataclass(frozen=True)
class Heard:
    """What an utterance was taken for.

    Attributes:
        text: the phrase nearest to it; empty when there was none.
        option: index of the option; None is no option.
        stop: it was a word for stop.
        confidence: 0..1; how well the phrase explains the sound against any row of phones.
    """

    text: str = ""
    option: int | None = None
    stop: bool = False
    confidence: float = 0.0


class Recognizer:
    """Hears one list of phrases at a time; called from one thread, but for `expect`."""

    def __init__(
        self, stop_words: Sequence[str] = ("stop",), pronounce: Callable[[str], str] | None = None
    ) -> None:
        """Loads the model; a third of a second.

        Args:
            stop_words: what is always listened for.
            pronounce: gives the IPA of a word that the dictionary lacks.

        Raises:
            SpeechError: no pocketsphinx here, or it cannot hear a stop word.
        """
        try:
            import pocketsphinx
        except ImportError as error:
            message = f"no pocketsphinx: 'pip install pocketsphinx' ({error})"
            raise SpeechError(message) from None
        # Scores are relative to the best senone looked at: for two searches to be comparable,
        # both have to look at all of them.
        same = {"lm": None, "loglevel": "FATAL", "bestpath": False, "compallsen": True}
        self._words = pocketsphinx.Decoder(**same)
        self._phones = pocketsphinx.Decoder(
            **same,
            allphone=os.path.join(pocketsphinx.get_model_path("en-us"), "en-us-phone.lm.bin"),
            lw=PHONE_WEIGHT,
            beam=1e-10,
            pbeam=1e-10,
        )
        self._vad = pocketsphinx.Vad(pocketsphinx.Vad.MEDIUM_STRICT, HEARING_RATE)
        self._stop_words, self._pronounce = tuple(stop_words), pronounce
        self._spelled: dict[str, str] = {}
        self._lock = threading.Lock()
        self._meaning: dict[str, Phrase] = {}
        self._grammars: set[str] = set()
        self.expect(())
        lost = [word for word in stop_words if not self._hears_stop(word)]
        if lost:
            raise SpeechError(f"stop_words: '{lost[0]}' cannot be pronounced in English")

    def expect(self, options: Sequence[str]) -> list[int]:
        """Listens for these options from now on, and always for a stop word.

        Returns:
            Indices of the options that cannot be heard: without a word, with a word that cannot be
            pronounced in English, or sounding like another option.
        """
        with self._lock:
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
            options_said = [said for said, p in self._meaning.items() if p.option is not None]
            stops_said = [said for said, p in self._meaning.items() if p.option is None]
            said_of = {"phrases": options_said, "stop": stops_said}
            self._grammars = {name for name, said in said_of.items() if said}
            for name in self._grammars:
                rule = " | ".join(said_of[name])
                form = _URGED if name == "stop" else _PLAIN
                self._words.add_jsgf_string(name, _GRAMMAR + form.format(rule))
            heard = {phrase.option for phrase in self._meaning.values()}
            return [index for index in range(len(options)) if index not in heard]

    def hear(self, sound: Sound) -> Heard:
        """Return what was said.

        Args:
            sound: one utterance, with some silence around it.
        """
        samples = sound.at_rate(HEARING_RATE).samples
        if len(samples) < SHORTEST * HEARING_RATE:
            return Heard()
        raw = in_a_room(samples, np.random.default_rng(0)).tobytes()
        if not self._has_voice(raw):
            return Heard()
        with self._lock:
            phrase, likelihood = self._nearest("phrases", raw)
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
        """A grammar finds its phrase in silence, too."""
        size = self._vad.frame_bytes
        frames = (raw[at : at + size] for at in range(0, len(raw) - size + 1, size))
        voiced = sum(map(self._vad.is_speech, frames)) * self._vad.frame_length
        return bool(voiced >= LEAST_VOICE)

    def _nearest(self, grammar: str, raw: bytes) -> tuple[Phrase | None, float]:
        if grammar not in self._grammars:
            return None, -math.inf
        self._words.activate_search(grammar)
        said, likelihood = _decoded(self._words, raw)
        return self._meaning.get(said), likelihood

    def _nearest_stop(self, raw: bytes) -> tuple[Phrase | None, float, int]:
        """The stop word, its likelihood, and how often it was said, blurred ones included."""
        self._words.activate_search("stop")
        said, likelihood = _decoded(self._words, raw)
        for text, phrase in self._meaning.items():
            times = f" {said} ".replace(" ", "  ").count(f" {text.replace(' ', '  ')} ")
            if phrase.option is None and times:
                after = said[said.index(text) + len(text) :].split()
                return phrase, likelihood, times + sum(map(after.count, _BLURRED))
        return None, -math.inf, 1

    def _hears_stop(self, word: str) -> bool:
        wanted = phrases((), (word,))
        return bool(wanted) and wanted[0] in self._meaning.values()

    def _spell(self, word: str) -> str:
        """The word as the dictionary has it; one that it lacks is added as it is pronounced."""
        if word.isascii() and word.replace("'", "").isalpha() and self._words.lookup_word(word):
            return word
        if word in self._spelled:
            return self._spelled[word]
        if self._pronounce is None:
            raise ValueError(f"'{word}' is not in the dictionary")
        sounds = " ".join(phones_of(self._pronounce(word)))
        if not sounds:
            raise ValueError(f"'{word}' has no sound")
        spelled = _SPELLED + _letters(len(self._spelled))
        self._words.add_word(spelled, sounds, True)
        self._spelled[word] = spelled
        return spelled


def _decoded(decoder: Any, raw: bytes) -> tuple[str, float]:
    """The best words for the sound, and the logarithm of their likelihood (scaled down)."""
    decoder.start_utt()
    try:
        decoder.process_raw(raw, no_search=False, full_utt=True)
    finally:
        decoder.end_utt()  # or it would refuse the next one
    best = decoder.hyp()
    return (best.hypstr, math.log(max(best.score, 1e-300))) if best else ("", -math.inf)


def _letters(number: int) -> str:
    letters = ""
    while True:
        number, rest = divmod(number, 26)
        letters = chr(ord("a") + rest) + letters
        if not number:
            return letters
