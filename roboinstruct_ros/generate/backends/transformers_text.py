"""Tokenizes prompts and decodes the model's text with a transformers tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from roboinstruct_ros.generate.backends.chat_template import (
    ChatTemplate,
    ChatTemplateError,
    Message,
    tokens_of,
)
from roboinstruct_ros.generate.backends.conversation import Conversation

_BEFORE = 8  # prompt tokens decoded together with new ones


def encoded(tokenizer: Any, text: str, special: bool, beginning: bool) -> list[int]:
    """The tokens of a text.

    Args:
        special: Recognise the names of control tokens; else they are plain text.
        beginning: Prepend the begin-of-text token, if the vocabulary has one.
    """
    answer = tokenizer(text, add_special_tokens=False, split_special_tokens=not special)
    tokens: list[int] = list(answer["input_ids"])
    return [*_beginning(tokenizer), *tokens] if beginning else tokens


def _beginning(tokenizer: Any) -> list[int]:
    first = list(tokenizer("", add_special_tokens=True)["input_ids"])[:1]
    return first if first == [tokenizer.bos_token_id] else []


class TextChat:
    """Conversations with the tokenizer's own template, which transformers runs in Jinja's sandbox.

    Raises:
        ChatTemplateError: There is none, or it cannot be used.
    """

    def __init__(self, tokenizer: Any) -> None:
        if not tokenizer.chat_template:
            raise ChatTemplateError("there is none")

        def render(messages: list[Message], question: bool) -> str:
            return str(
                tokenizer.apply_chat_template(
                    messages, tokenize=False, add_generation_prompt=question
                )
            )

        self._tokenizer = tokenizer
        self._template = ChatTemplate(render)
        added = getattr(tokenizer, "added_tokens_decoder", {})
        self._controls = {token for token, what in added.items() if what.special}
        self._controls |= set(tokenizer.all_special_ids)

    def tokens(self, conversation: Conversation) -> list[int]:
        """The tokens of a conversation; no text of a turn becomes a control token.

        Raises:
            ChatTemplateError: The template fails on it.
        """
        pieces = self._template.pieces(conversation)
        begin = self._tokenizer.bos_token
        begun = bool(begin) and pieces[0].text.startswith(begin)
        beginning = [] if begun else _beginning(self._tokenizer)
        found = tokens_of(
            pieces,
            lambda text, special: encoded(self._tokenizer, text, special, beginning=False),
            self._controls.__contains__,
        )
        return [*beginning, *found]


class TextOut:
    """Decodes tokens into text as they arrive.

    They are decoded together with the prompt's last tokens, because some vocabularies drop the
    leading blank of a text. An incomplete character waits for its remaining bytes.
    """

    def __init__(self, tokenizer: Any, prompt: Sequence[int]) -> None:
        self._tokenizer = tokenizer
        self._tokens = list(prompt[-_BEFORE:])
        self._told = len(self._text())

    def take(self, token: int) -> str:
        """The text that this token completes; may be empty."""
        self._tokens.append(token)
        text = self._text()
        if text.endswith("\ufffd"):
            return ""
        new, self._told = text[self._told :], max(len(text), self._told)
        return new

    def _text(self) -> str:
        return str(
            self._tokenizer.decode(
                self._tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False
            )
        )
