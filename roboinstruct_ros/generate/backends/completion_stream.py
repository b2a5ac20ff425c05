"""What an OpenAI-compatible server says while it completes a prompt, and when it refuses to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from roboinstruct_ros.generate.backends.backend import Token
from roboinstruct_ros.generate.backends.http_exchange import ServerFault

LONGEST_QUOTE = 160  # characters of what a server says that a person is shown

_OTHER_FIELDS = (b":", b"event:", b"id:", b"retry:")
# llama.cpp: "... exceeds the available context size"; vLLM and OpenAI: "maximum context length is"
_OVERFLOW = re.compile(
    r"context[ _](size|length|window)|exceed_context|longer than the maximum", re.IGNORECASE
)


class Refusal(Exception):
    """The server understood and said no; `str()` are its own words, shortened to one line.

    Attributes:
        overflow: Prompt and answer do not fit into the context.
    """

    def __init__(self, words: str, overflow: bool) -> None:
        super().__init__(words)
        self.overflow = overflow


@dataclass(frozen=True)
class Piece:
    """New text; `cut_off` when the server's bound of tokens ended the text here."""

    text: str
    cut_off: bool = False


def pieces(lines: Iterator[bytes]) -> Iterator[Piece]:
    """The text in a stream of server-sent events, until `[DONE]`.

    Raises:
        Refusal: The server gave up and said why.
        ServerFault: The stream ends in the middle, or is none.
    """
    finished = False
    for line in lines:
        if not line.endswith(b"\n"):
            if not line.startswith(b"data:"[: len(line)]):
                raise _stray(line)
            break  # half an event: the server died while it wrote
        data = _data(line.strip())
        if data == b"[DONE]":
            return
        if data:
            piece, finished = _piece(data)
            yield piece
    if not finished:
        raise ServerFault("the answer ended in the middle; did the server stop?")


def without_beginning(tokens: Iterator[Token], beginning: str) -> Iterator[Token]:
    """The tokens of an answer, without `beginning` where the answer opens with it.

    A server's model begins its turn itself, while elsewhere new text follows a beginning that was
    given. Tokens that are held back or left out come as empty ones: somebody counts them.
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
    """What the body of an HTTP error says."""
    text = answer.decode("utf-8", "replace")
    try:
        said = json.loads(text)
    except ValueError:
        said = {}
    words = text
    if isinstance(said, dict):
        # OpenAI and llama.cpp nest it; older vLLM does not; FastAPI calls it detail.
        error = said.get("error") or said.get("message") or said.get("detail") or text
        words = str(error.get("message") or error) if isinstance(error, dict) else str(error)
    return Refusal(quoted(words), overflow=_OVERFLOW.search(text) is not None)


def quoted(text: str) -> str:
    """A stranger's words as one short line without control characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= LONGEST_QUOTE else line[:LONGEST_QUOTE] + " ..."


def _data(line: bytes) -> bytes:
    """What an event carries; b"" for lines that carry nothing."""
    if line.startswith(b"data:"):
        return line[len(b"data:") :].strip()
    if line.startswith(b"error:"):  # llama.cpp before the summer of 2025
        raise refusal(line[len(b"error:") :])
    if line and not line.startswith(_OTHER_FIELDS):
        raise _stray(line)
    return b""


def _piece(data: bytes) -> tuple[Piece, bool]:
    """The text of one event, and whether the server says that it was the last."""
    try:
        event: Any = json.loads(data)
        if event.get("error"):
            raise refusal(data)
        choices = event["choices"]
        if not choices:  # tells the tokens used
            return Piece(""), False
        # A chat comes in parts of a turn; one part may only say whose turn it is, or think aloud.
        turn = choices[0].get("delta")
        text = choices[0]["text"] if turn is None else turn.get("content") or ""
        reason = choices[0].get("finish_reason")
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        raise ServerFault(_no_stream(data)) from None
    if not isinstance(text, str):
        raise ServerFault(_no_stream(data))
    return Piece(text, cut_off=reason == "length"), reason is not None


def _stray(line: bytes) -> Exception:
    """What to make of a line that is no event: some llama.cpp refuse like this, with status 200."""
    return refusal(line) if line.startswith(b'{"error"') else ServerFault(_no_stream(line))


def _no_stream(data: bytes) -> str:
    words = quoted(data.decode("utf-8", "replace"))
    return f"answered something other than a stream of text: {words}"
