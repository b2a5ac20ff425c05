"""A few words from a model that can read, on something else than a program."""

from __future__ import annotations

from roboinstruct_ros.generate.backend import Backend, BackendError, Request, StopSignal

ONLY_PROGRAMS = frozenset({"instruction_comment"})
"""Prompt formats of models that were trained to write programs and nothing else."""


def can_read(prompt_format: str) -> bool:
    """Whether a model with this prompt format takes in more than an instruction."""
    return prompt_format not in ONLY_PROGRAMS


def plain_answer(
    backend: Backend, prompt: str, max_tokens: int, cancel: StopSignal, stop: str = "\n\n"
) -> str:
    """What the model says to `prompt`, up to `stop`; empty when it says nothing or fails.

    What it says is a help and never needed, so a model that fails here is not an error: it will
    say why when it writes the program.
    """
    text = ""
    try:
        left = backend.describe().context - backend.count_tokens(prompt)
        if left < 1:
            return ""
        for token in backend.stream(Request(prompt, min(max_tokens, left)), cancel):
            text += token.text
            if stop in text.lstrip():
                break
    except BackendError:
        return ""
    return "" if cancel.is_set() else text.lstrip().partition(stop)[0].strip()
