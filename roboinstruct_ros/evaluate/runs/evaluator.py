"""Evaluates items one by one: writes the program, runs it, and judges it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import lru_cache

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.evaluate.runs.asked import Asked
from roboinstruct_ros.evaluate.runs.given_programs import Given, GivenWriter
from roboinstruct_ros.evaluate.runs.items import Item
from roboinstruct_ros.evaluate.runs.record import Record
from roboinstruct_ros.evaluate.runs.writer import Writer, Writing
from roboinstruct_ros.evaluate.suite.judge import Judgement, Written, judged
from roboinstruct_ros.evaluate.suite.outcome import Outcome
from roboinstruct_ros.evaluate.worlds.trials import Trials
from roboinstruct_ros.generate.backends.open_backend import backend_for, larger_for


@dataclass(frozen=True)
class Work:
    """An item in the form sent to another process.

    Attributes:
        given: an existing program; None has the model write one.
    """

    asked: Asked
    item: Item
    given: Given | None = None


def evaluate(work: Work) -> Record:
    """The record of one item. Model, verifier and the child of the trials stay for the next one.

    Raises:
        BackendError: the model cannot be loaded.
    """
    return _evaluator(work.asked)(work.item, work.given)


class Evaluator:
    """Holds what an evaluation needs. Call it with an item."""

    def __init__(self, asked: Asked) -> None:
        """Load the model if it has to write.

        Raises:
            BackendError: it cannot be loaded.
        """
        self._opened, options = ExitStack(), asked.way_of_writing
        self._trials = self._opened.enter_context(closing(Trials()))
        self._seed = options.seed
        if asked.programs:
            self._given = self._opened.enter_context(closing(GivenWriter(options.verify)))
            return
        backend = backend_for(asked.model, asked.loading, options.candidates)
        backend.load()
        self._opened.callback(backend.unload)
        larger = larger_for(asked.loading)
        if larger is not None:
            larger.load()  # without its server, the figures would be the smaller model's
            self._opened.callback(larger.unload)
        writer = Writer(backend, options, asked.tell_all, larger)
        self._write = self._opened.enter_context(closing(writer))

    def __call__(self, item: Item, given: Given | None = None) -> Record:
        if given is None:
            writing = self._write(item.case, item.seed(self._seed))
        else:
            writing = self._given(item.case, given)
        return recorded(item, writing, judged(item.case, writing.written, self._trials))

    def close(self) -> None:
        """Free the model, end the children."""
        self._opened.close()


@lru_cache(maxsize=1)
def _evaluator(asked: Asked) -> Callable[[Item, Given | None], Record]:
    """One per process; its children end with the process."""
    return Evaluator(asked)


def recorded(item: Item, writing: Writing, judgement: Judgement) -> Record:
    """The record of one evaluation."""
    case, written = item.case, writing.written
    in_words = written.kind not in (None, AnswerKind.PROGRAM)
    return Record(
        key=item.key,
        kind=case.kind,
        parts=case.parts,
        text=case.text,
        wanted=tuple(sorted(case.wanted, key=lambda kind: kind.value)),
        outcome=judgement.outcome,
        answer=written.kind,
        program=writing.program,
        said=written.text if in_words else "",
        choices=written.choices,
        offers=written.offers,
        why=judgement.why,
        first_codes=writing.first_codes,
        codes=writing.codes,
        worlds=judgement.worlds,
        confidence=written.confidence,
        notes=written.notes,
        attempts=writing.attempts,
        tokens=writing.tokens,
        seconds=round(written.seconds, 3),
    )


def lost(item: Item, deaths: int) -> Record:
    """The record of an item over which processes died repeatedly."""
    nothing = Judgement(Outcome.NOTHING, f"{deaths} processes died over it")
    return recorded(item, Writing(Written(None, "")), nothing)
