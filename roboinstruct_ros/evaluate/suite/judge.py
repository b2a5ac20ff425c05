"""One judge for all sets: whether what came of an instruction is what was wanted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.evaluate.suite.case import Case, Trial
from roboinstruct_ros.evaluate.suite.ways import follows
from roboinstruct_ros.evaluate.worlds.trials import Run, Trials


class Outcome(str, Enum):
    """How a case went.

    WRONG is a program that was accepted and does something else, without a note; NOTED one that
    comes with a note to look twice; NOTHING is no accepted program, and no answer in words;
    ANSWERED is an answer in words that is not of the wanted kind: of a task, a false refusal.
    OFFERED is a question about two programs of which one is right.
    """

    RIGHT = "right"
    WRONG = "wrong"
    NOTED = "noted"
    NOTHING = "nothing"
    ANSWERED = "answered"
    OFFERED = "offered"


@dataclass(frozen=True)
class Written:
    """What came of an instruction.

    Attributes:
        kind: None where nothing was accepted.
        text: the program, else what is said; of nothing the reason.
        notes: what is said beside an accepted program.
        choices: of a question.
        offers: programs that the choices of a question stand for.
        confidence: as the generation has it.
        seconds: s it took.
    """

    kind: AnswerKind | None
    text: str
    notes: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    confidence: float | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class Judgement:
    """The outcome, and what the program did instead, of two the likelier one; "" when it is
    right."""

    outcome: Outcome
    why: str = ""


def judged(case: Case, written: Written, trials: Trials) -> Judgement:
    """How the case went; programs run in the child of `trials`."""
    if written.kind is None:
        return Judgement(Outcome.NOTHING, written.text)
    if written.kind is not AnswerKind.PROGRAM:
        if AnswerKind.PROGRAM in case.wanted:
            faults = [program_fault(case, source, trials) for source in written.offers]
            if "" in faults:
                return Judgement(Outcome.OFFERED, faults[0])
        right = written.kind in case.wanted and case.choices <= set(written.choices)
        return Judgement(Outcome.RIGHT if right else Outcome.ANSWERED)
    wrong = Outcome.NOTED if written.notes else Outcome.WRONG
    if AnswerKind.PROGRAM not in case.wanted:
        return Judgement(wrong, "it is no task for a program")
    why = program_fault(case, written.text, trials)
    return Judgement(wrong, why) if why else Judgement(Outcome.RIGHT)


def program_fault(case: Case, source: str, trials: Trials) -> str:
    """What the program does wrong in the first world where it does; "" when it is right."""
    if case.check is not None:
        return next((one.why for one in case.check.runs_of(source) if one.why), "")
    runs = trials.run(source, [trial.facts(case.place) for trial in case.trials])
    for trial, run in zip(case.trials, runs, strict=True):
        if why := _fault(trial, run, case.place.start):
            return why
    return ""


def _fault(trial: Trial, run: Run, start: str) -> str:
    if run.fault:
        return f"{run.calls}, then {run.fault}"
    if trial.slept is not None and abs(run.slept - trial.slept) > trial.slept / 10:
        return f"it waits {run.slept:g} s, not {trial.slept:g} s"
    right = any(follows(run.calls, way, start) for way in trial.ways)
    return "" if right else f"{run.calls}"
