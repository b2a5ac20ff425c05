"""Puts a question to a model that can read, in the model's prompt format."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.generate.backends.conversation import Conversation, Prompt, Role, Turn
from roboinstruct_ros.generate.models.model_notes import CHAT_FORMAT
from roboinstruct_ros.generate.prompts.chat_format import defused


@dataclass(frozen=True)
class Kind:
    """The common beginning of many questions, which the model evaluates once.

    Attributes:
        rules: Instructions to the model.
        examples: Questions, each with its answer.
        begins: The beginning of every answer; new text follows it.
        ends: Marks the end of an answer.
        max_tokens: Of an answer.
    """

    rules: str
    examples: tuple[tuple[str, str], ...]
    begins: str
    max_tokens: int
    ends: str = "\n\n"

    def beginning(self, prompt_format: str) -> Prompt:
        """The beginning in the form of this prompt format."""
        if prompt_format == CHAT_FORMAT:
            return Conversation(self._turns())
        shown = (f"{asked}\n{self.begins} {answer}\n\n" for asked, answer in self.examples)
        return f"{self.rules.strip()}\n\n{''.join(shown)}"

    def prompt(self, asked: str, prompt_format: str) -> Prompt:
        """The complete prompt of one question."""
        begun = self.beginning(prompt_format)
        if isinstance(begun, Conversation):
            return Conversation((*begun.turns, _turn(Role.USER, asked)), self.begins)
        return f"{begun}{asked.strip()}\n{self.begins}"

    def _turns(self) -> tuple[Turn, ...]:
        turns = [_turn(Role.SYSTEM, self.rules)]
        for asked, answer in self.examples:
            turns.append(_turn(Role.USER, asked))
            turns.append(_turn(Role.ASSISTANT, f"{self.begins} {answer}"))
        return tuple(turns)


@dataclass(frozen=True)
class Question:
    """One question.

    Attributes:
        temperature, seed: As in `Request`.
    """

    kind: Kind
    asked: str
    temperature: float = 0.0
    seed: int = 1


@dataclass(frozen=True)
class Said:
    """A model's answer.

    Attributes:
        text: Up to the end of the answer, without its fixed beginning; "" if the question does
            not fit into the model's context.
        whole: It was not cut off.
        read, written: Tokens.
    """

    text: str
    whole: bool = True
    read: int = 0
    written: int = 0


def _turn(role: Role, text: str) -> Turn:
    return Turn(role, defused(text.strip()))
