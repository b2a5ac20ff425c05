"""One judge for all sets: compares the result of an instruction with the expected one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.condition import condition_text
from roboinstruct_ros.evaluate.suite.case import Case, Place, Trial
from roboinstruct_ros.evaluate.suite.conditions import Course, course_of
from roboinstruct_ros.evaluate.suite.outcome import Outcome, WorldRecord
from roboinstruct_ros.evaluate.suite.ways import follows
from roboinstruct_ros.evaluate.worlds.scripted import Facts, Made
from roboinstruct_ros.evaluate.worlds.trials import Run, Trials


@dataclass(frozen=True)
class Written:
    """The result of an instruction.

    Attributes:
        kind: None if nothing was accepted.
        text: the program, else the answer; if there is neither, the reason.
        notes: notes on an accepted program.
        choices: of a question.
        offers: programs behind the choices of a question.
        confidence: as in `Generation`.
        seconds: time that it took, s.
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
    """How a case went.

    Attributes:
        why: what the program did instead (of two, the likelier one); "" if it is right.
        worlds: the result in each; empty if no program was accepted, or none is expected.
    """

    outcome: Outcome
    why: str = ""
    worlds: tuple[WorldRecord, ...] = ()


def judged(case: Case, written: Written, trials: Trials) -> Judgement:
    """Judge a case; programs run in the child of `trials`."""
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
    worlds = world_records(case, written.text, trials)
    why = _first_fault(worlds)
    return Judgement(wrong if why else Outcome.RIGHT, why, worlds)


def program_fault(case: Case, source: str, trials: Trials) -> str:
    """What the program does wrong in the first world where it does; "" if it is right."""
    return _first_fault(world_records(case, source, trials))


def world_records(case: Case, source: str, trials: Trials) -> tuple[WorldRecord, ...]:
    """The results of the program in each world of the case."""
    if case.check is not None:
        return tuple(case.check.runs_of(source))
    facts = [trial.facts(case.place) for trial in case.trials]
    return judged_runs(case, trials.run(source, facts))


def judged_runs(case: Case, runs: Sequence[Run]) -> tuple[WorldRecord, ...]:
    """Judge the runs of a program, one per world of the case."""
    pairs = zip(case.trials, runs, strict=True)
    return tuple(_record(trial, run, trial.facts(case.place), case.place) for trial, run in pairs)


def _first_fault(worlds: Sequence[WorldRecord]) -> str:
    return next((world.why for world in worlds if world.why), "")


def _record(trial: Trial, run: Run, facts: Facts, place: Place) -> WorldRecord:
    rules, ended = (trial.conditions, trial.goals), not run.fault
    course = course_of(run.made, facts, place.rooms, *rules, ended=ended)
    why = _fault(trial, run, facts.start) or _missed(trial, course)
    return WorldRecord(
        world=trial.name,
        fault=run.fault,
        why=f"in the world '{trial.name}' {why}" if why and trial.name else why,
        goals=(sum(course.goals), len(course.goals)),
        calls=tuple(_line(call) for call in run.made),
    )


def _fault(trial: Trial, run: Run, start: str) -> str:
    if run.fault:
        return f"{run.calls}, then {run.fault}"
    if trial.slept is not None and abs(run.slept - trial.slept) > trial.slept / 10:
        return f"it waits {run.slept:g} s, not {trial.slept:g} s"
    right = not trial.ways or any(follows(run.calls, way, start) for way in trial.ways)
    return "" if right else f"{run.calls}"


def _missed(trial: Trial, course: Course) -> str:
    """The first missed condition or goal, in words; "" if there is none."""
    missed = [
        condition_text(g) for g, held in zip(trial.goals, course.goals, strict=True) if not held
    ]
    return course.broken or (f"at the end it is not so that {missed[0]}" if missed else "")


def _line(call: Made) -> str:
    answer = "" if call.result is None else f" -> {call.result!r}"
    return f"{call.line} fails: {call.error}" if call.error else f"{call.line}{answer}"
