"""Chooses the examples of a prompt: completed tasks that are most similar to the instruction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from roboinstruct_ros.generate.prompts.examples import EXAMPLES
from roboinstruct_ros.generate.prompts.nearest_text import nearest

LONGEST = 2000  # characters of an example; a longer one would fill the prompt


@dataclass(frozen=True)
class Example:
    """A completed task.

    Attributes:
        words: The complete request, as one instruction.
        source: Text of the program.
    """

    words: str
    source: str

    @property
    def text(self) -> str:
        """The form used in a prompt."""
        return f"# Instruction: {self.words}\n{self.source.rstrip()}\n"


def choose_examples(
    words: str,
    done: Sequence[Example],
    most: int,
    but_not: str = "",
    shown: Sequence[str] = EXAMPLES,
) -> tuple[str, ...]:
    """Texts of the tasks nearest to `words`, in the order of `done`.

    The fixed examples of every prompt compete too: one that is nearer than a task of `done` takes
    its place, and is not repeated. The order does not depend on the similarity, so that prompts
    with the same choice begin alike.

    Args:
        done: Completed tasks, oldest first.
        most: Number of nearest examples.
        but_not: Text of a program that the prompt contains anyway.
        shown: Texts of the fixed examples in every prompt.

    Raises:
        sqlite3.OperationalError: Full-text search is not available.
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
