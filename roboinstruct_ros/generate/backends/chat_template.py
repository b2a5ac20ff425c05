"""Formats conversations with a model's own chat template and keeps control tokens safe.

The template is rendered with a placeholder for the text of each turn. Only the text between the
placeholders comes from the template, and only it may become control tokens. Nothing that a person
says can therefore end a turn or begin another one, whatever the template does.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from roboinstruct_ros.generate.backends.conversation import Conversation, Role, Turn

Message = dict[str, str]
"""A turn in the form of templates and servers: `role` and `content`."""

Render = Callable[[list[Message], bool], str]
"""Renders a template; True appends the head of the model's next turn. May raise anything."""

LONGEST_FAULT = 160  # characters of a template's error message

_PROBE = Conversation(
    (
        Turn(Role.SYSTEM, "s"),
        Turn(Role.USER, "u"),
        Turn(Role.ASSISTANT, "a"),
        Turn(Role.USER, "v"),
    )
)


class ChatTemplateError(ValueError):
    """A template that cannot be used; `str()` is a part of one line."""


@dataclass(frozen=True)
class Piece:
    """Text of a prompt; only a `special` piece may contain control tokens."""

    text: str
    special: bool


class ChatTemplate:
    """One model's template.

    Attributes:
        has_system: Whether it supports the system role; else the system's words open the first user
            turn.

    Raises:
        ChatTemplateError: It fails even on a short conversation.
    """

    def __init__(self, render: Render) -> None:
        self._render = render
        self._nonce = secrets.token_hex(8)
        self._stand_in = re.compile(rf"T(\d+)x{self._nonce}x")
        self.has_system = True
        try:
            self.pieces(_PROBE)
        except ChatTemplateError:
            self.has_system = False
            self.pieces(_PROBE)

    def pieces(self, conversation: Conversation) -> tuple[Piece, ...]:
        """The prompt of a conversation, including the beginning of the answer.

        Raises:
            ChatTemplateError: The template fails, or omits turns.
        """
        said = conversation if self.has_system else conversation.without_system()
        messages = [
            {"role": turn.role.value, "content": f"T{index}x{self._nonce}x"}
            for index, turn in enumerate(said.turns)
        ]
        try:
            text = self._render(messages, said.is_question)
        except Exception as error:  # a template is foreign code
            raise ChatTemplateError(_shortened(str(error) or type(error).__name__)) from None
        return (*self._split(text, said.turns), Piece(said.answer, special=False))

    def _split(self, text: str, turns: Sequence[Turn]) -> list[Piece]:
        parts = self._stand_in.split(text)  # template text and turn numbers alternate
        if [int(number) for number in parts[1::2]] != list(range(len(turns))):
            raise ChatTemplateError("it leaves out turns, or changes their order")
        pieces = []
        for index, part in enumerate(parts):
            own = index % 2 == 0
            pieces.append(Piece(part if own else turns[int(part)].text, special=own))
        return pieces


def tokens_of(
    pieces: Sequence[Piece],
    tokenize: Callable[[str, bool], list[int]],
    is_control: Callable[[int], bool],
) -> list[int]:
    """The tokens of a prompt in pieces.

    Tokenizing all pieces as one text gives the tokens that the model was trained on, even where
    template and words meet. This result is used if its control tokens are those of the template
    alone. Otherwise a person's words have become a control token, and each piece is tokenized by
    itself.

    Args:
        tokenize: The tokens of a text; True recognises the names of control tokens.
    """
    whole = tokenize("".join(piece.text for piece in pieces), True)
    apart = [token for piece in pieces for token in tokenize(piece.text, piece.special)]
    same = list(filter(is_control, whole)) == list(filter(is_control, apart))
    return whole if same else apart


def messages_of(conversation: Conversation) -> list[Message]:
    """The turns in the form of a server's API."""
    return [{"role": turn.role.value, "content": turn.text} for turn in conversation.turns]


def _shortened(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= LONGEST_FAULT else line[:LONGEST_FAULT] + " ..."
