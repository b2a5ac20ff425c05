"""Checks that a suite can be trusted: its references are right, and their mutants are not."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain, combinations, zip_longest

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.policies import NO_POLICIES
from roboinstruct_ros.domain.semantic_map import folded
from roboinstruct_ros.evaluate.suite.case import Case, Suite
from roboinstruct_ros.evaluate.suite.judge import judged_runs, program_fault
from roboinstruct_ros.evaluate.suite.mutants import Mutant, MutantKind, mutants_of
from roboinstruct_ros.evaluate.suite.names_in_tasks import suite_domain
from roboinstruct_ros.evaluate.suite.ways import without_idle_drives
from roboinstruct_ros.evaluate.worlds.trials import Run, Trials
from roboinstruct_ros.verify.service.worker import VerifierWorker

LEAST_PHRASINGS, LEAST_WORLDS = 5, 3
MOST_ALIKE = 0.85
"""Largest share of words, in order, that two phrasings of one task may have in common."""


@dataclass(frozen=True)
class Caught:
    """A mutant, and the suite's objection to it; "" if it survives."""

    mutant: Mutant
    why: str


@dataclass(frozen=True)
class Share:
    """How many mutants of one kind, or of all, were caught."""

    caught: int
    of: int

    def __str__(self) -> str:
        return f"{self.caught} of {self.of}" + (f", {self.caught / self.of:.1%}" if self.of else "")


def reference_faults(suite: Suite, trials: Trials) -> Iterator[str]:
    """A line for each reference that the verifier rejects, or that goes wrong in a world."""
    worker = VerifierWorker(suite_domain())
    try:
        for case in _references(suite):
            worker.renew(case.place.rooms, NO_POLICIES)
            verdict = worker.verify(case.reference)
            if not verdict.accepted:
                told = [f"line {v.line}: {v.message}" for v in verdict.violations]
                yield f"{case.name}: the verifier says {verdict.status.value}; {'; '.join(told)}"
            if why := program_fault(case, case.reference, trials):
                yield f"{case.name}: {why}"
    finally:
        worker.close()


def notes(suite: Suite) -> Iterator[str]:
    """A line for each task with too few phrasings or worlds."""
    tasks: dict[str, list[Case]] = {}
    for case in suite.cases:
        tasks.setdefault(case.name, []).append(case)
    for name, cases in tasks.items():
        if len(cases) < LEAST_PHRASINGS:
            yield f"{name}: {len(cases)} phrasings, fewer than {LEAST_PHRASINGS}"
        judged_here = AnswerKind.PROGRAM in cases[0].wanted and cases[0].check is None
        if judged_here and len(cases[0].trials) < LEAST_WORLDS:
            yield f"{name}: {len(cases[0].trials)} worlds, fewer than {LEAST_WORLDS}"
        for one, other in combinations([case.text for case in cases], 2):
            if (alike := _alike(one, other)) > MOST_ALIKE:
                yield f"{name}: near duplicates ({alike:.0%}): '{one}' and '{other}'"
    for text, count in Counter(folded(case.text) for case in suite.cases).items():
        if count > 1:
            yield f"given {count} times: '{text}'"


def _alike(one: str, other: str) -> float:
    first, second = (re.findall(r"\w+", text.casefold()) for text in (one, other))
    return SequenceMatcher(None, first, second, autojunk=False).ratio()


def try_mutants(suite: Suite, most: int, seed: int, trials: Trials) -> Iterator[Caught]:
    """Try `most` mutants of the references with different behaviour, spread over all tasks."""
    chance = random.Random(seed)
    done = 0
    right: dict[str, list[object]] = {}
    for case, mutant in _drawn(list(_references(suite)), chance):
        if done == most:
            return
        facts = [trial.facts(case.place) for trial in case.trials]
        runs = trials.run(mutant.source, facts)
        if case.name not in right:
            right[case.name] = _deeds(case, trials.run(case.reference, facts))
        if _deeds(case, runs) == right[case.name]:
            continue
        done += 1
        yield Caught(mutant, next((w.why for w in judged_runs(case, runs) if w.why), ""))


def shares(tried: Iterable[Caught]) -> dict[MutantKind, Share]:
    """How many of each kind were caught."""
    tried = list(tried)
    found = {}
    for kind in MutantKind:
        of_kind = [one for one in tried if one.mutant.kind is kind]
        found[kind] = Share(sum(bool(one.why) for one in of_kind), len(of_kind))
    return found


def _references(suite: Suite) -> Iterator[Case]:
    """The first phrasing of each task that has a reference."""
    return (case for case in suite.cases if case.reference and case.phrasing == 0)


def _drawn(cases: Sequence[Case], chance: random.Random) -> Iterator[tuple[Case, Mutant]]:
    """One mutant of each task in turn, until there are none."""
    by_task = []
    for case in cases:
        mutants = mutants_of(case, chance)
        chance.shuffle(mutants)
        by_task.append([(case, mutant) for mutant in mutants])
    rounds = chain.from_iterable(zip_longest(*by_task))
    return (pair for pair in rounds if pair is not None)


def _deeds(case: Case, runs: Sequence[Run]) -> list[object]:
    """What the runs did, as far as conditions can observe it."""
    return [
        (
            [*without_idle_drives(run.calls, trial.start)],
            [(one.skill, one.error) for one in run.made if one.error],
            run.slept if trial.slept is not None else 0.0,
            run.fault,
        )
        for trial, run in zip(case.trials, runs, strict=True)
    ]
