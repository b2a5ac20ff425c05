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
    """Parameters of the node; some may change at run time."""

    voice: str = option(
        "", "a Piper voice (.onnx, with its .onnx.json beside it); empty is espeak-ng"
    )
    language: str = option("en-us", "voice of espeak-ng, e.g. en-us, en-us+f3")
    rate: int = option(165, "of espeak-ng, words a minute", 80, 450)
    volume: float = _live(1.0, "of the voice", 0.0, 1.0, lowest="silence")
    audio_out: str = option(
        "default", "default, device:NAME (a part of it), none, or a folder for WAV files"
    )
    audio_in: str = option(
        "default", "default, device:NAME (a part of it), topic, none, or a WAV file"
    )
    listen: str = _live(
        "always",
        "when answers are heard; stop always is",
        choices=LISTEN,
    )
    stop_words: tuple[str, ...] = option(STOP, "words that stop the robot, in English", 1)
    confidence: float = _live(0.86, "least confidence of an answer; higher refuses more", 0.0, 1.0)
    stop_confidence: float = _live(0.84, "least confidence of a stop word", 0.0, 1.0)
    barge_in: bool = _live(
        True, "an answer counts while the robot still speaks, and cuts its speech"
    )
    echo_guard: bool = _live(True, "words that the robot says itself at the moment are not heard")
    ask_limit: float = _live(300.0, "how long one ask may take", 1.0, 3600.0, "s")
    say_limit: float = _live(180.0, "how long one say may take", 1.0, 3600.0, "s")
    longest_text: int = _live(1000, "characters of a message or a question", 1, 20000)
    most_options: int = _live(20, "options of a question", 1, 100)
    dictation_model: str = option("", "folder of faster-whisper weights; empty is no dictation")
    patience: Patience = field(default_factory=Patience)
