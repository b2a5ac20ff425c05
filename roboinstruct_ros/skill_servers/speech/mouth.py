"""Speaks texts one after another, sentence by sentence, and can be cut at any sample."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

from roboinstruct_ros.domain.semantic_map import folded
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.speech.playback import Speaker
from roboinstruct_ros.skill_servers.speech.sound import Sound, SpeechError
from roboinstruct_ros.skill_servers.speech.voice import Voice, parts

CHARACTERS_A_SECOND = 14.0
"""English at 165 words a minute; used to estimate the remaining time before synthesis."""
ECHO = 0.6
"""Time (s) after its end in which a sentence may still be heard: room echo, end-pointing."""

Done = Callable[[Fault | None], None]


class Mouth:
    """The robot's single voice."""

    def __init__(self, voice: Voice, speaker: Speaker, volume: Callable[[], float]) -> None:
        """Take the synthesiser and the speaker; `volume` returns the current volume, 0..1."""
        self.voice, self.speaker = voice, speaker
        self._volume = volume
        self._one_at_a_time = threading.Lock()
        self._said: list[tuple[str, float]] = []
        """The sentences that may still be heard, and when each ended (s); infinity for not yet."""
        self._ends_at = 0.0

    def say(self, text: str, cut: threading.Event, done: Done) -> None:
        """Start speaking a text, in a thread of its own.

        Args:
            cut: ends it early, within a few ms.
            done: called at the end, early or not, with None or why there was no sound.
        """
        self._ends_at = time.monotonic() + len(text) / CHARACTERS_A_SECOND

        def run() -> None:
            try:
                fault = self._speak(text, cut)
            except Exception as error:  # whatever a voice raises, the goal ends with a code
                fault = Fault(SkillErrorCode.SPEECH_FAILED, f"{self.voice.name}: {error!r}")
            done(fault)

        threading.Thread(target=run, name="mouth", daemon=True).start()

    @property
    def time_left(self) -> float:
        """Estimated time until the end of the current text, s."""
        return max(0.0, self._ends_at - time.monotonic())

    def said_just_now(self, words: str) -> bool:
        """Whether the robot itself is saying these words, or has in a sentence just before."""
        wanted = f" {plain(words)} "
        return bool(words) and any(wanted in f" {plain(one)} " for one, _ in self._still_heard())

    def wait_silent(self, limit: float) -> None:
        """Wait at most `limit` s for the end of the sound."""
        if self._one_at_a_time.acquire(timeout=limit):
            self._one_at_a_time.release()

    def _speak(self, text: str, cut: threading.Event) -> Fault | None:
        with self._one_at_a_time:
            left = len(text)
            for part in parts(text):
                if cut.is_set():
                    break
                try:
                    sound = self.voice.synthesize(part, cut)
                    left -= len(part)
                    after = left / CHARACTERS_A_SECOND
                    self._ends_at = time.monotonic() + sound.seconds + max(0.0, after)
                    self._play(part, sound.at_volume(self._volume()), cut)
                except SpeechError as error:
                    return Fault(SkillErrorCode.SPEECH_FAILED, str(error))
        return None

    def _play(self, sentence: str, sound: Sound, cut: threading.Event) -> None:
        before = self._still_heard()
        self._said = [*before, (sentence, math.inf)]
        try:
            self.speaker.play(sound, cut)
        finally:
            self._said = [*before, (sentence, time.monotonic())]

    def _still_heard(self) -> list[tuple[str, float]]:
        """A sentence is understood only after its end, when the next one may have begun."""
        now = time.monotonic()
        return [(sentence, ended) for sentence, ended in self._said if now - ended <= ECHO]


def plain(text: str) -> str:
    kept = "".join(c if c.isalnum() or c == "'" else " " for c in text)
    return folded(kept)
