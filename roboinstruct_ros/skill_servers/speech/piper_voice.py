"""A Piper voice: neural, from a file, with the optional package `piper-tts`."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np

from roboinstruct_ros.skill_servers.speech.sound import Sound
from roboinstruct_ros.skill_servers.speech.voice import VoiceError


class PiperVoice:
    """Speaks with the voice of an `.onnx` file and the `.onnx.json` beside it."""

    def __init__(self, path: Path) -> None:
        """Loads the file; seconds.

        Raises:
            VoiceError: no such file, no such package, or no voice in it.
        """
        path = path.expanduser()
        for wanted in (path, path.with_name(path.name + ".json")):
            if not wanted.is_file():
                raise VoiceError(f"{wanted}: no such file; a Piper voice is two, .onnx and .json")
        try:
            import piper
        except ImportError as error:
            raise VoiceError(f"a Piper voice needs 'pip install piper-tts' ({error})") from None
        self.name = f"Piper {path.stem}"
        try:
            self._voice = piper.PiperVoice.load(str(path))
        except Exception as error:  # onnxruntime's own kinds; the file is the user's
            raise VoiceError(f"{path}: cannot be used as a Piper voice: {_line(error)}") from None

    def synthesize(self, text: str, cut: threading.Event) -> Sound:
        """Gives the sound of a text.

        Raises:
            VoiceError: the voice failed.
        """
        pieces = []
        rate = int(self._voice.config.sample_rate)
        try:
            for piece in self._voice.synthesize(text):
                pieces.append(piece.audio_int16_array)
                rate = piece.sample_rate
                if cut.is_set():
                    break
        except Exception as error:
            raise VoiceError(f"{self.name} failed: {_line(error)}") from None
        return Sound(np.concatenate(pieces) if pieces else np.zeros(0, np.int16), rate)


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
