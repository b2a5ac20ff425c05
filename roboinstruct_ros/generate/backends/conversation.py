"""What a model is given to continue: plain text, or the turns of a conversation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Role(str, Enum):
    """Who speaks in a turn, by the names that chat templates and servers use."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True)
class Turn:
    """One turn of a conversation."""

    role: Role
    text: str


@dataclass(frozen=True)
class Conversation:
    """A conversation whose next turn is the model's.

    One that ends with the model's own turn is no question but a beginning, to be read ahead.

    Attributes:
        turns: System first, where there is one; then user and assistant by turns.
        answer: What the model's next turn begins with, where a backend can say so; new text
            follows it.
    """

    turns: tuple[Turn, ...]
    answer: str = ""

    @property
    def text(self) -> str:
        """All that is said, without what a template puts around it."""
        return "\n".join([*(turn.text for turn in self.turns), self.answer])

    @property
    def is_question(self) -> bool:
        """Whether the model is to speak next."""
        return self.turns[-1].role is not Role.ASSISTANT

    def without_system(self) -> Conversation:
        """The same, with the system's words at the head of the first user turn."""
        first, *rest = self.turns
        if first.role is not Role.SYSTEM or not rest:
            return self
        opening = Turn(rest[0].role, f"{first.text}\n\n{rest[0].text}")
        return Conversation((opening, *rest[1:]), self.answer)


Prompt = str | Conversation
"""Text to continue, or a conversation to answer."""
