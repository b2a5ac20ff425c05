"""Writes a program for an instruction: generate, verify, repair, until one is accepted.

The first attempt takes the model's most likely text, and with it, where more candidates are asked
for, sampled ones from the same prompt. A rejected program goes back with all its violations to a
model that can read them (seed 001); another model is sampled again, as in the paper's rejection
sampling (seed 000, 2.1). A program that was already rejected is never judged twice: the next seed
is drawn instead. An accepted program that names what the instruction does not, or leaves out what
it does, is kept while a better one is looked for.

Where the model says how likely its likeliest text is, one that is likely enough is taken at once.
Else more are drawn from the same prompt, what most of them do is taken, and where too few agree the
two likeliest programs become a question.

A model that was trained to may answer with words instead of a program. Where texts are not counted
its likeliest one decides: sampled ones neither answer nor overrule an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from roboinstruct_ros.domain.answer import Answer, AnswerKind, choice_in
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.generate.backends.backend import (
    Backend,
    BackendError,
    Draw,
    Request,
    StopSignal,
)
from roboinstruct_ros.generate.backends.conversation import Prompt
from roboinstruct_ros.generate.backends.grammar import NO_GRAMMARS
from roboinstruct_ros.generate.backends.time_limit import TimeLimit
from roboinstruct_ros.generate.choice import Accepted, Ballot, Choice
from roboinstruct_ros.generate.doubt import NOTE, question_between
from roboinstruct_ros.generate.drawing import Drawing, Written
from roboinstruct_ros.generate.generation import DraftVerified, Generation, Offer, OnEvent
from roboinstruct_ros.generate.ledger import Ledger
from roboinstruct_ros.generate.prompts.prompt import Rejected
from roboinstruct_ros.generate.prompts.prompting import PromptError, Prompting, notes_on_change
from roboinstruct_ros.generate.site import UNKNOWN_SITE, Site
from roboinstruct_ros.generate.words.alignment import entities_of
from roboinstruct_ros.generate.words.clarifying_question import question_about
from roboinstruct_ros.generate.words.said_names import SaidNames
from roboinstruct_ros.generate.writing_options import Retry, WritingOptions
from roboinstruct_ros.program.narrate import PlanStep
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.verify.verdict import Verdict

DRAWS_PER_ATTEMPT = 3  # texts drawn for one attempt, so that repeats cannot go on for ever
TEMPERATURE_STEP = 0.1  # added with every round: a model sure of a wrong program must be shaken
TEMPERATURE_MAX = 1.0
VOTING_TEMPERATURE = 0.7  # at the least, of texts that are counted
MOST_RUNAWAYS = 3  # texts that only repeat themselves, before no other is drawn


def write_program(
    instruction: Instruction,
    backend: Backend,
    verify: Callable[[str], Verdict],
    options: WritingOptions,
    on_event: OnEvent,
    cancel: StopSignal,
    site: Site = UNKNOWN_SITE,
) -> Generation:
    """The first accepted program for `instruction`, or the typed reason why there is none.

    Args:
        instruction: A checked instruction.
        backend: A loaded model.
        verify: Judges program text; called once for each different program.
        options: Bounds.
        on_event: Told of everything on the way and, last, of what is returned.
        cancel: Ends the work within 100 ms wherever the model is in it.
        site: What is known of the robot and its place.

    Raises:
        Nothing for what a model or an instruction can do; see `Generation.error_code`.
    """
    work = _Work(instruction, backend, verify, options, on_event, cancel, site)
    try:
        generation = work.run()
    except BackendError as error:
        generation = work.failed(error.code, error.message)
    except PromptError as fault:
        generation = work.failed(fault.code, fault.message)
    except _Halted as halt:
        generation = work.failed(halt.code, halt.message, halt.answer)
    on_event(generation)
    return generation


class _Halted(Exception):
    def __init__(self, code: TaskErrorCode, message: str, answer: Answer | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.answer = answer


class _Clock(TimeLimit):
    """The time of one generation."""

    def check(self) -> None:
        if self.cancel.is_set():
            raise _Halted(TaskErrorCode.CANCELED, "writing the program was cancelled")
        if not self.left:
            raise _Halted(
                TaskErrorCode.TIMEOUT,
                f"no accepted program within the time limit of {self.limit:g} s",
            )


class _Work:
    """One generation in progress; lives as long as one call of `write_program`."""

    def __init__(
        self,
        instruction: Instruction,
        backend: Backend,
        verify: Callable[[str], Verdict],
        options: WritingOptions,
        on_event: OnEvent,
        cancel: StopSignal,
        site: Site,
    ) -> None:
        self._instruction = instruction
        self._backend = backend
        self._verify = verify
        self._options = options
        self._on_event = on_event
        self._site = site
        self._grammars = site.grammars if options.grammar else NO_GRAMMARS
        self._note = ""
        self._question: Answer | None = None
        self._missing = ""
        self._asked_about: tuple[str, Verdict | None] = ("", None)
        self._rejected: list[Rejected] = []
        self._ledger = Ledger()
        counted = (options.votes, options.candidates, options.ask_below)
        self._ballot = Ballot(*counted) if options.choice is Choice.BEST else Ballot()
        self._clock = _Clock(cancel, options.time_limit)
        self._seen: set[str] = set()
        self._source = ""
        self._verdict: Verdict | None = None
        self._cut_off = self._asks_again = False
        self._offers: tuple[Offer, ...] = ()
        self._confidence: float | None = None
        self._agreed: tuple[int, int] | None = None
        self._unrepaired, self._attempt = 0, 1
        self._repeats = self._runaways = 0
        self._whole: Callable[[str], str] = str
        watched = options.verify and options.check_prefixes
        self._drawing = Drawing(
            backend,
            self._ledger,
            on_event,
            (lambda source: self._verified(self._whole(source))) if watched else None,
            lambda: len(self._seen) + 1,
        )

    def run(self) -> Generation:
        try:
            self._search()
        except _Halted as halt:
            something = self._ballot.best or self._ballot.said or self._question
            if halt.answer or not something or halt.code is TaskErrorCode.CANCELED:
                raise
        best, said = self._ballot.best, self._ballot.said
        self._weigh()
        if self._question and (best is None or best.notes or not self._is_meant(best.source)):
            raise self._answered(self._question, *self._asked_about)
        if said is not None:
            raise self._answered(said)
        if best is None:
            raise self._no_program()
        doubtful = self._ballot.is_doubtful
        if doubtful:
            best = self._ask_which(best)
        notes = (*best.notes, *filter(None, [self._note, NOTE * doubtful]))
        self._source, self._verdict = best.source, best.verdict
        return self._end(best.plan, TaskErrorCode.NONE, "", notes)

    def _search(self) -> None:
        """Draw programs until one leaves nothing to be wished for, or the attempts are spent."""
        prompts = Prompting(
            self._instruction, self._backend, self._site, self._options, self._ledger.fall_back
        )
        self._whole = prompts.whole
        drawn = rounds = mended = 0
        while drawn < self._options.max_attempts * DRAWS_PER_ATTEMPT:
            prompt, greedy = self._next(prompts, first=not drawn)
            self._ledger.examples = prompts.examples
            self._note = prompts.note
            if len(self._rejected) > mended and (greedy or not self._is_voting):
                self._attempt, mended = self._attempt + 1, len(self._rejected)
            draws = self._draws(greedy, drawn, rounds)
            for written in self._write(prompt, draws):
                self._take(written)
                if self._is_enough():
                    break
            if self._is_done() or self._is_spent():
                return
            drawn += len(draws)
            rounds += 1

    def failed(self, code: TaskErrorCode, message: str, answer: Answer | None = None) -> Generation:
        return self._end((), code, message, answer=answer)

    def _answered(
        self, answer: Answer, source: str = "", verdict: Verdict | None = None
    ) -> _Halted:
        """The end with words, and the program that they are about."""
        self._ballot = Ballot()
        self._source, self._verdict = source, verdict
        return _Halted(TaskErrorCode.NO_ACCEPTED_PROGRAM, answer.words, answer)

    def _ask_which(self, best: Accepted) -> Accepted:
        """Ask which program is meant, where there are two and an answer can come back; else the
        best, or what was answered."""
        rival, instruction = self._ballot.rival, self._instruction
        if rival is None or instruction.steering is not None or instruction.found:
            return best
        question = question_between(instruction.text, best, rival)
        if question is None:
            return best
        meant = dict(zip(question.choices, (best, rival), strict=True))
        if chosen := choice_in(instruction.text, meant):
            return meant[chosen]
        self._offers = tuple(Offer(choice, p.source, p.notes) for choice, p in meant.items())
        raise self._answered(question)

    def _is_done(self) -> bool:
        """Whether nothing is left to be wished for, or to be expected: a model that says the same
        again and again is sure of it."""
        best = self._ballot.best
        if self._ballot.wanted > 1:
            something = best or self._ballot.said
            return something is not None and (self._question is not None or self._ballot.is_settled)
        if best is None:
            return False
        # with a question open no better program is looked for: the person has to be heard
        return not best.notes or self._question is not None or self._repeats >= DRAWS_PER_ATTEMPT

    def _is_enough(self) -> bool:
        """Whether the texts that are still being written are not needed any more."""
        if self._drawing.is_undecided:
            return False
        return self._is_spent() or self._is_done()

    def _is_spent(self) -> bool:
        many = len(self._seen) >= self._options.max_attempts
        return many or self._runaways >= MOST_RUNAWAYS

    @property
    def _is_voting(self) -> bool:
        """Whether more texts are counted, whatever becomes of the first ones."""
        return self._ballot.texts < self._ballot.wanted > 1

    def _next(self, prompts: Prompting, first: bool) -> tuple[Prompt, bool]:
        """The prompt, and whether its likeliest text is new: a rejected program is shown once, a
        repeat of it is shaken."""
        resampled = 0 if self._options.retry is Retry.REPAIR else 1
        if self._options.repair and self._unrepaired > resampled:
            self._unrepaired = 0
            repair = prompts.repair(self._rejected)
            if repair is not None:
                return repair, True
        if self._unrepaired:
            self._unrepaired += 1
        return prompts.first(), first

    def _draws(self, greedy: bool, drawn: int, rounds: int) -> list[Draw]:
        warmth = self._options.temperature
        if self._is_voting:
            warmth = max(warmth, VOTING_TEMPERATURE)
        else:
            warmth += TEMPERATURE_STEP * max(rounds - 1, 0)
        warmth, seed = min(warmth, TEMPERATURE_MAX), self._options.seed + drawn
        count = max(self._options.candidates, 1)
        draws = [Draw(warmth, seed + index) for index in range(count)]
        return [Draw(0.0, seed), *draws[1:]] if greedy else draws

    def _write(self, prompt: Prompt, draws: list[Draw]) -> Iterator[Written]:
        self._clock.check()
        used = self._backend.count_tokens(prompt)
        most = min(self._options.max_tokens, self._backend.describe().context - used)
        self._ledger.begin(used, len(draws))
        request = Request(prompt, most, grammar=self._grammar())
        yield from self._drawing.write(
            request, draws, self._clock, lambda: self._clock.elapsed, self._attempt
        )
        self._clock.check()

    def _take(self, written: Written) -> None:
        self._clock.check()
        if written.answer and choice_in(self._instruction.text, written.answer.choices):
            self._asks_again = True
            written = replace(written, answer=None)
        program = self._whole(written.program)
        if written.likeliest:
            self._ballot.prefer(written.probability, program, written.answer)
        if written.answer is not None:
            self._hear(written.answer, written.likeliest)
            return
        self._cut_off = bool(written.part)
        self._runaways += written.runaway
        self._source = program or written.part or self._source
        if program in self._seen:
            self._ballot.again(program)
            self._repeats += 1
        elif program:
            self._repeats = 0
            self._judge(program, len(self._seen) + 1)
        else:
            self._ballot.again("")

    def _weigh(self) -> None:
        """Note how sure this is; the ballot ends with an answer."""
        self._confidence, self._agreed = self._ballot.confidence, self._ballot.agreed

    def _hear(self, answer: Answer, likeliest: bool) -> None:
        """A text says something instead of a program."""
        if self._ballot.wanted > 1:
            self._ballot.answer(answer)
        elif likeliest:
            self._weigh()
            raise self._answered(answer)

    def _grammar(self) -> str:
        """Rooms are held to the map once one was named that is not there."""
        codes = {violation.code for one in self._rejected for violation in one.violations}
        known = ViolationCode.UNKNOWN_LOCATION in codes
        return self._grammars.known_rooms if known else self._grammars.any_room

    def _judge(self, source: str, draft: int) -> None:
        if not self._options.verify:
            self._seen.add(source)
            raise _Halted(TaskErrorCode.NOT_VERIFIED, "the program was not verified, as was asked")
        verdict = self._verified(source)
        self._seen.add(source)
        self._verdict = verdict
        self._clock.check()
        self._on_event(DraftVerified(draft, source, verdict))
        if verdict.accepted:
            notes = notes_on_change(self._instruction, source, self._site)
            self._ballot.add(source, verdict, notes)
            return
        self._ballot.again(source)
        self._unrepaired = max(self._unrepaired, 1)
        self._rejected.append(Rejected(source, verdict.violations, verdict.assumptions))
        self._ledger.reject(draft, verdict)
        self._ask(source, verdict)

    def _ask(self, source: str, verdict: Verdict) -> None:
        """Note the first room that the instruction names and the map lacks."""
        room, question = question_about(self._instruction.text, source, verdict)
        choices = self._site.nearest_rooms(room)
        if question and self._question is None and not choice_in(self._instruction.text, choices):
            self._question = Answer(AnswerKind.QUESTION, question, choices)
            self._missing, self._asked_about = room, (source, verdict)

    def _is_meant(self, source: str) -> bool:
        """Whether a program uses the room that is not there by a name that is spelt much alike."""
        return self._missing in SaidNames(" ".join(entities_of(source)))

    def _verified(self, source: str) -> Verdict:
        with self._ledger.verification():
            return self._verify(source)

    def _no_program(self) -> _Halted:
        if self._verdict is None:
            what = "the model wrote no program"
            if self._runaways:
                what = "the model only repeated itself"
            elif self._asks_again:
                what = "the model asks again what was answered"
            elif self._cut_off:
                what = f"the program was not complete after {self._options.max_tokens} tokens"
            return _Halted(TaskErrorCode.MODEL_FAILED, f"{what}; say the task in other words")
        return _Halted(
            TaskErrorCode.NO_ACCEPTED_PROGRAM,
            f"none of {len(self._seen)} programs was accepted; the last: {_reason(self._verdict)}",
        )

    def _end(
        self,
        plan: tuple[PlanStep, ...],
        code: TaskErrorCode,
        message: str,
        notes: tuple[str, ...] = (),
        answer: Answer | None = None,
    ) -> Generation:
        digest = sha256_of(self._source) if self._source else ""
        steering, reference = self._instruction.steering, self._instruction.reference
        judged = self._verdict is not None and self._verdict.program_sha256 == digest
        return Generation(
            source=self._source,
            sha256=digest,
            verdict=self._verdict if judged else None,
            plan=plan,
            attempts=len(self._seen),
            prompt_tokens=self._ledger.prompt_tokens,
            generated_tokens=self._ledger.generated_tokens,
            duration=self._clock.elapsed,
            error_code=code,
            error_msg=message,
            notes=notes,
            answer=answer,
            confidence=self._confidence,
            agreed=self._agreed,
            offers=self._offers,
            stats=self._ledger.stats(),
            steering=steering.value if steering else "",
            parent_sha256=reference.sha256 if reference else "",
        )


def _reason(verdict: Verdict) -> str:
    """The first violation in words."""
    if not verdict.violations:
        return verdict.undecided_because or "the verifier came to no verdict"
    first = verdict.violations[0]
    return f"line {first.line}: {first.message}" if first.line else first.message
