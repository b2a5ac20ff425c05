"""A Piper voice: neural synthesis from a file, with the optional package `piper-tts`."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np

from roboinstruct_ros.skill_servers.speech.sound import Sound, SpeechError


class PiperVoice:
    """Speaks with the voice of an `.onnx` file and the `.onnx.json` beside it.

    Raises:
        SpeechError: the file, the package or the voice in it is missing.
    """

    def __init__(self, path: Path) -> None:
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
            raise SpeechError(f"{path}: cannot be used as a Piper voice: {_line(error)}") from None

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
            raise SpeechError(f"{self.name} failed: {_line(error)}") from None
        return Sound(np.concatenate(pieces) if pieces else np.zeros(0, np.int16), rate)


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
