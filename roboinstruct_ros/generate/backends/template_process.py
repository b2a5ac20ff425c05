"""Runs a chat template in its own process, with little time and memory."""

from __future__ import annotations

import weakref
from typing import Any

from roboinstruct_ros.generate.backends.chat_template import ChatTemplateError, Message
from roboinstruct_ros.sandbox.confined_child import ConfinedChild
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.sandbox.wire import WireClosed, WireTimeout

_CHILD = "roboinstruct_ros.generate.backends.template_child"
_LIMITS = Limits(cpu_seconds=0, memory_bytes=512 * 1024 * 1024)
_SECONDS = 2.0
_LONGEST = 256 * 1024  # characters; the longest of known models has 20,000


class TemplateProcess:
    """One template; the process ends with the object. One that has ended is started anew.

    Args:
        source: Jinja.
        begin, end: The begin-of-text and end-of-text tokens in the template's notation.

    Raises:
        ChatTemplateError: It is not a template, or the process cannot be started.
    """

    def __init__(self, source: str, begin: str, end: str) -> None:
        if len(source) > _LONGEST:
            raise ChatTemplateError(f"it has {len(source)} characters; at most {_LONGEST} are read")
        self._setup = {"source": source, "tokens": {"bos_token": begin, "eos_token": end}}
        self._start()

    def render(self, messages: list[Message], question: bool) -> str:
        """The text of a conversation. Raises ChatTemplateError."""
        if not self._child.alive:
            self._end()
            self._start()
        request = {"messages": messages, "add_generation_prompt": question}
        return str(self._answer(request)["text"])

    def _start(self) -> None:
        try:
            self._child = ConfinedChild(_CHILD, _LIMITS)
        except (WireClosed, WireTimeout, OSError) as error:
            raise ChatTemplateError(f"its process could not be started: {error}") from None
        self._end = weakref.finalize(self, self._child.close)
        self._answer(self._setup)

    def _answer(self, message: dict[str, Any]) -> dict[str, Any]:
        try:
            self._child.wire.send(message)
            answer = self._child.wire.receive(_SECONDS)
        except (WireClosed, WireTimeout):
            self._end()  # its next answer would be to this message
            memory = _LIMITS.memory_bytes // 2**20
            fault = f"it takes more than {_SECONDS:.0f} s, {memory} MiB, or writes too much"
            raise ChatTemplateError(fault) from None
        if answer.get("fault"):
            raise ChatTemplateError(str(answer["fault"]))
        return answer
