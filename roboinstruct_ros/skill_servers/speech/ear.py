"""Listens: splits the sound into utterances and recognises or transcribes each."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roboinstruct_ros.skill_servers.speech.dictation import Whisper
from roboinstruct_ros.skill_servers.speech.microphone import Inbox, Microphone
from roboinstruct_ros.skill_servers.speech.recognizer import Heard, Recognizer
from roboinstruct_ros.skill_servers.speech.sound import HEARING_RATE, Samples, Sound, in_a_room

LONGEST_UTTERANCE = 12.0
"""Longest utterance (s); longer speech is divided, so that a radio does not fill memory."""
PAUSE = 0.3
"""Silence that ends an utterance, s."""
RELEASE = 0.3
"""Time (s) after release of the button in which sound still belongs to it: sound and button arrive
by separate routes, and people let go on their last word."""
LONGEST_PRESS = 60.0
"""Time (s) after which the button counts as let go, if nobody has repeated that it is down: whoever
said so may be gone."""
_QUIET = 0.25  # s of silence before and after the sound to recognise
_NOTHING_CAME = 0.3  # s; a gap in the sound counts as silence
_MOST_FRAMES = int(LONGEST_UTTERANCE / 0.03)


@dataclass(frozen=True)
class Utterance:
    """One utterance and its interpretation.

    Attributes:
        heard: the expected phrase that matches best.
        stop: obey it as a stop.
        text: transcription; empty if it was not dictated.
        began: start of its sound, in s on the monotonic clock.
        expected: key of the question whose options were expected; empty for none.
        own: spoken with the push-to-talk button down.
    """

    heard: Heard
    stop: bool = False
    text: str = ""
    began: float = 0.0
    expected: str = ""
    own: bool = False


class Ear:
    """Listens in one thread; its methods may be called from any other."""

    def __init__(
        self,
        microphone: Microphone,
        recognizer: Recognizer,
        dictation: Whisper | None,
        is_stop: Callable[[Heard], bool],
        tell: Callable[[Utterance], None],
        warn: Callable[[str], None],
    ) -> None:
        """`tell` is called in the ear's thread for every utterance."""
        self._warn = warn
        self.microphone = microphone
        self._recognizer, self._dictation, self._tell = recognizer, dictation, tell
        self._is_stop = is_stop
        self.inbox = Inbox()
        self._writing = threading.Lock()
        self._wanted: tuple[str, tuple[str, ...]] = ("", ())
        self._expected = ""
        self._button = self._clicked = self._attending = False
        self._pressed = self._released = self._told = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ear", daemon=True)
        self._endpointer = _Endpointer()

    def start(self) -> None:
        self.microphone.start(self.inbox)
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        self.microphone.close()
        self._thread.join(1.0)

    def expect(self, key: str = "", options: Sequence[str] = ()) -> None:
        """Listen for these options from now on; without options, for stop words only."""
        self._wanted = (key, tuple(options))

    def press(self, down: bool) -> None:
        """The push-to-talk button goes down or up; speech in between is one utterance."""
        now = self._told = time.monotonic()
        if not down:
            self._released = now
        elif not self._button:  # while held down, it may report repeatedly
            self._clicked, self._pressed = True, now
        self._button = down

    @property
    def attends(self) -> bool:
        """Whether the button is down, or what was said with it has not been told yet."""
        return self._clicked or self._attending  # in this order, as the ear's thread changes them

    def _run(self) -> None:
        pressed: list[Samples] | None = None
        began = 0.0
        while not self._over.is_set():
            self._learn()
            frame = self.inbox.take(self._endpointer.size, _NOTHING_CAME)
            if self._clicked:
                if pressed is not None:  # pressed again before the last sound had arrived
                    self._understand_whole(pressed, began)
                self._attending = True
                self._clicked = False  # even after a short press, the waiting sound belongs to it
                pressed, began = [], self._pressed
            spoken = self._endpointer.take(frame)
            # while the button is down, only a stop is acted on at once
            stopped = spoken is not None and self._understand(*spoken, pressed is not None)
            if pressed is None:
                continue
            if self._button and time.monotonic() - self._told > LONGEST_PRESS:
                self.press(False)
            if stopped:
                pressed = []
            elif frame is not None:
                pressed = [*pressed[-_MOST_FRAMES:], frame]
            if not self._button and time.monotonic() - self._released >= RELEASE:
                self._understand_whole([*pressed, self.inbox.flush()], began)
                pressed, self._endpointer = None, _Endpointer()
                self._attending = False

    def _understand_whole(self, frames: list[Samples], began: float) -> None:
        if frames:
            self._understand(np.concatenate(frames), began, own=True)

    def _learn(self) -> None:
        key, options = self._wanted
        if key != self._expected:
            self._expected = key
            try:
                lost = [f"'{options[index]}'" for index in self._recognizer.expect(options)]
            except Exception as error:  # lose one question, not all later ones
                self._warn(f"cannot listen for {', '.join(map(repr, options))}: {error!r}")
                self._recognizer.expect(())  # no answer to the question before is one to this
                return
            if lost:
                self._warn(f"cannot be answered by voice, only by touch: {', '.join(lost)}")

    def _understand(
        self, samples: Samples, began: float, stop_only: bool = False, own: bool = False
    ) -> bool:
        """Interpret and report an utterance. Returns whether it was a stop word."""
        try:
            return self._tell_of(samples, began, stop_only, own)
        except Exception as error:  # lose one utterance, not all later ones
            self._warn(f"could not listen: {error!r}")
            return False

    def _tell_of(self, samples: Samples, began: float, stop_only: bool, own: bool) -> bool:
        self._learn()
        sound = Sound(samples, HEARING_RATE).padded(_QUIET)
        heard = self._recognizer.hear(sound)
        stop = self._is_stop(heard)
        if stop_only and not stop:
            return False
        said = Utterance(heard, stop, began=began, expected=self._expected, own=own)
        if own and not self._expected and self._dictation and not stop:
            # in its own thread: it takes seconds, in which a stop must be heard
            threading.Thread(
                target=self._write, args=(self._dictation, said, sound), daemon=True
            ).start()
        else:
            self._tell(said)
        return stop

    def _write(self, dictation: Whisper, said: Utterance, sound: Sound) -> None:
        with self._writing:
            try:
                self._tell(replace(said, text=dictation.write(sound)))
            except Exception as error:  # faster-whisper raises its own types
                self._warn(f"could not write down what was said: {error!r}")


