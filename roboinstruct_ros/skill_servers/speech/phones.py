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
_SOUND = re.compile("|".join([*sorted(_IPA, key=len, reverse=True), "."]), re.DOTALL)
_SILENT = re.compile(r"[ˈˌː|‖]")


def phones_of(ipa: str) -> tuple[str, ...]:
    """The CMU phones for a result of `EspeakVoice.pronounce`.

    Raises:
        ValueError: a sound that English does not have.
    """
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
