"""Chooses the examples of a prompt: what was asked before and is most like what is asked now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from roboinstruct_ros.generate.prompts.examples import EXAMPLES
from roboinstruct_ros.generate.prompts.nearest_text import nearest

LONGEST = 2000  # characters of an example; a longer one would crowd the prompt


@dataclass(frozen=True)
class Example:
    """A task that was done.

    Attributes:
        words: All that was asked, as one instruction.
        source: Text of the program.
    """

    words: str
    source: str

    @property
    def text(self) -> str:
        """As it stands in a prompt."""
        return f"# Instruction: {self.words}\n{self.source.rstrip()}\n"


def choose_examples(
    words: str,
    done: Sequence[Example],
    most: int,
    but_not: str = "",
    shown: Sequence[str] = EXAMPLES,
) -> tuple[str, ...]:
    """Texts of the tasks nearest to `words`, in the order of `done`.

    The examples that stand in every prompt take part: one of them that is nearer than a task of
    `done` takes its place, and is not told twice. The order does not depend on who is nearer, so
    that prompts with the same choice begin alike.

    Args:
        done: Tasks that were done, oldest first.
        most: How many examples may be nearest.
        but_not: Program text that the prompt shows anyway.
        shown: Texts of the examples that stand in every prompt.

    Raises:
        sqlite3.OperationalError: There is no full-text search.
    """
    fixed = {_program(text) for text in shown}
    ours = [
        one
        for one in done
        if one.source.strip() not in {*fixed, but_not.strip()} and len(one.text) <= LONGEST
    ]
    texts = [*shown, *(one.text for one in ours)]
    asked = [text.partition("\n")[0] for text in texts]
    chosen = nearest(words, asked, most)
    return tuple(texts[place] for place in sorted(chosen) if place >= len(shown))


def _program(text: str) -> str:
    return text.partition("\n")[2].strip()
