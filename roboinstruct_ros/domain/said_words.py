"""The word notation for messages in policies: `no|without cup !knife NOT`.

The words may occur in any order. `a|b` is either of the two, `!a` forbids the word a, `NOT` is any
negation, also as one of `a|NOT`, and `!NOT` forbids negations; each is a regular expression. A
short or forbidden word matches whole words only; a long one also matches inside a longer word.
"""

from __future__ import annotations

import re

NOT = (
    r"\b(no|not|none|nobody|nothing|nowhere|never|neither|without|missing|unable|failed|empty|gone|"
    r"absent|zero|0|cannot|isnt|lacks?)\b|n't\b"
)
"""The negations that `NOT` matches."""


def has_words(message: str, words: str) -> bool:
    """Whether a message satisfies all the words."""
    said = message.lower().replace("\u2019", "'")
    return all([_says(said, word) for word in words.split()])  # a list: compile every word


def _says(said: str, word: str) -> bool:
    forbidden = word.startswith("!")
    parts = word.removeprefix("!").split("|")
    words = [part for part in parts if part != "NOT"]
    if forbidden:
        words = [rf"\b({'|'.join(words)})\b"] if words else []  # a group keeps its `|`
    else:
        words = [rf"\b{part}\b" if len(part) <= 3 else part for part in words]
    patterns = [*words, NOT] if "NOT" in parts else words
    return forbidden is not any([re.search(one, said, re.IGNORECASE) for one in patterns])
