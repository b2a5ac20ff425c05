"""A task as the page shows it, and what of it has changed."""

from __future__ import annotations

from enum import Enum
from typing import Any

from pydantic import computed_field

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.phrase import Phrase
from roboinstruct_ros.web.api_models import Value
from roboinstruct_ros.web.before_approval import Doubt, approving, doubts_of
from roboinstruct_ros.web.own_sentences import phrases_of
from roboinstruct_ros.web.refusal import Refusal, refusal_of
from roboinstruct_ros.web.web_error import error_name

MAX_CALLS = 200
"""Calls that are kept of one run, the last ones; all of them are in the run's bag."""
MAX_PRINTED = 200
"""Lines of output that are kept of one run; a program may print without end."""
AGED = 20
"""Calls and lines of output that are kept of a task that others have followed."""


class Phase(str, Enum):
    """Where a task stands; the last four are its ends. ASKING waits for words of a person. What
    was ANSWERED or REJECTED has no program to run: the writer's words, or none that is safe."""

    WRITING = "writing"
    ASKING = "asking"
    READY = "ready"
    ANSWERED = "answered"
    REJECTED = "rejected"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPING = "stopping"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    DISCARDED = "discarded"


IN_RUN = frozenset({Phase.RUNNING, Phase.PAUSED, Phase.STOPPING})
BUSY = IN_RUN | {Phase.WRITING}
ENDED = frozenset({Phase.ANSWERED, Phase.REJECTED, Phase.SUCCEEDED, Phase.FAILED, Phase.CANCELLED})


class Step(Value):
    """One step of the plan: `number` as "3.1", `line` 1-based, 0 when unknown.

    Attributes:
        text: in English.
        said: the same as key and values of the message files; None where only the text is known.
    """

    number: str
    line: int
    text: str
    said: Any = None


class Said(Value):
    """What the program writer says instead of a program: `kind` as in `domain/answer.py`."""

    kind: AnswerKind
    words: str
    choices: tuple[str, ...] = ()


class TaskError(Value):
    """Why a task ended without success; `line` of the program at which it did, else 0."""

    error_code: int
    error_name: str
    message: str
    line: int = 0

    @classmethod
    def of(cls, code: int, message: str) -> TaskError:
        """That of a `TaskErrorCode`, or of its number in a newer stack."""
        return cls(error_code=code, error_name=error_name(code), message=message)


class Call(Value):
    """One call of a skill; times in s since the Unix epoch, `ended` 0 while it goes on."""

    index: int
    skill: str
    arguments: tuple[Any, ...] = ()
    line: int = 0
    result: Any = None
    error_code: int = 0
    error_msg: str = ""
    started: float = 0.0
    ended: float = 0.0


class RoundView(Value):
    """A round of a task that is over.

    Attributes:
        words: what its program was written for.
        approved_by: who, and with which approval.
    """

    round: int
    words: str
    sha256: str
    approved_by: str


