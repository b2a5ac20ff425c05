"""Words that a message has to have, in any order: `no|without cup !knife NOT`.

`a|b` is one of both, `!a` no word a, `NOT` any word that denies and `!NOT` none; each is a regular
expression. A short word, and a forbidden one, is a whole word; of a long one the beginning will do.
"""

from __future__ import annotations

import re

NOT = (
    r"\b(no|not|none|nobody|nothing|nowhere|never|neither|without|missing|unable|failed|empty|gone|"
    r"absent|zero|0|cannot|isnt|lacks?)\b|n't\b"
)
"""What `NOT` stands for."""


def has_words(message: str, words: str) -> bool:
    """Whether a message has all the words."""
    said = message.lower().replace("\u2019", "'")
    return all([_says(said, word) for word in words.split()])  # each is read, right or wrong


def _says(said: str, word: str) -> bool:
    if word.endswith("NOT"):
        return bool(re.search(NOT, said)) is (word == "NOT")
    if word.startswith("!"):
        return not re.search(rf"\b({word[1:]})\b", said)
    parts = word.lower().split("|")
    return any(re.search(rf"\b{part}\b" if len(part) <= 3 else part, said) for part in parts)
