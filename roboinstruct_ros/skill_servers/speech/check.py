"""Checks that the robot can speak and hear on this machine, without a ROS graph."""

from __future__ import annotations

import threading
import time

from roboinstruct_ros.skill_servers.speech.espeak import EspeakVoice
from roboinstruct_ros.skill_servers.speech.recognizer import Recognizer
from roboinstruct_ros.skill_servers.speech.sound import SpeechError, joined, silence


def heard_itself() -> str:
    """Have the recogniser hear the robot's own voice. Returns one line with both names and times.

    Raises:
        SpeechError: there is no voice or no recogniser, or it does not understand the voice.
    """
    voice, began = EspeakVoice(), time.monotonic()
    said = voice.synthesize("stop", threading.Event())
    spoken = time.monotonic()
    recognizer, quiet = Recognizer(("stop",), voice.pronounce), silence(0.3)
    ready = time.monotonic()
    heard = recognizer.hear(joined(quiet, said.at_rate(quiet.rate), quiet))
    if not heard.stop:
        raise SpeechError(f"took 'stop' for '{heard.text}'")
    return (
        f"{voice.name}, {said.seconds:.1f} s of sound in {1000 * (spoken - began):.0f} ms; "
        f"pocketsphinx understands 'stop' in {1000 * (time.monotonic() - ready):.0f} ms"
    )
