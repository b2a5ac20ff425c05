"""A few words from a model that can read, on something else than a program."""

from __future__ import annotations

from roboinstruct_ros.generate.backends.backend import Backend, BackendError, Request, StopSignal
from roboinstruct_ros.generate.backends.conversation import Conversation, Prompt, Role, Turn
from roboinstruct_ros.generate.models.model_notes import CHAT_FORMAT
from roboinstruct_ros.generate.prompts.chat_format import defused

ONLY_PROGRAMS = frozenset(
    {"instruction_comment", "instruction_repairs", "task_dialogue", "robot_task"}
)
"""Prompt formats of models that were trained to write programs and nothing else."""


def can_read(prompt_format: str) -> bool:
    """Whether a model with this prompt format takes in more than an instruction."""
    return prompt_format not in ONLY_PROGRAMS


def plain_answer(
    backend: Backend, asked: str, begins: str, max_tokens: int, cancel: StopSignal
) -> str:
    """What the model says, up to an empty line; empty when it says nothing or fails.

    What it says is a help and never needed, so a model that fails here is not an error: it will
    say why when it writes the program.

    Args:
        asked: What it is told.
        begins: What its answer begins with; new text follows, and is all that is given back.
    """
    text = ""
    try:
        description = backend.describe()
        prompt = _prompt(asked, begins, description.prompt_format)
        left = description.context - backend.count_tokens(prompt)
        if left < 1:
            return ""
        for token in backend.stream(Request(prompt, min(max_tokens, left)), cancel):
            text += token.text
            if "\n\n" in text.lstrip():
                break
    except BackendError:
        return ""
    said = "" if cancel.is_set() else text.lstrip().partition("\n\n")[0].strip()
    # Some servers cannot begin an answer, and the model says it itself.
    return said.removeprefix(begins).strip()


def _prompt(asked: str, begins: str, prompt_format: str) -> Prompt:
    if prompt_format == CHAT_FORMAT:
        return Conversation((Turn(Role.USER, defused(asked)),), begins)
    return f"{asked}\n{begins}"
