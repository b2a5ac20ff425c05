"""Parses the answers of an OpenAI-compatible server: streamed text and error messages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from roboinstruct_ros.generate.backends.backend import Token
from roboinstruct_ros.generate.backends.http_exchange import ServerFault

LONGEST_QUOTE = 160  # characters of a server's message shown to a person

_GIVEN_UP = ("abort", "error", "content_filter")
"""Reasons of vLLM, SGLang and others for the end of a text that is not complete."""
_OTHER_FIELDS = (b":", b"event:", b"id:", b"retry:")
# llama.cpp: "... exceeds the available context size"; vLLM and OpenAI: "maximum context length is"
_OVERFLOW = re.compile(
    r"context[ _](size|length|window)|exceed_context|longer than the maximum", re.IGNORECASE
)


class Refusal(Exception):
    """The server understood and refused; `str()` is its message, shortened to one line.

    Attributes:
        overflow: Prompt and answer do not fit into the context.
    """

    def __init__(self, words: str, overflow: bool) -> None:
        super().__init__(words)
        self.overflow = overflow


@dataclass(frozen=True)
class Piece:
    """New text; `cut_off` if the server's token limit ended the text here."""

    text: str
    cut_off: bool = False


def pieces(lines: Iterator[bytes]) -> Iterator[Piece]:
    """The text in a stream of server-sent events, until `[DONE]`.

    Raises:
        Refusal: The server gave up and said why.
        ServerFault: The stream ends early, or is not an event stream.
    """
    finished = False
    for line in lines:
        if not line.endswith(b"\n"):
            if not line.startswith(b"data:"[: len(line)]):
                raise _stray(line)
            break  # half an event: the server died while writing
        data = _data(line.strip())
        if data == b"[DONE]":
            return
        if data:
            piece, finished = _piece(data)
            yield piece
    if not finished:
        raise ServerFault("the answer ended in the middle; did the server stop?")


def without_beginning(tokens: Iterator[Token], beginning: str) -> Iterator[Token]:
    """The tokens of an answer, without `beginning` if the answer opens with it.

    Elsewhere new text follows a given beginning, but a server's model begins its turn itself.
    Tokens that are held back or removed are replaced by empty ones, because the caller counts them.
    """
    text, open_ = "", bool(beginning)
    for token in tokens:
        if not open_:
            yield token
            continue
        text += token.text
        said = text.lstrip()
        if beginning.startswith(said) and said != beginning:
            yield Token("")
            continue
        open_ = False
        yield Token(said.removeprefix(beginning) if said.startswith(beginning) else text)
    if open_ and text:
        yield Token(text)


def refusal(answer: bytes) -> Refusal:
    """Parse the body of an HTTP error."""
    text = answer.decode("utf-8", "replace")
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        said = {}
    words = text
    if isinstance(said, dict):
        # OpenAI and llama.cpp nest the error; older vLLM does not; FastAPI calls it detail.
        error = said.get("error") or said.get("message") or said.get("detail") or text
        words = str(error.get("message") or error) if isinstance(error, dict) else str(error)
    return Refusal(quoted(words), overflow=_OVERFLOW.search(text) is not None)


def quoted(text: str) -> str:
    """Foreign text as one short line without control characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= LONGEST_QUOTE else line[:LONGEST_QUOTE] + " ..."


def _data(line: bytes) -> bytes:
    """The data of an event; b"" for lines without data."""
    if line.startswith(b"data:"):
        return line[len(b"data:") :].strip()
    if line.startswith(b"error:"):  # llama.cpp before the summer of 2025
        raise refusal(line[len(b"error:") :])
    if line and not line.startswith(_OTHER_FIELDS):
        raise _stray(line)
    return b""


def _piece(data: bytes) -> tuple[Piece, bool]:
    """The text of one event, and whether the server marked it as the last."""
    try:
        event: Any = json.loads(data)
        if event.get("error"):
            raise refusal(data)
        choices = event["choices"]
        if not choices:  # reports the token usage
            return Piece(""), False
        # A chat arrives in parts of a turn; one part may contain only the role, or reasoning.
        turn = choices[0].get("delta")
        text = choices[0]["text"] if turn is None else turn.get("content") or ""
        reason = choices[0].get("finish_reason")
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError, IndexError):
        raise ServerFault(_no_stream(data)) from None
    if not isinstance(text, str):
        raise ServerFault(_no_stream(data))
    if reason in _GIVEN_UP:
        raise ServerFault(f"the server gave up in the middle of the answer ({reason})")
    return Piece(text, cut_off=reason == "length"), reason is not None


def _stray(line: bytes) -> Exception:
    """The error in a line that is not an event: some llama.cpp refuse this way, with status 200."""
    return refusal(line) if line.startswith(b'{"error"') else ServerFault(_no_stream(line))


def _no_stream(data: bytes) -> str:
    words = quoted(data.decode("utf-8", "replace"))
    return f"answered something other than a stream of text: {words}"
