"""Ranks texts by similarity to some words: BM25, by SQLite's full-text search (FTS5)."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence

from roboinstruct_ros.generate.words.stems import in_digits

NO_FULL_TEXT = (
    "this Python's SQLite has no full-text search (FTS5), so no example is chosen by its words"
)

_WORD = re.compile(r"[^\W_]+")
_EMPTY = frozenset("a an the to of and in it is at on for with that this then".split())


def has_full_text() -> bool:
    """Whether this Python's SQLite can rank texts."""
    with sqlite3.connect(":memory:") as database:
        try:
            database.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
        except sqlite3.OperationalError:
            return False
    return True


def nearest(words: str, texts: Sequence[str], most: int) -> list[int]:
    """Indices of the texts nearest to `words`, the best first.

    Only texts that share a word are returned; of equal ranks, the earlier text comes first. Word
    endings are ignored (Porter's stemmer), and "two" equals 2.

    Raises:
        sqlite3.OperationalError: Full-text search is not available, see `has_full_text`.
    """
    wanted = dict.fromkeys(word for word in _words(words) if word not in _EMPTY)
    if not wanted or not texts or most <= 0:
        return []
    query = " OR ".join(f'"{word}"' for word in wanted)
    database = sqlite3.connect(":memory:")
    try:
        database.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize = 'porter unicode61')")
        rows = ((place, " ".join(_words(text))) for place, text in enumerate(texts))
        database.executemany("INSERT INTO t (rowid, x) VALUES (?, ?)", rows)
        found = database.execute(
            "SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t), rowid LIMIT ?", (query, most)
        )
        return [row[0] for row in found]
    finally:
        database.close()


def _words(text: str) -> list[str]:
    return [in_digits(word) for word in _WORD.findall(text)]
