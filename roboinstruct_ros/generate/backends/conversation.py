"""The input of a model: plain text, or the turns of a conversation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Role(str, Enum):
    """The speaker of a turn, by the names that chat templates and servers use."""

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
    """A conversation in which the model speaks next.

    A conversation that ends with the model's own turn is a common beginning of prompts, to be
    evaluated ahead.

    Attributes:
        turns: System first, if there is one; then user and assistant in turns.
        answer: The beginning of the model's next turn, if the backend supports it; new text
            follows it.
    """

    turns: tuple[Turn, ...]
    answer: str = ""

    @property
    def text(self) -> str:
        """All words of the conversation, without the template."""
        return "\n".join([*(turn.text for turn in self.turns), self.answer])

    @property
    def is_question(self) -> bool:
        """Whether the model speaks next."""
        return self.turns[-1].role is not Role.ASSISTANT

    def without_system(self) -> Conversation:
        """A copy with the system's words at the head of the first user turn."""
        first, *rest = self.turns
        if first.role is not Role.SYSTEM or not rest:
            return self
        opening = Turn(rest[0].role, f"{first.text}\n\n{rest[0].text}")
        return Conversation((opening, *rest[1:]), self.answer)


Prompt = str | Conversation
"""Text to continue, or a conversation to answer."""