class _Endpointer:
    """pocketsphinx's voice activity detection, with a length limit and start times."""

    def __init__(self) -> None:
        self._endpointer = _listening()
        self.size = self._endpointer.frame_bytes // 2
        self._room = np.random.default_rng(0)
        self._came: deque[float] = deque(maxlen=round(PAUSE / self._endpointer.frame_length))
        self._speech: list[Samples] = []
        self._began = 0.0

    def take(self, frame: Samples | None) -> tuple[Samples, float] | None:
        """The utterance that ends with this frame, and its start; a gap (None) ends one too."""
        if frame is None:
            spoken = self._ended() if self._endpointer.in_speech else None
            self._endpointer = _listening()
            return spoken
        self._came.append(time.monotonic())
        before = self._endpointer.in_speech
        piece = self._endpointer.process(in_a_room(frame, self._room).tobytes())
        if piece is None:
            return None
        if not before:
            self._began = self._came[0]
        self._speech.append(np.frombuffer(piece, np.int16))
        long = sum(map(len, self._speech)) > LONGEST_UTTERANCE * HEARING_RATE
        return None if self._endpointer.in_speech and not long else self._ended()

    def _ended(self) -> tuple[Samples, float]:
        spoken = np.concatenate(self._speech), self._began
        self._speech, self._began = [], time.monotonic()
        return spoken


def _listening() -> Any:
    from pocketsphinx import Endpointer

    return Endpointer(window=PAUSE, sample_rate=HEARING_RATE)
