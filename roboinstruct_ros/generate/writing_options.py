"""How much may be tried to write one program, and how."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from roboinstruct_ros.generate.choice import Choice
from roboinstruct_ros.generate.prompt import FeedbackDesign
from roboinstruct_ros.generate.rounds import Progressive


class Retry(str, Enum):
    """What follows a rejected program, where the model can read: REPAIR shows it at once, RESAMPLE
    draws from the instruction once more before."""

    REPAIR = "repair"
    RESAMPLE = "resample"


@dataclass(frozen=True)
class WritingOptions:
    """Bounds of one generation.

    Attributes:
        max_attempts: Most different programs to verify.
        grammar: Constrain decoding, where there is a grammar.
        map_in_prompt: Tell a model that can read it the names of the map's rooms, and of the
            objects and people where the map lists them.
        examples: Most tasks that were done before to show to a model that is shown examples.
        verify: Judge programs; else the first one is given back, as NOT_VERIFIED.
        check_prefixes: Stop writing what no continuation can save.
        repair: Show rejected programs to a model that can read them; else only sample again.
        retry: Which of the two comes first.
        candidates: Texts drawn side by side for one prompt.
        choice: Which of several texts is taken.
        votes: Texts that are drawn, with BEST, where the model is not sure of the likeliest.
        ask_below: Confidence below which a person is asked, or told; 0 takes whatever is best.
        feedback: What such a model is told.
        max_tokens: Most tokens of one program.
        temperature: Of the first resampled attempt; the very first takes the likeliest text.
        time_limit: Wall clock for everything, s.
        seed: Of the first draw; every further draw takes the next number.
        progressive: Whether an instruction may be split in what is done now and what later.
        back_translate: Let a model that can read say what the accepted program does, and compare.
    """

    max_attempts: int = 6
    max_tokens: int = 512
    temperature: float = 0.4
    time_limit: float = 60.0
    seed: int = 1
    grammar: bool = True
    map_in_prompt: bool = False
    examples: int = 2
    verify: bool = True
    check_prefixes: bool = True
    repair: bool = True
    retry: Retry = Retry.REPAIR
    candidates: int = 1
    choice: Choice = Choice.BEST
    votes: int = 5
    ask_below: float = 0.5
    feedback: FeedbackDesign = FeedbackDesign.PROGRAM_AND_ERRORS
    progressive: Progressive = Progressive.OFF
    back_translate: bool = False
