"""The parts of a talking robot, made from parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from roboinstruct_ros.skill_servers.speech.dictation import Dictation, Whisper
from roboinstruct_ros.skill_servers.speech.espeak import EspeakVoice
from roboinstruct_ros.skill_servers.speech.microphone import (
    Microphone,
    make_microphone,
)
from roboinstruct_ros.skill_servers.speech.mouth import Mouth
from roboinstruct_ros.skill_servers.speech.playback import make_speaker
from roboinstruct_ros.skill_servers.speech.recognizer import Recognizer
from roboinstruct_ros.skill_servers.speech.sound import SpeechError
from roboinstruct_ros.skill_servers.speech.voice import make_voice


@dataclass(frozen=True)
class Parts:
    """Everything that makes sound or hears it.

    Attributes:
        warnings: what works less well than it could, a line each.
    """

    mouth: Mouth
    recognizer: Recognizer
    microphone: Microphone
    dictation: Dictation | None
    warnings: tuple[str, ...] = ()


def make_parts(given: Any, volume: Callable[[], float]) -> Parts:
    """Make the parts.

    Args:
        given: a `SpeechParameters`.
        volume: gives the volume as it is now, 0..1.

    Raises:
        SpeechError: one of them cannot be had.
    """
    warnings: list[str] = []
    voice = make_voice(given.voice, given.language, given.rate)
    mouth = Mouth(voice, make_speaker(given.audio_out), volume)
    pronounce: Callable[[str], str] | None = None
    try:
        # whatever the voice, unknown words are pronounced as an American would
        pronounce = EspeakVoice("en-us").pronounce
    except SpeechError as error:
        warnings.append(f"options with words beyond the dictionary are not heard: {error}")
    recognizer = Recognizer(given.stop_words, pronounce)
    microphone, folder = make_microphone(given.audio_in), given.dictation_model
    dictation = Whisper(Path(folder)) if folder else None
    return Parts(mouth, recognizer, microphone, dictation, tuple(warnings))
