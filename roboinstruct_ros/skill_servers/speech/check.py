"""What of the robot's speech is there on this machine, without a ROS graph."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from roboinstruct_ros.skill_servers.speech.espeak import EspeakVoice
from roboinstruct_ros.skill_servers.speech.playback import backends, reason
from roboinstruct_ros.skill_servers.speech.recognizer import Recognizer
from roboinstruct_ros.skill_servers.speech.sound import Sound, joined, silence

MEND_SOUND = "plug in a sound card, or give 'device:NAME'; 'none' and 'topic' need none"

_NO_DEVICE = "Discard all samples"
"""What ALSA lists where there is no sound card."""


@dataclass(frozen=True)
class SpeechFinding:
    """One thing that was looked at; `mend` is empty when it is good."""

    what: str
    found: str
    mend: str = ""


def check_speech() -> tuple[SpeechFinding, ...]:
    """Looks for a voice, a recogniser that understands it, loudspeakers and microphones."""
    looks: tuple[tuple[str, Callable[[], SpeechFinding]], ...] = (
        ("voice", _voice),
        ("recogniser", _recogniser),
        ("loudspeaker", lambda: _devices("loudspeaker", "get_playbacks")),
        ("microphone", lambda: _devices("microphone", "get_captures")),
    )
    return tuple(_looked(what, look) for what, look in looks)


def _looked(what: str, look: Callable[[], SpeechFinding]) -> SpeechFinding:
    try:
        return look()
    except Exception as error:  # a missing package or device is what this is for
        return SpeechFinding(what, " ".join(str(error).split())[:200], "make setup")


def _voice() -> SpeechFinding:
    voice, began = EspeakVoice(), time.monotonic()
    sound = voice.synthesize("Here I am.", threading.Event())
    spent = 1000 * (time.monotonic() - began)
    return SpeechFinding("voice", f"{voice.name}; {sound.seconds:.1f} s of sound in {spent:.0f} ms")


def _recogniser() -> SpeechFinding:
    voice = EspeakVoice()
    recognizer = Recognizer(("stop",), voice.pronounce)
    quiet = silence(0.3)
    said: Sound = voice.synthesize("stop", threading.Event()).at_rate(quiet.rate)
    began = time.monotonic()
    heard = recognizer.hear(joined(quiet, said, quiet))
    spent = 1000 * (time.monotonic() - began)
    if heard.stop:
        return SpeechFinding("recogniser", f"pocketsphinx understands 'stop' in {spent:.0f} ms")
    return SpeechFinding("recogniser", f"took 'stop' for '{heard.text}'", "make setup")


def _devices(what: str, of: str) -> SpeechFinding:
    import miniaudio

    try:
        devices: list[dict[str, Any]] = getattr(miniaudio.Devices(backends(miniaudio)), of)()
    except miniaudio.MiniaudioError as error:
        return SpeechFinding(what, f"none: {reason(error)}", MEND_SOUND)
    names = [device["name"] for device in devices]
    named = ", ".join(name for name in names if not name.startswith(_NO_DEVICE))
    return SpeechFinding(what, named or "none", "" if named else MEND_SOUND)
