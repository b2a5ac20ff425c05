"""Sound as samples and as WAV files."""

from __future__ import annotations

import wave
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.int16]

HEARING_RATE = 16000
"""Sample rate of all input sound (Hz), mono."""


class SpeechError(Exception):
    """Speech, hearing or dictation is impossible; the text is one line for a person."""


def line_of(error: Exception) -> str:
    """What a speech package raised, as at most 200 characters in one line."""
    return " ".join(str(error).split())[:200] or type(error).__name__


@dataclass(frozen=True)
class Sound:
    """Mono sound.

    Attributes:
        samples: int16, shape (n,).
        rate: Hz.
    """

    samples: Samples
    rate: int

    @property
    def seconds(self) -> float:
        return len(self.samples) / self.rate

    def at_volume(self, volume: float) -> Sound:
        """The sound scaled by a volume of 0..1."""
        if volume >= 1.0:
            return self
        return Sound((self.samples * volume).astype(np.int16), self.rate)

    def at_rate(self, rate: int) -> Sound:
        """The sound resampled by linear interpolation; rate in Hz."""
        if rate == self.rate:
            return self
        count = int(len(self.samples) * rate / self.rate)
        places = np.arange(count) * (self.rate / rate)
        between = np.interp(places, np.arange(len(self.samples)), self.samples)
        return Sound(between.astype(np.int16), rate)

    def first(self, seconds: float) -> Sound:
        return Sound(self.samples[: max(0, int(seconds * self.rate))], self.rate)

    def padded(self, seconds: float) -> Sound:
        """The sound with that much silence before and after it."""
        return Sound(np.pad(self.samples, int(seconds * self.rate)), self.rate)

    def write(self, path: Path) -> None:
        with wave.open(str(path), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(self.rate)
            file.writeframes(self.samples.tobytes())


WHISPER = 5.0
"""Standard deviation of a very quiet room's noise, of 32767."""


def in_a_room(samples: Samples, room: np.random.Generator) -> Samples:
    """Add room noise: digital silence has features that no microphone gives, which mislead."""
    whisper = room.normal(0, WHISPER, len(samples))
    return np.clip(samples + whisper, -32768, 32767).astype(np.int16)


def read_wav(path: Path) -> Sound:
    """Read the first channel of a 16-bit WAV file.

    Raises:
        ValueError: it is not such a file.
        OSError: it cannot be read.
    """
    try:
        with wave.open(str(path), "rb") as file:
            if file.getsampwidth() != 2:
                raise ValueError(f"{path}: has {8 * file.getsampwidth()} bit samples, not 16")
            raw = np.frombuffer(file.readframes(file.getnframes()), np.int16)
            return Sound(raw[:: file.getnchannels()].copy(), file.getframerate())
    except (wave.Error, EOFError) as error:
        raise ValueError(f"{path}: is no WAV file ({error or 'it ends early'})") from None
