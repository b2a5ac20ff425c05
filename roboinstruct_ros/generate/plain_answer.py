"""Asks a model that can read a short question about something other than a program."""

from __future__ import annotations

from roboinstruct_ros.domain.whole_text import whole_text
from roboinstruct_ros.generate.backends.backend import Backend, BackendError, Request, StopSignal
from roboinstruct_ros.generate.backends.conversation import Conversation, Prompt, Role, Turn
from roboinstruct_ros.generate.models.model_notes import CHAT_FORMAT
from roboinstruct_ros.generate.prompts.chat_format import defused

ONLY_PROGRAMS = frozenset({"instruction_comment", "robot_task"})
"""Prompt formats of models that were trained only to write programs."""


def can_read(prompt_format: str) -> bool:
    """Whether a model with this prompt format understands more than an instruction."""
    return prompt_format not in ONLY_PROGRAMS


def plain_answer(
    backend: Backend, asked: str, begins: str, max_tokens: int, cancel: StopSignal
) -> str:
    """The model's answer, up to an empty line; empty if there is none or the model fails.

    The answer is optional help, so a failing model is not an error here: the error will appear when
    the model writes the program.

    Args:
        asked: The prompt.
        begins: The beginning of the answer; only the text after it is returned.
    """
    text = ""
    try:
        description = backend.describe()
        prompt = _prompt(asked, begins, description.prompt_format)
        left = description.context - backend.count_tokens(prompt)
        if left < 1:
            return ""
        for token in backend.stream(Request(prompt, min(max_tokens, left)), cancel):
            text += whole_text(token.text)
            if "\n\n" in text.lstrip():
                break
    except BackendError:
        return ""
    said = "" if cancel.is_set() else text.lstrip().partition("\n\n")[0].strip()
    # Some servers cannot begin an answer, so the model repeats the beginning.
    return said.removeprefix(begins).strip()


def _prompt(asked: str, begins: str, prompt_format: str) -> Prompt:
    if prompt_format == CHAT_FORMAT:
        return Conversation((Turn(Role.USER, defused(asked)),), begins)
    return f"{asked}\n{begins}"
