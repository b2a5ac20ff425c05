"""Asks a model whether a program does what an instruction asks, and which instruction would fit.

The program has been verified and stays; the instruction is adapted. Source: ROBO-INSTRUCT, 2.3 and
A.5.4, in other words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from roboinstruct_ros.domain.simulation import Example
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.generate.prompts.examples import ASK_AND_REPORT, LOOK_THEN_BRING
from roboinstruct_ros.learn.question import Kind, Said
from roboinstruct_ros.learn.setting import skill_lines
from roboinstruct_ros.learn.tasks.asking import read_task

_DOES, _FITS, _ASKS = "It does:", "Fits:", "Request:"
_MOST_TOKENS = 256
_ANSWER = re.compile(
    rf"(?P<does>.*?)^\W*{_FITS}\W*(?P<fits>yes|no)\b.*?(?:^\W*{_ASKS}(?P<asks>[^\n]*)|\Z)",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_HEAD = "# Instruction: "

_REPORTS = """\
It notes where it is, goes to Arjun's office, asks Arjun if he is ready to go, yes or no, goes \
back to where it was and says what Arjun said."""

_TWO_JARS = "Take two jars from the pantry to the cellar and tell Ruth about it."
_THREE_JARS = (
    "Take three jars from the pantry to the cellar, one by one, and go back to the pantry."
)
_JARS = """\
def task_program():
    go_to("pantry")
    for _ in range(3):
        pick("jar")
        go_to("cellar")
        place("jar")
        go_to("pantry")
"""
_CARRIES = """\
It goes to the pantry, and three times it picks up a jar, goes to the cellar, puts the jar down \
there, and goes back to the pantry."""

_BRING_AND_TELL = (
    "Bring a red marker to the main office and tell Eve in her office that it is there."
)
_LOOKS = """\
It goes to the main office and looks for a red marker. If there is one, it goes to Eve's office \
and says that there is one in the main office. Otherwise it goes to the supply room, picks a red \
marker up, goes to the main office and puts it down there."""


@dataclass(frozen=True)
class Judgement:
    """A model's judgement of an instruction and a program.

    Attributes:
        fits: the program does what the instruction asks, all of it and nothing else.
        asks: an instruction that asks for exactly what the program does; "" if there is none.
    """

    fits: bool
    asks: str


def kind_of(domain: Domain) -> Kind:
    """The common part of all questions."""
    rules = (
        "You compare requests to a robot with the programs that were written for them. The robot "
        f"has these skills, beside what Python has:\n{skill_lines(domain)}"
        "A program stays as it is: it may do less than was asked, or more, or something else. For "
        f"each one write three lines. '{_DOES}' tells all that it does, call by call, with every "
        f"condition, repetition and name. '{_FITS}' says yes where the request asks for just that, "
        f"else no. '{_ASKS}' is a request that asks for just what the program does, in one or two "
        "sentences such as a person would say, without words of programs."
    )
    shown = _of_service_robots() if domain.is_service_robot else _of_others(domain.examples)
    return Kind(rules, shown, _DOES, _MOST_TOKENS)


def asked(instruction: str, program: str) -> str:
    """One question."""
    return f"The request: {instruction}\nThe program:\n{program.rstrip()}"


def read_judgement(said: Said) -> Judgement | None:
    """Parse the judgement in a model's text; None if there is none."""
    found = _ANSWER.match(said.text)
    if found is None:
        return None
    request = (found["asks"] or "").strip()
    return Judgement(found["fits"].lower() == "yes", read_task(Said(request, said.whole)))


def _answer(does: str, fits: bool, asks: str) -> str:
    return f"{does}\n{_FITS} {'yes' if fits else 'no'}\n{_ASKS} {asks}"


def _split(example: str) -> tuple[str, str]:
    words, _, program = example.partition("\n")
    return words.removeprefix(_HEAD), program


def _of_service_robots() -> tuple[tuple[str, str], ...]:
    report, report_program = _split(ASK_AND_REPORT)
    bring, bring_program = _split(LOOK_THEN_BRING)
    return (
        (asked(report, report_program), _answer(_REPORTS, True, report)),
        (asked(_TWO_JARS, _JARS), _answer(_CARRIES, False, _THREE_JARS)),
        (asked(_BRING_AND_TELL, bring_program), _answer(_LOOKS, False, bring)),
    )


def _of_others(examples: Sequence[Example]) -> tuple[tuple[str, str], ...]:
    """A task with its own program, and one with that of another task."""
    if len(examples) < 2:
        return ()
    one, other = examples[:2]
    first, second = one.instruction, other.instruction
    return (
        (asked(first, one.program), _answer(f"What was asked: {first}", True, first)),
        (asked(first, other.program), _answer(f"Something else: {second}", False, second)),
    )
