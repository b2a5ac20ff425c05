"""Spoken sound for tests: espeak-ng's, in a quiet room or a loud one."""

from __future__ import annotations

import threading
from functools import cache

import numpy as np

from roboinstruct_ros.skill_servers.speech.espeak import EspeakVoice
from roboinstruct_ros.skill_servers.speech.sound import HEARING_RATE, Sound

LOUDNESS = 0.3
"""Of what reaches a microphone, against espeak-ng's full scale."""
QUIET = 0.4  # s before and after what is said
NOISE = 10.0  # standard deviation of a quiet room's noise, of 32767


def silence(seconds: float) -> Sound:
    return Sound(np.zeros(int(seconds * HEARING_RATE), np.int16), HEARING_RATE)


@cache
def spoken(text: str, language: str = "en-us", snr: float | None = None, rate: int = 165) -> Sound:
    """Somebody says a text, with a pause around it.

    Args:
        snr: signal to noise ratio of white noise, dB; None is a quiet room.
        rate: words a minute.
    """
    said = EspeakVoice(language, rate).synthesize(text, threading.Event()).at_rate(HEARING_RATE)
    samples = said.samples * LOUDNESS
    noise = NOISE if snr is None else np.sqrt(np.mean(samples**2)) / 10 ** (snr / 20)
    pause = np.zeros(int(QUIET * HEARING_RATE))
    whole = np.concatenate([pause, samples, pause])
    whole += np.random.default_rng(len(text)).normal(0, noise, len(whole))
    return Sound(np.clip(whole, -32768, 32767).astype(np.int16), HEARING_RATE)
