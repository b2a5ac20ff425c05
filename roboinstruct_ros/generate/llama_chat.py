"""The chat template of a GGUF, and the tokens of a conversation with it."""

from __future__ import annotations

from typing import Any

from roboinstruct_ros.generate.chat_template import ChatTemplate, ChatTemplateError, Message
from roboinstruct_ros.generate.conversation import Conversation

CHAT_TEMPLATE_KEY = "tokenizer.chat_template"


class LlamaChat:
    """Conversations with one loaded `llama_cpp.Llama`.

    Args:
        source: The template, Jinja; run in a sandbox.

    Raises:
        ChatTemplateError: There is none, or it cannot be used.
    """

    def __init__(self, llama: Any, source: str) -> None:
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        if not source.strip():
            raise ChatTemplateError("there is none")
        self._llama = llama
        self._begin = _text(llama, llama.token_bos())
        formatter: Any = Jinja2ChatFormatter
        end = _text(llama, llama.token_eos())
        try:
            asking, telling = (
                formatter(source, end, self._begin, add_generation_prompt=question)
                for question in (True, False)
            )
        except Exception as error:  # Jinja's own, and what a broken one makes of its parser
            raise ChatTemplateError(" ".join(str(error).split())) from None

        def render(messages: list[Message], question: bool) -> str:
            prompt: str = (asking if question else telling)(messages=messages).prompt
            return prompt

        self._template = ChatTemplate(render)

    @property
    def has_system(self) -> bool:
        """Whether the template knows the system's role."""
        return self._template.has_system

    def tokens(self, conversation: Conversation) -> list[int]:
        """The tokens of a conversation.

        Text in one piece has the tokens that the model was trained on, also where template and
        words meet. It is taken when its control tokens are those of the template alone; else
        somebody's words would have become one, and all pieces stand for themselves.

        Raises:
            ChatTemplateError: The template fails on it.
        """
        pieces = self._template.pieces(conversation)
        text = "".join(piece.text for piece in pieces)
        # A template that writes the token which begins every text must not have it twice.
        begin = not (self._begin and text.startswith(self._begin))
        whole = self._tokenize(text, begin, special=True)
        apart = [
            token
            for index, piece in enumerate(pieces)
            for token in self._tokenize(piece.text, begin and index == 0, piece.special)
        ]
        return whole if self._controls(whole) == self._controls(apart) else apart

    def _tokenize(self, text: str, begin: bool, special: bool) -> list[int]:
        if not text and not begin:
            return []
        tokens: list[int] = self._llama.tokenize(text.encode(), add_bos=begin, special=special)
        return tokens

    def _controls(self, tokens: list[int]) -> list[int]:
        import llama_cpp

        vocabulary = self._llama._model.vocab
        return [token for token in tokens if llama_cpp.llama_vocab_is_control(vocabulary, token)]


def _text(llama: Any, token: int) -> str:
    return str(llama._model.token_get_text(token)) if token >= 0 else ""
