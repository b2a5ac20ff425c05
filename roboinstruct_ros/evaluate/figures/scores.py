"""Figures of a set, by kind, each with the interval that it may be off by."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.evaluate.figures.interval import percent
from roboinstruct_ros.evaluate.figures.reliability import Told
from roboinstruct_ros.evaluate.suite.case import Case
from roboinstruct_ros.evaluate.suite.judge import Judgement, Written
from roboinstruct_ros.evaluate.suite.outcome import Outcome

HEAD = """\
| {name} | cases | right | wrong, no note | wrong, with a note | no program | answered instead \
| asked, right among the two |
| --- | --- | --- | --- | --- | --- | --- | --- |"""

_GOOD = (Outcome.RIGHT, Outcome.OFFERED)

PARTS = {1: "one part", 2: "two parts", 3: "three parts or more"}


@dataclass(frozen=True)
class Result:
    """One case, what came of it, and how that is judged."""

    case: Case
    written: Written
    judgement: Judgement

    @property
    def is_task(self) -> bool:
        """Whether a program is wanted."""
        return AnswerKind.PROGRAM in self.case.wanted

    def as_dict(self) -> dict[str, Any]:
        """Everything that somebody who reads the cases wants to see."""
        return {
            "text": self.case.text,
            "kind": self.case.kind,
            "wanted": sorted(kind.value for kind in self.case.wanted),
            "outcome": self.judgement.outcome.value,
            "why": self.judgement.why,
            "answer": self.written.kind.value if self.written.kind else "",
            "said": self.written.text,
            "choices": self.written.choices,
            "offers": self.written.offers,
            "confidence": self.written.confidence,
            "notes": self.written.notes,
            "seconds": round(self.written.seconds, 3),
        }


def told(results: Sequence[Result]) -> list[Told]:
    """How sure a model was of what it wrote, of two programs of the likelier one, and whether that
    is right."""
    return [
        (one.written.confidence, one.judgement.outcome in _GOOD and not one.judgement.why)
        for one in results
        if one.written.confidence is not None
    ]


def table(name: str, results: Sequence[Result]) -> str:
    """Markdown: a line a kind, then sums; below it the false alarms and the time."""
    kinds: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        kinds[result.case.kind].append(result)
        kinds["**tasks**" if result.is_task else "**no tasks**"].append(result)
        if result.case.parts:
            kinds[f"**{PARTS[result.case.parts]}**"].append(result)
    ordered = sorted(kinds, key=lambda kind: (kind.startswith("**"), kind))
    rows = (_row(kind, kinds[kind]) for kind in ordered)
    return "\n".join([HEAD.format(name=name), *rows, "", _below(results)])


def _row(kind: str, results: list[Result]) -> str:
    counts = Counter(result.judgement.outcome for result in results)
    shares = (percent(counts[outcome], len(results)) for outcome in Outcome)
    return f"| {kind} | {len(results)} | {' | '.join(shares)} |"


def _below(results: Sequence[Result]) -> str:
    right = [one for one in results if one.is_task and one.judgement.outcome is Outcome.RIGHT]
    noted = sum(bool(one.written.notes) for one in right)
    seconds = sorted(one.written.seconds for one in results)
    middle, slow = seconds[len(seconds) // 2], seconds[int(len(seconds) * 0.95)]
    return (
        f"Right programs that come with a note all the same: {percent(noted, len(right))}. "
        f"{middle:.2f} s a case at the median, {slow:.2f} s at p95."
    )
