"""The figures of docs/speech.md: run by hand, `python test/skill_servers/speech_figures.py`."""

from __future__ import annotations

import time

from option_sets import CHATTER, OPTION_SETS
from voices import spoken

from roboinstruct_ros.skill_servers.speech.espeak import EspeakVoice
from roboinstruct_ros.skill_servers.speech.recognizer import Heard, Recognizer

CONFIDENCE, STOP_CONFIDENCE = 0.86, 0.84
ROOMS = {
    "a quiet room": ("en-us", None),
    "a woman's voice (en-us+f3)": ("en-us+f3", None),
    "British (en-gb-x-rp)": ("en-gb-x-rp", None),
    "noise at 20 dB": ("en-us", 20.0),
    "noise at 15 dB": ("en-us", 15.0),
    "noise at 10 dB": ("en-us", 10.0),
}


def taken(heard: Heard) -> int | str | None:
    """What the node would do: an option, a stop, or nothing."""
    if heard.stop:
        return "stop" if heard.confidence >= STOP_CONFIDENCE else None
    return heard.option if heard.confidence >= CONFIDENCE else None


def count(recognizer: Recognizer, language: str, snr: float | None) -> tuple[int, int, int, int]:
    """Options right, refused and wrong; stops understood."""
    right = refused = wrong = stops = 0
    for options in OPTION_SETS:
        recognizer.expect(options)
        for index, option in enumerate(options):
            said = taken(recognizer.hear(spoken(option, language, snr)))
            right += said == index
            refused += said is None
            wrong += said not in (index, None)
        stops += taken(recognizer.hear(spoken("stop", language, snr))) == "stop"
    return right, refused, wrong, stops


def main() -> None:
    recognizer = Recognizer(("stop",), EspeakVoice().pronounce)
    began, asked = time.process_time(), sum(map(len, OPTION_SETS))
    for room, (language, snr) in ROOMS.items():
        right, refused, wrong, stops = count(recognizer, language, snr)
        told = f"{right} of {asked} right, {refused} refused, {wrong} wrong"
        print(f"{room}: {told}; stop {stops} of {len(OPTION_SETS)}", flush=True)
    spent = (time.process_time() - began) / (len(ROOMS) * (asked + len(OPTION_SETS)))
    print(f"{1000 * spent:.0f} ms of processor an utterance, its making included")
    answers = stops = 0
    for options in ((), *OPTION_SETS[:16:2]):
        recognizer.expect(options)
        said = [taken(recognizer.hear(spoken(text))) for text in CHATTER]
        stops += said.count("stop")
        answers += sum(isinstance(one, int) for one in said)
    print(f"chatter: {answers} answers, {stops} stops of {9 * len(CHATTER)} utterances")


if __name__ == "__main__":
    main()
