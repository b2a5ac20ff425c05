"""Sources of sound: a sound card, a ROS topic, a WAV file, or none."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np

from roboinstruct_ros.skill_servers.speech.playback import (
    backends,
    find_device,
    reason,
    sound_library,
)
from roboinstruct_ros.skill_servers.speech.sound import HEARING_RATE, Samples, SpeechError, read_wav

LONGEST_WAITING = 30.0
"""Most sound (s) that may wait to be processed; older sound is dropped."""
_PERIOD = 30  # ms per chunk from a sound card
_DEAD_AFTER = 2.0  # s without a chunk
_AGAIN = 3.0  # s between attempts to open a missing sound card


class Inbox:
    """Queue of unprocessed sound; any thread puts, one takes."""

    def __init__(self) -> None:
        self._waiting = np.zeros(0, np.int16)
        self._changed = threading.Condition()

    def put(self, samples: Samples) -> None:
        """Add samples (16 kHz, mono); drops the oldest beyond `LONGEST_WAITING`."""
        with self._changed:
            most = int(LONGEST_WAITING * HEARING_RATE)
            self._waiting = np.concatenate([self._waiting, samples])[-most:]
            self._changed.notify()

    def take(self, count: int, limit: float) -> Samples | None:
        """The next `count` samples, or None if they do not arrive within `limit` s."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self._waiting) >= count, limit):
                return None
            taken, self._waiting = self._waiting[:count], self._waiting[count:]
            return taken

    def flush(self) -> Samples:
        """All waiting samples."""
        with self._changed:
            taken, self._waiting = self._waiting, self._waiting[:0]
        return taken


class Microphone:
    """Puts sound into an inbox from `start` to `close`; this base class has no source."""

    def __init__(self, name: str = "none") -> None:
        self.name = name

    def start(self, inbox: Inbox) -> None:
        """Returns at once."""

    def close(self) -> None: ...

    def fault(self) -> str:
        """Why nothing can be heard now, in one line; empty if all is well."""
        return ""


def make_microphone(where: str) -> Microphone:
    """The microphone that `audio_in` selects; `topic` and `none` have no source of their own.

    Raises SpeechError if the file cannot be used.
    """
    if where == "default" or where.startswith("device:"):
        return DeviceMicrophone(where.partition(":")[2])
    return Microphone(where) if where in ("topic", "none") else FileMicrophone(Path(where))


class FileMicrophone(Microphone):
    """Plays a WAV file into the inbox once, in real time."""

    def __init__(self, path: Path) -> None:
        """Raises SpeechError if the file is missing or has no 16-bit samples."""
        super().__init__(str(path))
        try:
            self._sound = read_wav(path.expanduser()).at_rate(HEARING_RATE)
        except OSError as error:
            raise SpeechError(f"audio_in: {path}: {error.strerror}") from None
        except ValueError as error:
            raise SpeechError(f"audio_in: {error}") from None
        self._over = threading.Event()

    def start(self, inbox: Inbox) -> None:
        threading.Thread(target=self._run, args=(inbox,), name="wav", daemon=True).start()

    def close(self) -> None:
        self._over.set()

    def _run(self, inbox: Inbox) -> None:
        size = HEARING_RATE * _PERIOD // 1000
        began = time.monotonic()
        for at in range(0, len(self._sound.samples), size):
            due = began + at / HEARING_RATE
            if self._over.wait(max(0.0, due - time.monotonic())):
                return
            inbox.put(self._sound.samples[at : at + size])


class DeviceMicrophone(Microphone):
    """A sound card through PulseAudio (or PipeWire), ALSA or JACK; retried until it is present."""

    def __init__(self, device: str = "", silent: bool = False) -> None:
        """Take part of a device's name (empty for the default), or miniaudio's null device."""
        super().__init__(f"sound card '{device}'" if device else "sound card")
        self._device, self._silent = device, silent
        self._fault, self._over = "", threading.Event()
        self._came = 0.0
        self._thread: threading.Thread | None = None

    def start(self, inbox: Inbox) -> None:
        self._thread = threading.Thread(
            target=self._run, args=(inbox,), name="microphone", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        if self._thread:
            self._thread.join(1.0)

    def fault(self) -> str:
        return self._fault

    def _run(self, inbox: Inbox) -> None:
        while not self._over.is_set():
            try:
                with self._opened(sound_library()) as device:
                    self._came = time.monotonic()
                    feeding = self._feed(inbox)
                    next(feeding)
                    device.start(feeding)
                    while not self._over.wait(0.2):
                        if time.monotonic() - self._came > _DEAD_AFTER:
                            raise SpeechError("the microphone has fallen silent")
            except Exception as error:  # whatever it is, a deaf robot says so and tries again
                self._fault = reason(error)
                self._over.wait(_AGAIN)

    def _opened(self, miniaudio: Any) -> Any:
        return miniaudio.CaptureDevice(
            input_format=miniaudio.SampleFormat.SIGNED16,
            nchannels=1,
            sample_rate=HEARING_RATE,
            buffersize_msec=_PERIOD,
            device_id=find_device(miniaudio, self._device, "get_captures"),
            backends=backends(miniaudio, self._silent),
            app_name="roboinstruct",
        )

    def _feed(self, inbox: Inbox) -> Generator[None, bytes, None]:
        while True:
            piece = yield
            self._came, self._fault = time.monotonic(), ""
            inbox.put(np.frombuffer(piece, np.int16).copy())
