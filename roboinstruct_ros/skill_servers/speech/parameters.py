"""Parameters of `speech`."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from roboinstruct_ros.domain.option import option
from roboinstruct_ros.skill_servers.speech.dialogue import Patience
from roboinstruct_ros.skill_servers.speech.wording import STOP

LISTEN = ("always", "push_to_talk")
_live = partial(option, live=True)


@dataclass(frozen=True)
class SpeechParameters:
    voice: str = option(
        "", "a Piper voice (.onnx, with its .onnx.json beside it); empty: espeak-ng"
    )
    language: str = option("en-us", "voice of espeak-ng, e.g. en-us, en-us+f3")
    rate: int = option(165, "speaking rate of espeak-ng in words per minute", 80, 450)
    volume: float = _live(1.0, "volume of the voice", 0.0, 1.0, lowest="silence")
    audio_out: str = option(
        "default",
        "default, device:NAME (part of the name is enough), none, or a folder for WAV files",
    )
    audio_in: str = option(
        "default", "default, device:NAME (part of the name is enough), topic, none, or a WAV file"
    )
    listen: str = _live(
        "always", "when answers are heard; stop words are always heard", choices=LISTEN
    )
    stop_words: tuple[str, ...] = option(STOP, "words that stop the robot, in English", 1)
    confidence: float = _live(
        0.86, "minimum confidence of an answer; higher values refuse more", 0.0, 1.0
    )
    stop_confidence: float = _live(0.84, "minimum confidence of a stop word", 0.0, 1.0)
    barge_in: bool = _live(True, "accept an answer while the robot speaks, and cut its speech off")
    echo_guard: bool = _live(True, "ignore words that the robot is saying itself")
    ask_limit: float = _live(300.0, "maximum duration of one ask", 1.0, 3600.0, "s")
    say_limit: float = _live(180.0, "maximum duration of one say", 1.0, 3600.0, "s")
    longest_text: int = _live(
        1000, "maximum length of a message or question in characters", 1, 20000
    )
    most_options: int = _live(20, "maximum number of options in a question", 1, 100)
    dictation_model: str = option("", "folder of faster-whisper weights; empty: no dictation")
    patience: Patience = field(default_factory=Patience)
