"""Asks a model that can read whether a part of an instruction has to wait.

Source: LLMs Synergy, section 4.1: immediate and deferred task in one answer, and a check of it
before anything is done. The model's words are compared with the instruction; words that nobody said
are not used.
"""

from __future__ import annotations

import re

from roboinstruct_ros.generate.rounds.splitting import Deferred, Split
from roboinstruct_ros.generate.words.stems import content_stems

BEGINS = "Now:"
MOST_TOKENS = 120

_ASKED = """\
# Requests to a robot. Nearly all can be done by one program, which may look, ask with given
# answers, branch and repeat: then "Later" is "nothing". Only when the rest cannot be planned before
# a free answer is known, "Now" is what to do first, and "Later" is "when it is known ...: ...".

Request: Go to the kitchen and if there is an apple, bring it to the living room.
Now: Go to the kitchen and if there is an apple, bring it to the living room.
Later: nothing

Request: Ask Alice what she would like from the kitchen and bring it to her.
Now: Tell Alice to say what she would like from the kitchen.
Later: when it is known what Alice would like from the kitchen: bring it to Alice

Request: Ask Bob if he wants tea or coffee and bring him a cup of it.
Now: Ask Bob if he wants tea or coffee and bring him a cup of it.
Later: nothing

Request: See how the garage looks and we will plan the rest.
Now: See how the garage looks.
Later: when it is known what to do next: do it

Request: {text}"""


def split_prompt(text: str) -> str:
    """The prompt; the model continues it after `BEGINS`."""
    return _ASKED.format(text=text)


def read_split(text: str, said: str) -> Split | None:
    """The split in a model's text; None if there is no usable one.

    Args:
        text: The instruction.
        said: What the model wrote after "Now:".
    """
    match = _SAID.match(said)
    if match is None:
        return None
    now, later = match["now"].strip(), match["later"].strip(" .")
    deferred = Deferred.read(later)
    if later.lower() in ("nothing", "null", "none") or not now:
        return None
    words = {*content_stems(text)}
    told = {*content_stems(now), *content_stems(deferred.rest)}
    if not told <= words or not deferred.rest.strip():
        return None
    return Split(now, str(deferred))


_SAID = re.compile(
    r"^\s*(?P<now>[^\n]{1,400})\n+\s*later:\s*(?P<later>[^\n]{1,400})", re.IGNORECASE
)
