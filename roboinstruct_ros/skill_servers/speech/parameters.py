"""Parameters of `speech`: declared once, read into one value."""

from __future__ import annotations

from dataclasses import dataclass

from rcl_interfaces.msg import (
    FloatingPointRange,
    IntegerRange,
    ParameterDescriptor,
    SetParametersResult,
)
from rclpy.node import Node

from roboinstruct_ros.skill_servers.speech.dialogue import Patience
from roboinstruct_ros.skill_servers.speech.wording import STOP

LISTEN = ("always", "push_to_talk")

TEXTS = {
    "voice": ("", "a Piper voice (.onnx); empty is espeak-ng"),
    "language": ("en-us", "voice of espeak-ng, e.g. en-us, en-us+f3"),
    "audio_out": ("default", "default, device:NAME, none, or a folder for WAV files"),
    "audio_in": ("default", "default, device:NAME, topic, none, or a WAV file"),
    "listen": ("always", "when answers are heard: always, or push_to_talk; stop always is"),
    "dictation_model": ("", "folder of faster-whisper weights; empty is no dictation"),
}
NUMBERS = {
    "volume": (1.0, 0.0, 1.0, "of the voice; 0 is silence"),
    "confidence": (0.86, 0.0, 1.0, "least confidence of an answer; higher refuses more"),
    "stop_confidence": (0.84, 0.0, 1.0, "least confidence of a stop word"),
    "answer_wait": (8.0, 0.1, 600.0, "wait after a question before it is put again, s"),
    "ask_limit": (300.0, 1.0, 3600.0, "how long one ask may take, s"),
    "say_limit": (180.0, 1.0, 3600.0, "how long one say may take, s"),
}
COUNTS = {
    "rate": (165, 80, 450, "of espeak-ng, words a minute"),
    "repeats": (1, 0, 10, "how often an unanswered question is put again"),
    "longest_text": (1000, 1, 20000, "characters of a message or a question"),
    "most_options": (20, 1, 100, "options of a question"),
}
SWITCHES = {
    "read_options": (True, "read the options out before giving up"),
    "barge_in": (True, "an answer counts while the robot still speaks, and cuts its speech"),
    "echo_guard": (True, "words that the robot says itself at the moment are not heard"),
}
LISTS = {"stop_words": (STOP, "words that stop the robot, in English")}
_LIVE = {
    "volume", "listen", "confidence", "stop_confidence", "answer_wait", "ask_limit", "say_limit",
    "repeats", "read_options", "barge_in", "echo_guard", "longest_text", "most_options",
}  # fmt: skip


@dataclass(frozen=True)
class SpeechParameters:
    """What the node was started with, or told since; times in s."""

    voice: str
    language: str
    rate: int
    volume: float
    audio_out: str
    audio_in: str
    listen: str
    stop_words: tuple[str, ...]
    confidence: float
    stop_confidence: float
    barge_in: bool
    echo_guard: bool
    answer_wait: float
    repeats: int
    read_options: bool
    ask_limit: float
    say_limit: float
    longest_text: int
    most_options: int
    dictation_model: str

    @property
    def patience(self) -> Patience:
        """How long a person gets."""
        return Patience(self.answer_wait, self.repeats, self.read_options)


def declare(node: Node) -> SpeechParameters:
    """Declares every parameter on the node and reads it.

    Raises:
        rclpy.exceptions.ParameterException: a value of the wrong type or out of range.
    """
    node.add_on_set_parameters_callback(_check)
    for name, (text, told) in TEXTS.items():
        node.declare_parameter(name, text, _described(name, told))
    for name, (number, low, high, told) in NUMBERS.items():
        described = _described(name, told)
        described.floating_point_range = [FloatingPointRange(from_value=low, to_value=high)]
        node.declare_parameter(name, number, described)
    for name, (count, least, most, told) in COUNTS.items():
        described = _described(name, told)
        described.integer_range = [IntegerRange(from_value=least, to_value=most, step=1)]
        node.declare_parameter(name, count, described)
    for name, (switch, told) in SWITCHES.items():
        node.declare_parameter(name, switch, _described(name, told))
    for name, (words, told) in LISTS.items():
        node.declare_parameter(name, list(words), _described(name, told))
    return read(node)


def read(node: Node) -> SpeechParameters:
    """Reads the declared parameters."""
    given = {name: node.get_parameter(name).value for name in SpeechParameters.__dataclass_fields__}
    return SpeechParameters(**{**given, "stop_words": tuple(given["stop_words"])})


def _described(name: str, text: str) -> ParameterDescriptor:
    return ParameterDescriptor(description=text, read_only=name not in _LIVE)


def _check(parameters: list) -> SetParametersResult:
    for parameter in parameters:
        if parameter.name == "listen" and parameter.value not in LISTEN:
            reason = f"listen: '{parameter.value}' is not one of {', '.join(LISTEN)}"
            return SetParametersResult(successful=False, reason=reason)
        if parameter.name == "stop_words" and not parameter.value:
            return SetParametersResult(successful=False, reason="stop_words: give at least one")
    return SetParametersResult(successful=True)
