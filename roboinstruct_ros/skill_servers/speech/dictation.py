"""Free dictation: transcribes any speech, with the optional package `faster-whisper`."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from roboinstruct_ros.skill_servers.speech.sound import HEARING_RATE, Sound, SpeechError, line_of

_NEEDED = ("model.bin", "config.json")
"""Files that a faster-whisper model folder must contain."""


class Whisper:
    """faster-whisper with weights from a folder; downloads nothing. Loading takes seconds."""

    def __init__(self, folder: Path) -> None:
        """Raises SpeechError if the folder, the package or the weights are missing."""
        folder = folder.expanduser()
        missing = [name for name in _NEEDED if not (folder / name).is_file()]
        if missing:
            raise SpeechError(
                f"dictation_model: {folder}: no {' and no '.join(missing)}; it wants a folder of "
                "faster-whisper weights"
            )
        try:
            import faster_whisper
        except ImportError as error:
            message = f"dictation_model: needs 'pip install faster-whisper' ({error})"
            raise SpeechError(message) from None
        try:
            self._model = faster_whisper.WhisperModel(
                str(folder), compute_type="default", local_files_only=True
            )
        except Exception as error:  # ctranslate2 raises its own types; the folder is the user's
            raise SpeechError(f"dictation_model: {folder}: {line_of(error)}") from None

    def write(self, sound: Sound) -> str:
        """The text of an utterance; empty for none."""
        heard = sound.at_rate(HEARING_RATE).samples.astype(np.float32) / 32768.0
        segments, _ = self._model.transcribe(heard, language="en", beam_size=1)
        return " ".join(segment.text.strip() for segment in segments).strip()
