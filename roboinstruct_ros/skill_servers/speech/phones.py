"""Converts espeak-ng's IPA to the 39 phones of the CMU dictionary, for words that it lacks."""

from __future__ import annotations

import re
import unicodedata

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
_LONGEST = max(map(len, _IPA))
_SILENT = re.compile(r"[ˈˌː|‖]")


def phones_of(ipa: str) -> tuple[str, ...]:
    """Return the CMU phones for a result of `EspeakVoice.pronounce`.

    Raises:
        ValueError: a sound that English does not have.
    """
    found: list[str] = []
    for unit in re.split(r"[_\s]+", _SILENT.sub("", ipa)):
        sounds = "".join(c for c in unit if not unicodedata.combining(c) and c not in "\u200dʲʰ;")
        if sounds.startswith("("):  # espeak-ng marks language switches in the text: (en)...(de)
            sounds = re.sub(r"\([a-z-]+\)", "", sounds)
        found += _split(sounds)
    return tuple(found)


def _split(sounds: str) -> list[str]:
    found: list[str] = []
    while sounds:
        size = next((n for n in range(_LONGEST, 0, -1) if sounds[:n] in _IPA), 0)
        if not size:
            raise ValueError(f"the sound '{sounds[0]}' is not among those of English")
        found.append(_IPA[sounds[:size]])
        sounds = sounds[size:]
    return found
