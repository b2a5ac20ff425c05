"""Speech synthesis: espeak-ng or Piper, and the division of texts into spoken parts."""

from __future__ import annotations

import re
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import numpy as np

from roboinstruct_ros.skill_servers.speech.espeak import EspeakVoice
from roboinstruct_ros.skill_servers.speech.sound import Sound, SpeechError, line_of

LONGEST_PART = 240
"""Longest part (characters); a longer sentence is divided, so that it can be cut soon."""
_ENDS = re.compile(r"(?<=[.!?;:])\s+|\n+")


class Voice(Protocol):
    """Speaks one text after another; called from one thread at a time."""

    name: str

    def synthesize(self, text: str, cut: threading.Event) -> Sound:
        """The sound of a short text, which `cut` may shorten. Raises SpeechError on failure."""


class PiperVoice:
    """Neural synthesis from an `.onnx` file and the `.onnx.json` beside it; needs `piper-tts`."""

    def __init__(self, path: Path) -> None:
        """Raises SpeechError if the file, the package or the voice in it is missing."""
        path = path.expanduser()
        for wanted in (path, path.with_name(path.name + ".json")):
            if not wanted.is_file():
                raise SpeechError(f"{wanted}: no such file; a Piper voice is two, .onnx and .json")
        try:
            import piper
        except ImportError as error:
            raise SpeechError(f"a Piper voice needs 'pip install piper-tts' ({error})") from None
        self.name = f"Piper {path.stem}"
        try:
            self._voice = piper.PiperVoice.load(str(path))
        except Exception as error:  # onnxruntime raises its own types; the file is the user's
            raise SpeechError(
                f"{path}: cannot be used as a Piper voice: {line_of(error)}"
            ) from None

    def synthesize(self, text: str, cut: threading.Event) -> Sound:
        pieces = []
        rate = int(self._voice.config.sample_rate)
        try:
            for piece in self._voice.synthesize(text):
                pieces.append(piece.audio_int16_array)
                rate = piece.sample_rate
                if cut.is_set():
                    break
        except Exception as error:
            raise SpeechError(f"{self.name} failed: {line_of(error)}") from None
        return Sound(np.concatenate(pieces) if pieces else np.zeros(0, np.int16), rate)


def make_voice(path: str, language: str, rate: int) -> Voice:
    """The Piper voice of that path; if it is empty, espeak-ng's of that language and rate.

    Raises SpeechError if the voice is missing or unusable.
    """
    return PiperVoice(Path(path)) if path else EspeakVoice(language, rate)


def parts(text: str) -> Iterator[str]:
    """Divide a text into sentences, and overlong ones between words."""
    for sentence in _ENDS.split(text):
        yield from textwrap.wrap(sentence, LONGEST_PART, break_on_hyphens=False)
