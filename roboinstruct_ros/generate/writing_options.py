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
        6, "different programs verified at the most", 1, 100,
        flag="--attempts", live=True,
    )  # fmt: skip
    max_tokens: int = option(512, "tokens of one program at the most", 16, 8192, flag="",
                             live=True)  # fmt: skip
    temperature: float = option(
        0.4, "of attempts after the first, which takes the likeliest text", 0.0, 2.0, live=True
    )
    time_limit: float = option(
        60.0, "wall clock of one request, waiting for the model included", 0.1, 3600.0, "s",
        flag="", live=True,
    )  # fmt: skip
    seed: int = option(
        1, "of the first draw; every further draw takes the next number", parameter=False
    )
    grammar: bool = option(
        True, "the model can write task programs only; else the model writes anything",
        flag="--no-grammar", live=True,
    )  # fmt: skip
    map_in_prompt: bool = option(
        False, "tell a model of the format completion what rooms, objects and people the map has; "
        "one of the formats robot_task and chat always is", flag="--map-in-prompt", live=True,
    )  # fmt: skip
    examples: int = option(
        2, "tasks done before that a model of the formats completion and chat is shown, at most",
        0, 20, live=True,
    )  # fmt: skip
    verify: bool = option(
        True, "programs are judged; else the first program is taken, and not accepted",
        flag="--no-verify", parameter=False,
    )  # fmt: skip
    check_prefixes: bool = True
    sampled: bool = False
    draws: int = 3
    repair: bool = option(
        True, "a model that can read is shown its rejected programs; else it only writes another "
        "one",
        flag="--no-repair", parameter=False,
    )  # fmt: skip
    retry: Retry = option(
        Retry.REPAIR, "what follows a rejected program first: it is shown to the model, or another "
        "one is drawn", live=True,
    )  # fmt: skip
    candidates: int = option(
        1, "texts drawn side by side for one prompt", 1, MOST_CANDIDATES, live=True,
    )  # fmt: skip
    choice: Choice = option(
        Choice.BEST, "the first text that will do, or what most texts do", live=True
    )
    votes: int = option(
        5, "with choice at best, texts drawn where the model is not sure of its likeliest", 1,
        MOST_CANDIDATES, flag="", live=True,
    )  # fmt: skip
    ask_below: float = option(
        0.5, "with choice at best, confidence below which a person is asked which of two programs "
        "is meant", 0.0, 1.0, lowest="never asks", live=True,
    )  # fmt: skip
    larger_below: float = option(
        0.8, "confidence below which the larger model writes, where there is one", 0.0, 1.0,
        live=True,
    )  # fmt: skip
    feedback: FeedbackDesign = option(
        FeedbackDesign.PROGRAM_AND_ERRORS, "what a model is told of a rejected program",
        live=True,
    )  # fmt: skip
    progressive: Progressive = option(
        Progressive.OFF, "whether a task that depends on what is not known yet is split into "
        "rounds", live=True,
    )  # fmt: skip
    back_translate: bool = option(
        False, "let a model that can read say what its program does, and compare that with the "
        "instruction", flag="--back-translate", live=True,
    )  # fmt: skip


WRITING = WritingOptions()
