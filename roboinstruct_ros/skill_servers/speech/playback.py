"""Sound output: a sound card, none (in real time), or WAV files."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import itertools
import threading
import time
from pathlib import Path
from typing import Any

from roboinstruct_ros.skill_servers.speech.sound import Sound, SpeechError

LATENCY = 60
"""Sound buffered by a sound card (ms); it is heard even after a cut."""
DEAD_AFTER = 2.0
"""Time (s) without a request for samples after which a sound card counts as dead."""
KEPT_FILES = 200
"""Most WAV files kept; the oldest are deleted, so that many calls of `say` fill no disk."""
_LOOK = 0.02  # polling period for a sound card, s


class Speaker:
    """Plays one sound after another, from one thread at a time; this base class plays nowhere."""

    name = "no sound"

    def play(self, sound: Sound, cut: threading.Event) -> None:
        """Play to the end or until `cut` is set, in real time. Raises SpeechError if it cannot."""
        cut.wait(sound.seconds)


def make_speaker(where: str) -> Speaker:
    """The speaker that `audio_out` selects. Raises SpeechError if the folder cannot be created."""
    if where == "default" or where.startswith("device:"):
        return DeviceSpeaker(where.partition(":")[2])
    return Speaker() if where == "none" else FolderSpeaker(Path(where))


class DeviceSpeaker(Speaker):
    """A sound card through PulseAudio (or PipeWire), ALSA or JACK.

    It is opened for every sentence, so that a card plugged in later is found and a dead one is
    reported at once.
    """

    def __init__(self, device: str = "", silent: bool = False) -> None:
        """Take part of a device's name (empty for the default), or miniaudio's null device."""
        self.name = f"sound card '{device}'" if device else "sound card"
        self._device, self._silent = device, silent

    def play(self, sound: Sound, cut: threading.Event) -> None:
        miniaudio = sound_library()
        over, asked = threading.Event(), time.monotonic()

        def asks(_: int) -> None:
            nonlocal asked
            asked = time.monotonic()

        try:
            device = miniaudio.PlaybackDevice(
                output_format=miniaudio.SampleFormat.SIGNED16,
                nchannels=1,
                sample_rate=sound.rate,
                buffersize_msec=LATENCY,
                device_id=find_device(miniaudio, self._device, "get_playbacks"),
                backends=backends(miniaudio, self._silent),
                app_name="roboinstruct",
            )
        except (miniaudio.MiniaudioError, OSError) as error:
            raise SpeechError(f"no sound can be played: {reason(error)}") from None
        with device:
            end = time.monotonic() + sound.seconds
            samples = miniaudio.stream_raw_pcm_memory(sound.samples.tobytes(), 1, 2)
            feeding = miniaudio.stream_with_callbacks(samples, asks, end_callback=over.set)
            next(feeding)
            device.start(feeding)
            while not (over.is_set() or cut.wait(_LOOK)):
                if time.monotonic() - asked > DEAD_AFTER:
                    raise SpeechError("the sound card has stopped playing")
            if not cut.is_set():
                # sound still in the card; a late one requests several buffers at once
                cut.wait(max(2 * LATENCY / 1000, end - time.monotonic()))


class FolderSpeaker(Speaker):
    """Writes the audible part of each sound to `0001.wav` and so on."""

    def __init__(self, folder: Path) -> None:
        """Raises SpeechError if the folder cannot be created."""
        self.name = f"WAV files in {folder}"
        self._folder = folder.expanduser()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SpeechError(f"audio_out: {folder}: {error.strerror}") from None
        taken = (int(path.stem) for path in self._folder.glob("*.wav") if path.stem.isdigit())
        self._numbers = itertools.count(max(taken, default=0) + 1)

    def play(self, sound: Sound, cut: threading.Event) -> None:
        began = time.monotonic()
        if cut.wait(sound.seconds):
            sound = sound.first(time.monotonic() - began)
        number = next(self._numbers)
        try:
            (self._folder / f"{number - KEPT_FILES:04d}.wav").unlink(missing_ok=True)
            # renamed only when complete
            half = self._folder / f"{number:04d}.part"
            sound.write(half)
            half.rename(half.with_suffix(".wav"))
        except OSError as error:
            raise SpeechError(f"{self._folder}: {error.strerror}") from None


def sound_library() -> Any:
    """The module miniaudio. Raises SpeechError if it is not installed."""
    try:
        import miniaudio
    except ImportError as error:
        message = f"no sound card without miniaudio: 'pip install miniaudio' ({error})"
        raise SpeechError(message) from None
    return miniaudio


def backends(miniaudio: Any, silent: bool = False) -> list[Any]:
    """Real backends only: miniaudio's default falls back to silence without notice."""
    _quieten_alsa()
    kinds = miniaudio.Backend
    return [kinds.NULL] if silent else [kinds.PULSEAUDIO, kinds.ALSA, kinds.JACK]


def find_device(miniaudio: Any, name: str, of: str) -> Any:
    """The id of the first device whose name contains `name`; None for the default.

    Args:
        of: `get_playbacks` or `get_captures`.

    Raises:
        SpeechError: there is none.
    """
    if not name:
        return None
    try:
        devices = getattr(miniaudio.Devices(backends(miniaudio)), of)()
    except miniaudio.MiniaudioError as fault:
        raise SpeechError(f"no sound card: {reason(fault)}") from None
    for device in devices:
        if name.casefold() in device["name"].casefold():
            return device["id"]
    known = ", ".join(f"'{device['name']}'" for device in devices) or "none"
    raise SpeechError(f"no device with '{name}' in its name; there are: {known}")


def reason(error: Exception) -> str:
    """miniaudio's error message, without its number."""
    return str(error.args[0]) if error.args else type(error).__name__


@functools.cache
def _quieten_alsa() -> None:
    """Suppress ALSA's twenty lines about each missing sound card; this node logs one."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL("libasound.so.2").snd_lib_error_set_handler(_SAY_NOTHING)


_SAY_NOTHING = ctypes.CFUNCTYPE(
    None, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p
)(lambda *_: None)
"""Never garbage-collected, as C code still calls it."""
