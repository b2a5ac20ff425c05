"""espeak-ng as a library: speech synthesis, and the pronunciation of words that the CMU dictionary
lacks, in its 39 phones.

The library and its data come with the `espeakng-loader` wheel or the system's `libespeak-ng1`.
Source of the calls: espeak-ng's `speak_lib.h`.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import re
import threading
import unicodedata
from typing import Any

import numpy as np

from roboinstruct_ros.skill_servers.speech.sound import Samples, Sound, SpeechError

_SYNCHRONOUS = 2
_DO_NOT_EXIT = 0x8000
_UTF8 = 1
_POSITION_CHARACTER = 1
_RATE = 1
_IPA_SEPARATED = 0x02 | (ord("_") << 8)
_BUFFER = 60  # ms between two callbacks
_IPA = {
    "aɪ": "AY", "aʊ": "AW", "ɔɪ": "OY", "eɪ": "EY", "oʊ": "OW", "əʊ": "OW", "tʃ": "CH", "dʒ": "JH",
    "i": "IY", "ɪ": "IH", "ᵻ": "IH", "e": "EH", "ɛ": "EH", "a": "AE", "æ": "AE", "ɑ": "AA",
    "ɒ": "AA", "ɔ": "AO", "o": "OW", "ʊ": "UH", "u": "UW", "ʌ": "AH", "ə": "AH", "ɐ": "AH",
    "ɚ": "ER", "ɜ": "ER", "ɝ": "ER", "y": "UW", "ø": "ER", "œ": "ER",
    "p": "P", "b": "B", "t": "T", "d": "D", "k": "K", "ɡ": "G", "g": "G", "f": "F", "v": "V",
    "θ": "TH", "ð": "DH", "s": "S", "z": "Z", "ʃ": "SH", "ʒ": "ZH", "h": "HH", "m": "M", "n": "N",
    "ŋ": "NG", "l": "L", "ɫ": "L", "r": "R", "ɹ": "R", "j": "Y", "w": "W", "ɾ": "T", "ʔ": "T",
    "x": "K", "ç": "SH", "ɲ": "N",
}  # fmt: skip
"""espeak-ng's sounds, as phones."""
_SOUND = re.compile("|".join([*sorted(_IPA, key=len, reverse=True), "."]), re.DOTALL)
_SILENT = re.compile(r"[ˈˌː|‖]")

_Callback = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p
)
# The library keeps its state in globals: one text at a time per process.
_lock = threading.Lock()


class EspeakVoice:
    """espeak-ng's voice of one language.

    Args:
        language: an espeak-ng voice, optionally with a variant: `en-us`, `en-us+f2`.
        rate: words a minute, 80 to 450.

    Raises:
        SpeechError: espeak-ng or the voice is not installed.
    """

    def __init__(self, language: str = "en-us", rate: int = 165) -> None:
        self.name = f"espeak-ng {language}"
        self._language, self._word_rate = language, rate
        with _lock:
            self._library, self._rate = _loaded()
            self._choose()

    def synthesize(self, text: str, cut: threading.Event) -> Sound:
        pieces: list[Samples] = []

        def take(samples: Any, count: int, _: Any) -> int:
            if samples and count > 0:
                pieces.append(np.ctypeslib.as_array(samples, (count,)).copy())
            return int(cut.is_set())

        encoded = _encoded(text)
        with _lock:
            self._choose()
            callback = _Callback(take)
            self._library.espeak_SetSynthCallback(callback)
            status = self._library.espeak_Synth(
                encoded, len(encoded) + 1, 0, _POSITION_CHARACTER, 0, _UTF8, None, None
            )
        if status != 0:
            raise SpeechError(f"espeak-ng could not speak the text (status {status})")
        return Sound(np.concatenate(pieces) if pieces else np.zeros(0, np.int16), self._rate)

    def pronounce(self, text: str) -> tuple[str, ...]:
        """The pronunciation in CMU phones. Source: `espeak_TextToPhonemes`.

        Raises:
            ValueError: a sound that English does not have.
        """
        rest = ctypes.c_char_p(_encoded(text))
        said: list[str] = []
        with _lock:
            self._choose()
            while rest.value is not None:
                clause = self._library.espeak_TextToPhonemes(
                    ctypes.byref(rest), _UTF8, _IPA_SEPARATED
                )
                said.append((clause or b"").decode("utf-8", "replace"))
        return _phones(" ".join(said))

    def _choose(self) -> None:
        if self._library.espeak_SetVoiceByName(self._language.encode()) != 0:
            raise SpeechError(f"espeak-ng has no voice '{self._language}'; 'en-us' is one")
        self._library.espeak_SetParameter(_RATE, self._word_rate, 0)


@functools.cache  # the library itself is global too
def _loaded() -> tuple[Any, int]:
    """The library and its sample rate (Hz); the lock is held."""
    library, data = _library()
    library.espeak_TextToPhonemes.restype = ctypes.c_char_p
    library.espeak_TextToPhonemes.argtypes = [
        ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_int,
    ]  # fmt: skip
    library.espeak_Synth.argtypes = [
        ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint, ctypes.c_int, ctypes.c_uint,
        ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p,
    ]  # fmt: skip
    rate = library.espeak_Initialize(_SYNCHRONOUS, _BUFFER, data, _DO_NOT_EXIT)
    if rate <= 0:
        raise SpeechError("espeak-ng is here, but its data are not: install espeak-ng-data")
    return library, rate


def _library() -> tuple[Any, bytes | None]:
    """The library and its data folder (None: the library's default)."""
    try:
        import espeakng_loader

        path = espeakng_loader.get_library_path()
        return ctypes.CDLL(path), espeakng_loader.get_data_path().encode()
    except (ImportError, OSError, RuntimeError):
        path = ctypes.util.find_library("espeak-ng")
    if path is None:
        raise SpeechError(
            "no espeak-ng: 'pip install espeakng-loader', or 'apt install libespeak-ng1'"
        )
    try:
        return ctypes.CDLL(path), None
    except OSError as error:
        raise SpeechError(f"espeak-ng cannot be loaded: {error}") from None


def _encoded(text: str) -> bytes:
    # A NUL would end the text, and lone surrogates cannot be encoded.
    return text.replace("\0", " ").encode("utf-8", "replace")


def _phones(ipa: str) -> tuple[str, ...]:
    """The CMU phones for IPA in which `_` separates sounds, and a space words."""
    found: list[str] = []
    for unit in re.split(r"[_\s]+", _SILENT.sub("", ipa)):
        sounds = "".join(c for c in unit if not unicodedata.combining(c) and c not in "\u200dʲʰ;")
        if sounds.startswith("("):  # espeak-ng marks language switches in the text: (en)...(de)
            sounds = re.sub(r"\([a-z-]+\)", "", sounds)
        for sound in _SOUND.findall(sounds):
            if sound not in _IPA:
                raise ValueError(f"the sound '{sound}' is not among those of English")
            found.append(_IPA[sound])
    return tuple(found)