class TaskView(Value):
    """Everything about one task of this session.

    Attributes:
        created: s since the Unix epoch, like all times here.
        author: who asked for it: the name of a device, "kiosk" for whoever is at this machine.
        window: of the page in which it was asked for; empty for a program's.
        here: asked for at this kiosk, not by another client of the stack.
        source: program text so far; `sha256` stands when it is complete.
        draft: number of the program that is written, counted from 1; `attempt` is 2 and more where
            it is to mend rejected ones.
        tokens: written in this draft so far.
        rejected: draft, source and verdict of each program that was not accepted.
        notes: what in the program does not fit the words, as far as names tell.
        confidence: how sure one may be of the program, in a few words.
        task: of the library that the program is a version of; that of this one for a new task.
        version: its number in the task, from 1; 0 when it is not kept.
        succeeded: earlier runs of that version that did; without one it cannot be scheduled.
        follows: id of the task of this session that the words are a follow-up to; empty for none.
        changes: all words of the version that a follow-up is to change; empty for a new task.
        steering: how a follow-up was read.
        words: all of the task as one instruction, where a follow-up has made it; else empty.
        parent_sha256: of the program that it was built upon.
        diff: mark ("+", "-", " ") and text of each line, against version `diff_from`.
        line: in execution, 1-based; 0 when none.
        calls, printed: the last ones; `calls_before`, `printed_before` are not kept.
        ahead: what could go wrong further on, after what has really happened.
        resumes: it goes on with an interrupted run.
        duration: of the run, s.
        round: number of the program that is written, read or run.
        began: when the writing of it began; 0 is `created`.
        now: the words that it is for, where they are not all.
        left: what comes in later rounds.
        answer: what is said instead of a program; in ASKING, what the person has to say first.
        found: what earlier rounds have found out.
        approved_by: who has approved the program of this round; empty until then.
        earlier: the rounds that are over.
    """

    id: str
    text: str
    created: float
    author: str = ""
    window: str = ""
    here: bool = True
    phase: Phase = Phase.WRITING
    model: str = ""
    source: str = ""
    sha256: str = ""
    verdict: dict[str, Any] | None = None
    steps: tuple[Step, ...] = ()
    notes: tuple[str, ...] = ()
    confidence: Phrase | None = None
    task: str = ""
    version: int = 0
    succeeded: int = 0
    follows: str = ""
    changes: str = ""
    steering: str = ""
    words: str = ""
    parent_sha256: str = ""
    diff: tuple[tuple[str, str], ...] = ()
    diff_from: int = 0
    draft: int = 0
    attempt: int = 0
    tokens: int = 0
    rejected: tuple[dict[str, Any], ...] = ()
    written_in: float = 0.0
    line: int = 0
    ahead: str = ""
    resumes: bool = False
    calls: tuple[Call, ...] = ()
    calls_before: int = 0
    printed: tuple[str, ...] = ()
    printed_before: int = 0
    run_started: float = 0.0
    duration: float = 0.0
    error: TaskError | None = None
    round: int = 1
    began: float = 0.0
    now: str = ""
    left: str = ""
    answer: Said | None = None
    found: tuple[str, ...] = ()
    approved_by: str = ""
    earlier: tuple[RoundView, ...] = ()

    def changed(self, **fields: Any) -> TaskView:
        """This task with other values in some fields."""
        return self.model_copy(update=fields)

    def bounded(self, calls: int = MAX_CALLS, printed: int = MAX_PRINTED) -> TaskView:
        """This task with at most so many calls and lines of output, the last ones."""
        more_calls = max(0, len(self.calls) - calls)
        more_printed = max(0, len(self.printed) - printed)
        return self.changed(
            calls=self.calls[more_calls:],
            calls_before=self.calls_before + more_calls,
            printed=self.printed[more_printed:],
            printed_before=self.printed_before + more_printed,
        )

    def aged(self) -> TaskView:
        """This task with less of its run, when others have followed."""
        return self.bounded(AGED, AGED).changed(rejected=self.rejected[-1:])

    @computed_field  # type: ignore[prop-decorator]
    @property
    def busy(self) -> bool:
        """Whether another task has to wait for it."""
        return self.phase in BUSY

    @computed_field  # type: ignore[prop-decorator]
    @property
    def ended(self) -> bool:
        """Whether it has come to its end, other than by being put away."""
        return self.phase in ENDED

    @computed_field  # type: ignore[prop-decorator]
    @property
    def approvable(self) -> bool:
        """Whether a person may have its program run: it was written for this kiosk."""
        return self.phase is Phase.READY and self.here

    @computed_field  # type: ignore[prop-decorator]
    @property
    def schedulable(self) -> bool:
        """Whether it may be approved in advance: it is kept, and its program does all of it."""
        whole = self.round == 1 and not self.left and not self.resumes
        return self.approvable and whole and bool(self.task and self.version)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def answerable(self) -> bool:
        """Whether it has ended with a question of which a person here may choose an answer."""
        asked = self.answer is not None and bool(self.answer.choices)
        return self.phase is Phase.ANSWERED and self.here and self.round == 1 and asked

    @computed_field  # type: ignore[prop-decorator]
    @property
    def changeable(self) -> bool:
        """Whether a follow-up may build upon its program."""
        accepted = self.verdict is not None and self.verdict.get("status") == "accepted"
        # What a later round does depends on what was found: it is no version of the task.
        whole = accepted and self.round <= 1 and bool(self.sha256 and self.source)
        return whole and not self.busy

    @computed_field  # type: ignore[prop-decorator]
    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """What to look at before an approval, each at its step."""
        if self.phase is not Phase.READY:
            return ()
        taken = tuple((self.verdict or {}).get("assumptions", ()))
        lines = tuple(step.line for step in self.steps)
        return doubts_of(self.source, lines, self.notes, taken)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def approving(self) -> Phrase | None:
        """What an approval is for: how many steps, and what moves; None when there is none."""
        return approving(self.source, len(self.steps)) if self.approvable else None

    @computed_field  # type: ignore[prop-decorator]
    @property
    def refusal(self) -> Refusal | None:
        """Why it has no program that may run; None where it has one, or was answered."""
        if self.phase is not Phase.REJECTED:
            return None
        message = self.error.message if self.error else "no program was written"
        return refusal_of(self.text, self.verdict, self.rejected, message, self.changes)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def phrases(self) -> dict[str, Phrase]:
        """The phrases of its texts that are the stack's own, by English text."""
        return phrases_of(self)

    @property
    def wanted(self) -> str:
        """All of the task in words: "undo" alone names no version."""
        return self.words or self.text

    @property
    def name(self) -> str:
        """What the program writer's library knows it by."""
        return f"{self.task}/{self.version}" if self.task and self.version else self.id


FIELDS = (*TaskView.model_fields, *TaskView.model_computed_fields)
GROWING = frozenset({"source", "calls", "printed", "calls_before", "printed_before"})
"""Fields of which a page gets what was added; the two counts follow from it."""


def whole(task: TaskView) -> dict[str, Any]:
    """All of a task, as JSON."""
    return task.model_dump(mode="json")


def difference(before: TaskView | None, now: TaskView) -> dict[str, Any]:
    """What a page that knows `before` has to be told, as JSON: `id` and the fields that changed.

    `source_more`, `calls_more` and `printed_more` are added to what is there (calls by their
    index); with `run_started` calls and output begin anew.
    """
    if before is None:
        return whole(now)
    changed = {name for name in FIELDS if getattr(before, name) != getattr(now, name)}
    told = now.model_dump(mode="json", include={"id"} | changed - GROWING)
    if "source" in changed:
        more = now.source.startswith(before.source) and now.source[len(before.source) :]
        told |= {"source_more": more} if before.source and more else {"source": now.source}
    anew = "run_started" in changed
    if "calls" in changed or anew:
        known = {} if anew else {call.index: call for call in before.calls}
        calls = [call for call in now.calls if known.get(call.index) != call]
        told["calls_more"] = [call.model_dump(mode="json") for call in calls]
    if "printed" in changed or "printed_before" in changed or anew:
        seen = 0 if anew else before.printed_before + len(before.printed)
        told["printed_more"] = list(now.printed[max(0, seen - now.printed_before) :])
    if anew or {"calls_before", "printed_before"} & changed:
        told |= {"calls_before": now.calls_before, "printed_before": now.printed_before}
    return told
