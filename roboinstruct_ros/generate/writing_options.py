"""Limits and strategy for writing one program."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from roboinstruct_ros.domain.option import option
from roboinstruct_ros.generate.choice import Choice
from roboinstruct_ros.generate.prompts.prompt import FeedbackDesign
from roboinstruct_ros.generate.rounds.rounds import Progressive


class Retry(str, Enum):
    """What follows a rejected program if the model can read: REPAIR shows it at once, RESAMPLE
    first draws from the instruction once more."""

    REPAIR = "repair"
    RESAMPLE = "resample"


MOST_CANDIDATES = 16
"""Texts that one llama.cpp context can hold in parallel."""


@dataclass(frozen=True)
class WritingOptions:
    """Bounds of one generation.

    `check_prefixes` abandons programs that no continuation can save. `sampled` draws the first text
    at `temperature` too, instead of greedily. `draws` bounds the texts per attempt, so that repeats
    cannot go on for ever.
    """

    max_attempts: int = option(
        6, "maximum number of different programs to verify", 1, 100,
        flag="--attempts", live=True,
    )  # fmt: skip
    max_tokens: int = option(512, "maximum number of tokens in one program", 16, 8192, flag="",
                             live=True)  # fmt: skip
    temperature: float = option(
        0.4,
        "sampling temperature after the first attempt, which decodes greedily",
        0.0,
        2.0,
        live=True,
    )
    time_limit: float = option(
        60.0, "wall-clock limit of one request, including the wait for the model", 0.1, 3600.0, "s",
        flag="", live=True,
    )  # fmt: skip
    seed: int = option(1, "seed of the first sample; each further sample adds 1", parameter=False)
    grammar: bool = option(
        True, "a grammar restricts the model to task programs; else the model writes any text",
        flag="--no-grammar", live=True,
    )  # fmt: skip
    map_in_prompt: bool = option(
        False, "put the map's rooms, objects and people in the prompt of a completion model; "
        "robot_task and chat prompts always have them", flag="--map-in-prompt", live=True,
    )  # fmt: skip
    examples: int = option(
        2, "maximum number of earlier tasks shown as examples in completion and chat prompts",
        0, 20, live=True,
    )  # fmt: skip
    verify: bool = option(
        True, "verify each program; else take the first program without verifying or accepting it",
        flag="--no-verify", parameter=False,
    )  # fmt: skip
    check_prefixes: bool = True
    sampled: bool = False
    draws: int = 3
    repair: bool = option(
        True, "show rejected programs to a model that can repair them; else only sample another "
        "program",
        flag="--no-repair", parameter=False,
    )  # fmt: skip
    retry: Retry = option(
        Retry.REPAIR, "whether a rejection first shows the model its program or samples another "
        "one", live=True,
    )  # fmt: skip
    candidates: int = option(
        1, "samples drawn in parallel from one prompt", 1, MOST_CANDIDATES, live=True,
    )  # fmt: skip
    choice: Choice = option(
        Choice.BEST,
        "take the first acceptable text, or the behaviour most texts agree on",
        live=True,
    )
    votes: int = option(
        5, "with choice best, samples to draw when the model is unsure of its likeliest text", 1,
        MOST_CANDIDATES, flag="", live=True,
    )  # fmt: skip
    ask_below: float = option(
        0.5, "with choice best, confidence below which a person chooses between two programs",
        0.0, 1.0, lowest="never asks", live=True,
    )  # fmt: skip
    larger_below: float = option(
        0.8, "confidence below which larger_model, if set, writes the program", 0.0, 1.0,
        live=True,
    )  # fmt: skip
    feedback: FeedbackDesign = option(
        FeedbackDesign.PROGRAM_AND_ERRORS, "feedback to the model about a rejected program",
        live=True,
    )  # fmt: skip
    progressive: Progressive = option(
        Progressive.OFF, "whether to split a task into rounds when it depends on facts not known "
        "yet", live=True,
    )  # fmt: skip
    back_translate: bool = option(
        False, "have a capable model describe its program, and compare that with the instruction",
        flag="--back-translate", live=True,
    )  # fmt: skip


WRITING = WritingOptions()
