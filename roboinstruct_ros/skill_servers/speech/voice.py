"""Speech synthesis: the voice protocol, and the division of texts into spoken parts."""

from __future__ import annotations

import re
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from roboinstruct_ros.skill_servers.speech.espeak import EspeakVoice
from roboinstruct_ros.skill_servers.speech.piper_voice import PiperVoice
from roboinstruct_ros.skill_servers.speech.sound import Sound

LONGEST_PART = 240
"""Longest part (characters); a longer sentence is divided, so that it can be cut soon."""
_ENDS = re.compile(r"(?<=[.!?;:])\s+|\n+")


class Voice(Protocol):
    """Speaks one text after another; called from one thread at a time."""

    name: str

    def synthesize(self, text: str, cut: threading.Event) -> Sound:
        """The sound of a short text; may end early once `cut` is set.

        Raises:
            SpeechError: synthesis failed.
        """


def make_voice(path: str, language: str, rate: int) -> Voice:
    """The Piper voice of that path; espeak-ng's of that language and rate if it is empty.

    Raises:
        SpeechError: the voice is missing or unusable.
    """
    return PiperVoice(Path(path)) if path else EspeakVoice(language, rate)


def parts(text: str) -> Iterator[str]:
    """Divide a text into sentences, and overlong ones between words."""
    for sentence in _ENDS.split(text):
        yield from textwrap.wrap(sentence, LONGEST_PART, break_on_hyphens=False)
