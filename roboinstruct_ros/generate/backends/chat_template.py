"""Turns into the text a model was trained on, by its own template, with its marks kept apart.

A template is run with a stand-in for the text of each turn; what comes out between the stand-ins
is the template's own, and only that may become control tokens. So nothing that a person says can
end a turn or begin another one, whatever the template does.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from roboinstruct_ros.generate.backends.conversation import Conversation, Role, Turn

Message = dict[str, str]
"""A turn as templates and servers take it: `role` and `content`."""

Render = Callable[[list[Message], bool], str]
"""Runs a template; True asks for the head of the model's next turn. May raise anything."""

LONGEST_FAULT = 160  # characters of what a template complains of

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
    """Text of a prompt; only what is `special` may hold control tokens."""

    text: str
    special: bool


class ChatTemplate:
    """One model's template.

    Attributes:
        has_system: Whether it knows the system's role; else those words open the first user turn.

    Raises:
        ChatTemplateError: It does not even render a short conversation.
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
        """The prompt of a conversation, the beginning of the answer included.

        Raises:
            ChatTemplateError: The template fails, or leaves turns out.
        """
        said = conversation if self.has_system else conversation.without_system()
        messages = [
            {"role": turn.role.value, "content": f"T{index}x{self._nonce}x"}
            for index, turn in enumerate(said.turns)
        ]
        try:
            text = self._render(messages, said.is_question)
        except Exception as error:  # a template is a program of somebody else
            raise ChatTemplateError(_shortened(str(error) or type(error).__name__)) from None
        return (*self._split(text, said.turns), Piece(said.answer, special=False))

    def _split(self, text: str, turns: Sequence[Turn]) -> list[Piece]:
        parts = self._stand_in.split(text)  # own text and numbers of turns alternate
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

    Text in one piece has the tokens that a model was trained on, also where template and words
    meet. It is taken when its control tokens are those of the template alone; else somebody's
    words would have become one, and all pieces stand for themselves.

    Args:
        tokenize: The tokens of a text; True takes the names of control tokens for those tokens.
    """
    whole = tokenize("".join(piece.text for piece in pieces), True)
    apart = [token for piece in pieces for token in tokenize(piece.text, piece.special)]
    same = list(filter(is_control, whole)) == list(filter(is_control, apart))
    return whole if same else apart


def messages_of(conversation: Conversation) -> list[Message]:
    """The turns as a server takes them."""
    return [{"role": turn.role.value, "content": turn.text} for turn in conversation.turns]


def _shortened(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= LONGEST_FAULT else line[:LONGEST_FAULT] + " ..."
