"""Parameters of `speech`."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from roboinstruct_ros.skill_servers.kit.parameter import parameter
from roboinstruct_ros.skill_servers.speech.dialogue import Patience
from roboinstruct_ros.skill_servers.speech.wording import STOP

LISTEN = ("always", "push_to_talk")
_live = partial(parameter, live=True)


@dataclass(frozen=True)
class SpeechParameters:
    """What the node was started with, or told since."""

    voice: str = parameter("", "a Piper voice (.onnx); empty is espeak-ng")
    language: str = parameter("en-us", "voice of espeak-ng, e.g. en-us, en-us+f3")
    rate: int = parameter(165, "of espeak-ng, words a minute", 80, 450)
    volume: float = _live(1.0, "of the voice; 0 is silence", 0.0, 1.0)
    audio_out: str = parameter("default", "default, device:NAME, none, or a folder for WAV files")
    audio_in: str = parameter("default", "default, device:NAME, topic, none, or a WAV file")
    listen: str = _live(
        "always",
        "when answers are heard: always, or push_to_talk; stop always is",
        choices=LISTEN,
    )
    stop_words: tuple[str, ...] = parameter(STOP, "words that stop the robot, in English", 1)
    confidence: float = _live(0.86, "least confidence of an answer; higher refuses more", 0.0, 1.0)
    stop_confidence: float = _live(0.84, "least confidence of a stop word", 0.0, 1.0)
    barge_in: bool = _live(
        True, "an answer counts while the robot still speaks, and cuts its speech"
    )
    echo_guard: bool = _live(True, "words that the robot says itself at the moment are not heard")
    ask_limit: float = _live(300.0, "how long one ask may take, s", 1.0, 3600.0)
    say_limit: float = _live(180.0, "how long one say may take, s", 1.0, 3600.0)
    longest_text: int = _live(1000, "characters of a message or a question", 1, 20000)
    most_options: int = _live(20, "options of a question", 1, 100)
    dictation_model: str = parameter("", "folder of faster-whisper weights; empty is no dictation")
    patience: Patience = field(default_factory=Patience)
