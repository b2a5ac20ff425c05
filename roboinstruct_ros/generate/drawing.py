"""Draws texts from a model, one or several in parallel, and extracts programs from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp

from roboinstruct_ros.domain.answer import Answer
from roboinstruct_ros.domain.whole_text import whole_text
from roboinstruct_ros.generate.backends.backend import (
    Backend,
    Draw,
    Request,
    StopSignal,
    candidates,
)
from roboinstruct_ros.generate.backends.runaway import repeats_itself
from roboinstruct_ros.generate.generation import DraftStarted, OnEvent, TokensWritten
from roboinstruct_ros.generate.ledger import Ledger
from roboinstruct_ros.generate.prefix_check import PrefixCheck
from roboinstruct_ros.generate.program_text import (
    answer_of,
    extract_program,
    is_complete,
    may_be_answer,
)
from roboinstruct_ros.generate.prompts.prompt import knows_places
from roboinstruct_ros.verify.verdict import Verdict


@dataclass(frozen=True)
class Written:
    """A text that has ended.

    Attributes:
        program: "" if there is none, or only a part, which might do part of the task.
        part: the incomplete program of a text that was cut off.
        answer: the answer in words, if the text is one.
        runaway: the text was cut off because it only repeated itself.
        likeliest: the text is the model's likeliest one.
        probability: of the likeliest text: of the complete program, or of the kind of an answer;
            None if unknown.
    """

    program: str
    part: str = ""
    answer: Answer | None = None
    runaway: bool = False
    likeliest: bool = False
    probability: float | None = None


class Drawing:
    """The texts of one generation.

    Args:
        verify: Judges an unfinished program; None lets every text be completed.
        draft: Returns the number of the next program to be judged, under which its text is shown.
    """

    def __init__(
        self,
        backend: Backend,
        ledger: Ledger,
        on_event: OnEvent,
        verify: Callable[[str], Verdict] | None,
        draft: Callable[[], int],
    ) -> None:
        self._backend = backend
        self._likeliest: _Draft | None = None
        self._ledger = ledger
        self._on_event = on_event
        self._verify = verify
        self._draft = draft

    @property
    def is_undecided(self) -> bool:
        """Whether the likeliest text is still in progress and may turn out to be an answer."""
        draft = self._likeliest
        return draft is not None and not draft.over and draft.may_be_answer

    def write(
        self,
        request: Request,
        draws: Sequence[Draw],
        clock: StopSignal,
        elapsed: Callable[[], float],
        attempt: int,
    ) -> Iterator[Written]:
        """Yield each text as soon as it has ended; closing the iterator ends the others.

        Only the first text in progress is shown while it grows. A text that overtakes it is shown
        complete, and then the first one again, under the next number.

        Raises:
            BackendError: As `Backend.stream`.
        """
        answers = knows_places(self._backend.describe().prompt_format)
        drafts = [_Draft(index, self._checked(), answers) for index in range(len(draws))]
        leads = draws[0].temperature == 0 or draws[0].leads
        self._likeliest = drafts[0] if leads else None
        dropped: set[int] = set()
        show = _Show(self._on_event, self._draft, attempt)
        show.begin(drafts[0])
        texts = candidates(self._backend, request, draws, dropped, clock)
        try:
            for new in texts:
                draft = drafts[new.index]
                if new.index in dropped:
                    continue
                text = whole_text(new.text)
                draft.weigh(new.log_p)
                draft.tokens += not new.ended  # also one without text: the limit counts them all
                if text:
                    self._ledger.token(elapsed())
                    draft.take(text)
                first = draft is _first(drafts)
                ended = draft.ended(
                    text, new.ended, new.cut_off or draft.tokens >= request.max_tokens
                )
                if ended is None:
                    if first and not draft.may_be_answer:
                        show.grow(draft)
                else:
                    dropped.add(new.index)
                    if ended.answer is None:
                        show.whole(draft)
                    likeliest = draft is self._likeliest
                    yield replace(ended, likeliest=likeliest, probability=draft.probability)
        finally:
            texts.close()  # a kept traceback would keep this frame, and so the model in use
            self._ledger.end(self._backend.cached_tokens)

    def _checked(self) -> PrefixCheck | None:
        return PrefixCheck(self._verify) if self._verify else None


class _Draft:
    """One text in progress."""

    def __init__(self, index: int, check: PrefixCheck | None, answers: bool) -> None:
        self.index = index
        self._answers = answers
        self.text = self.unseen = ""
        self.tokens = 0
        self.over = False
        self._check = check
        self._log_p: float | None = None

    @property
    def may_be_answer(self) -> bool:
        return self._answers and may_be_answer(self.text)

    @property
    def probability(self) -> float | None:
        return None if self._log_p is None else exp(self._log_p)

    def weigh(self, log_p: float | None) -> None:
        """Add a token's log probability. For an answer only its kind counts, not its wording."""
        worded = self.may_be_answer and ":" in self.text
        if log_p is not None and not worded:
            self._log_p = (self._log_p or 0.0) + log_p

    def take(self, text: str) -> None:
        self.text += text
        self.unseen += text

    def show(self) -> str:
        """The part that has not been shown yet."""
        unseen, self.unseen = self.unseen, ""
        return unseen

    def ended(self, new: str, over: bool, cut_off: bool) -> Written | None:
        """The result if the text is complete or can be ended; else None."""
        if self._answers and ("\n" in new or (over and not cut_off)):
            answer = answer_of(self.text)
            if answer is not None:
                self.over = True
                return Written("", answer=answer)
        complete = "\n" in self.text and is_complete(self.text)
        if not complete and repeats_itself(self.text):
            self.over = True
            return Written("", extract_program(self.text), runaway=True)
        doomed = ""
        if not (complete or over) and self._check is not None and "\n" in new:
            doomed = self._check.doomed(self.text)
        if not (complete or over or doomed):
            return None
        self.over = True
        if doomed:
            return Written(doomed)
        program = extract_program(self.text)
        # Half a program may be valid Python and do half of the task.
        return Written("", program) if cut_off and not complete else Written(program)


def _first(drafts: Sequence[_Draft]) -> _Draft | None:
    return next((draft for draft in drafts if not draft.over), None)


class _Show:
    """Shows the texts to people: one at a time, and none that may be an answer in words."""

    def __init__(self, on_event: OnEvent, draft: Callable[[], int], attempt: int) -> None:
        self._on_event = on_event
        self._draft, self._attempt = draft, attempt
        self._shown = (0, 0)

    def begin(self, draft: _Draft) -> None:
        self._shown = (self._draft(), draft.index)
        self._on_event(DraftStarted(self._shown[0], self._attempt))

    def grow(self, draft: _Draft) -> None:
        if self._shown != (self._draft(), draft.index):
            self.begin(draft)
            draft.unseen = draft.text
        if draft.unseen:
            self._on_event(TokensWritten(self._shown[0], draft.show(), draft.tokens))

    def whole(self, draft: _Draft) -> None:
        if draft.unseen or self._shown != (self._draft(), draft.index):
            self.grow(draft)
