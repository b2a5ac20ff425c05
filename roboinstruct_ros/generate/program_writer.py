"""Writes a program for an instruction: generate, verify and repair until one is accepted.

The first attempt uses greedy decoding and, with several candidates, also samples texts from the
same prompt. A model that can read gets a rejected program back with all its violations (CLAIRIFY).
Another model is sampled again, as in the paper's rejection sampling (ROBO-INSTRUCT, 2.1). A program
that was already rejected is not judged again; the next seed is drawn instead. An accepted program
that names what the instruction does not, or omits what it names, is kept while a better one is
sought; a model that can read is told what does not fit.

If the model reports the probability of its likeliest text, a likely enough text is accepted at
once. Otherwise more texts are drawn from the same prompt and the majority wins. If too few agree,
the two likeliest programs become a question.

A slip of the keyboard is corrected before anything is written, and told if the program uses the
word.

A model that was trained to do so may answer in words instead of a program. Unless texts are
compared, only its likeliest text decides about that: sampled texts neither answer nor overrule an
answer.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import replace

from roboinstruct_ros.domain.answer import Answer, choice_in, with_choice
from roboinstruct_ros.domain.instruction import MAX_CHARACTERS, Instruction
from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.task_error import TaskError, TaskErrorCode
from roboinstruct_ros.generate.backends.backend import Draw, Request
from roboinstruct_ros.generate.backends.conversation import Prompt
from roboinstruct_ros.generate.backends.grammar import NO_GRAMMARS
from roboinstruct_ros.generate.choice import Accepted, Ballot, Choice
from roboinstruct_ros.generate.doubt import NOTE, question_between
from roboinstruct_ros.generate.drawing import Drawing, Written
from roboinstruct_ros.generate.generation import DraftVerified, Generation, Offer
from roboinstruct_ros.generate.halt import Clock, Halted
from roboinstruct_ros.generate.ledger import Ledger
from roboinstruct_ros.generate.plain_answer import can_read
from roboinstruct_ros.generate.prompts.prompting import Prompting, notes_on_change
from roboinstruct_ros.generate.prompts.surroundings import NOWHERE
from roboinstruct_ros.generate.turns import Turns
from roboinstruct_ros.generate.words.alignment import entities_of
from roboinstruct_ros.generate.words.answer_checks import completed, contradicts, of_known_names
from roboinstruct_ros.generate.words.clarifying_question import (
    MissingRoom,
    UnnamedRoom,
    owned_room,
)
from roboinstruct_ros.generate.words.said_names import words_of
from roboinstruct_ros.generate.words.spelling import without_slips
from roboinstruct_ros.generate.writing_job import WritingJob
from roboinstruct_ros.program.narrate import PlanStep
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.verify.verdict import Verdict

MOST_RUNAWAYS = 3  # texts that only repeat themselves, before the search ends


def write_program(instruction: Instruction, job: WritingJob) -> Generation:
    """The first accepted program for `instruction`, or the typed reason why there is none.

    Args:
        instruction: A checked instruction.

    Raises:
        Nothing that a model or an instruction can cause; see `Generation.error_code`.
    """
    costs = Ledger(), Clock(job.cancel, job.options.time_limit, job.begun)
    instruction, slips = without_slips(instruction, job.site.surroundings.names)
    work = _Work(instruction, slips, job, *costs)
    try:
        try:
            generation = work.run()
        except _Told as told:
            work = _Work(replace(instruction, text=str(told)), slips, job, *costs)
            generation = work.run()
    except Halted as halt:
        generation = work.failed(halt.code, halt.message, halt.answer)
    except TaskError as error:
        generation = work.failed(error.code, error.message)
    job.on_event(generation)
    return generation


class _Told(Exception):
    """The outcome is a question which room is meant, and the words tell it; `str()` is the
    instruction with the answer."""


class _Work:
    """One generation in progress; lives as long as one call of `write_program`."""

    def __init__(
        self,
        instruction: Instruction,
        slips: Mapping[str, str],
        job: WritingJob,
        ledger: Ledger,
        clock: Clock,
    ) -> None:
        options = job.options
        self._instruction, self._job, self._options = instruction, job, options
        self._slips = slips
        self._prompts: Prompting
        self._turns: Turns
        self._missing = MissingRoom(instruction.text, job.site.nearest_rooms)
        there = (
            NOWHERE if instruction.found else job.site.surroundings
        )  # found: by an earlier round
        aliases = [alias for alias, _ in there.aliases]
        self._unnamed = UnnamedRoom(instruction.words, there.rooms, aliases)
        self._ledger, self._clock = ledger, clock
        counted = (options.votes, options.candidates, options.ask_below)
        self._ballot = Ballot(*counted) if options.choice is Choice.BEST else Ballot()
        self._seen: set[str] = set()
        self._source = ""
        self._verdict: Verdict | None = None
        self._cut_off = self._asks_again = False
        self._offers: tuple[Offer, ...] = ()
        self._confidence: float | None = None
        self._agreed: tuple[int, int] | None = None
        self._repeats = self._runaways = 0
        watched = options.verify and options.check_prefixes
        self._drawing = Drawing(
            job.backend,
            self._ledger,
            job.on_event,
            (lambda source: self._verified(self._prompts.whole(source))) if watched else None,
            lambda: len(self._seen) + 1,
        )

    def run(self) -> Generation:
        try:
            self._search()
        except Halted as halt:
            something = self._ballot.best or self._ballot.said or self._missing.answer
            if halt.answer or not something or halt.code is TaskErrorCode.CANCELED:
                raise
        best, said = self._ballot.best, self._ballot.said
        self._weigh()
        missing = self._missing
        unmet = best is None or best.notes or not missing.is_meant_by(best.source)
        if missing.answer and unmet:
            answer = self._which_room or missing.answer
            raise self._answered(answer, missing.source, missing.verdict)
        if said is not None:
            raise self._answered(said)
        if question := self._which_room:
            raise self._answered(question)
        if best is None:
            raise self._no_program()
        doubtful = self._ballot.is_doubtful
        if doubtful:
            best = self._ask_which(best)
        more = filter(None, [self._prompts.note, NOTE * (doubtful or self._ballot.is_unlikely)])
        notes = (*self._notes_on(best), *more)
        self._source, self._verdict = best.source, best.verdict
        return self._end(best.plan, TaskErrorCode.NONE, "", notes)

    def _search(self) -> None:
        """Draw programs until one has no notes, or the attempts are spent."""
        job = self._job
        self._prompts = Prompting(
            self._instruction, job.backend, job.site, self._options, self._ledger.fall_back
        )
        self._turns = Turns(self._prompts, self._options)
        while self._turns.are_left:
            voting = self._ballot.texts < self._ballot.wanted > 1
            prompt, draws = self._turns.next(voting)
            self._ledger.examples = self._prompts.examples
            with closing(self._write(prompt, draws)) as texts:
                for written in texts:
                    self._take(written)
                    if self._is_enough():
                        break
            if self._is_done() or self._is_spent():
                return

    def failed(self, code: TaskErrorCode, message: str, answer: Answer | None = None) -> Generation:
        return self._end((), code, message, answer=answer)

    def _answered(self, answer: Answer, source: str = "", verdict: Verdict | None = None) -> Halted:
        """The end with an answer in words, and the program that it refers to.

        Raises:
            _Told: the words answer the question.
        """
        self._tell(answer)
        self._ballot = Ballot()
        self._source, self._verdict = source, verdict
        return Halted(TaskErrorCode.NO_ACCEPTED_PROGRAM, answer.words, answer)

    @property
    def _which_room(self) -> Answer | None:
        """The question which room of a kind is meant, if the words leave it open."""
        best, said = self._ballot.best, self._ballot.said
        is_open = said is None and self._unnamed.is_left_open_by(best.source if best else "")
        return self._unnamed.question if is_open else None

    def _ask_which(self, best: Accepted) -> Accepted:
        """Ask which of two programs is meant, if there is a rival and the person can answer;
        otherwise return the best program, or the one already chosen."""
        rival, instruction = self._ballot.rival, self._instruction
        if rival is None or instruction.steering is not None or instruction.found:
            return best
        question = question_between(instruction.text, best, rival, self._confidence or 0.0)
        if question is None:
            return best
        if not question.choices:
            raise self._answered(question)
        meant = dict(zip(question.choices, (best, rival), strict=True))
        if chosen := choice_in(instruction.text, meant):
            return meant[chosen]
        self._offers = tuple(
            Offer(choice, program.source, self._notes_on(program))
            for choice, program in meant.items()
        )
        raise self._answered(question)

    def _notes_on(self, program: Accepted) -> tuple[str, ...]:
        """Its notes, those on times for which it does not wait, and on corrected words in the names
        that it uses; a room that is on the map needs none."""
        used = set(words_of(" ".join(entities_of(program.source))))
        used -= set(words_of(" ".join(self._job.site.surroundings.rooms)))
        read_as = (
            str(phrase("note.read_as", word=word, meant=right))
            for word, right in self._slips.items()
            if set(words_of(right)) <= used
        )
        set_times = self._job.site.time_notes(self._instruction.text, program.source)
        return (*program.notes, *set_times, *read_as)

    def _is_done(self) -> bool:
        """Whether the search can end; a model that keeps repeating itself is sure."""
        if self._which_room:
            return True  # no other text answers that
        best = self._ballot.best
        if self._ballot.wanted > 1:
            something = best or self._ballot.said
            return something is not None and (
                self._missing.answer is not None or self._ballot.is_settled
            )
        if best is None:
            return False
        # with an open question, stop searching: the person has to answer first
        asked = self._missing.answer is not None
        return not best.notes or asked or self._repeats >= self._options.draws

    def _is_enough(self) -> bool:
        """Whether the texts still in progress are no longer needed."""
        if self._drawing.is_undecided:
            return False
        return self._is_spent() or self._is_done()

    def _is_spent(self) -> bool:
        many = len(self._seen) >= self._options.max_attempts
        return many or self._runaways >= MOST_RUNAWAYS

    def _write(self, prompt: Prompt, draws: list[Draw]) -> Generator[Written]:
        self._clock.check()
        backend, site, turns = self._job.backend, self._job.site, self._turns
        used = backend.count_tokens(prompt)
        most = min(self._options.max_tokens, backend.describe().context - used)
        self._ledger.begin(used, len(draws))
        grammars = site.grammars if self._options.grammar else NO_GRAMMARS
        # constrain rooms to the map once a program has named an unknown room
        grammar = grammars.known_rooms if turns.went_astray else grammars.any_room
        request = Request(prompt, most, grammar=grammar)
        yield from self._drawing.write(
            request, draws, self._clock, lambda: self._clock.elapsed, turns.attempt
        )
        self._clock.check()

    def _take(self, written: Written) -> None:
        self._clock.check()
        if written.answer:
            told, site = self._instruction.text, self._job.site
            answer = completed(written.answer, told, site)
            again = bool(choice_in(told, answer.choices))
            self._asks_again |= again
            wrong = again or contradicts(written.answer, told, site)
            known = None if wrong else of_known_names(answer, told, site)
            written = replace(written, answer=known)
        program = self._prompts.whole(written.program)
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

    def _tell(self, question: Answer) -> None:
        """Begin again with the room that the words tell, unless the model was told it before."""
        told, rooms = self._instruction.text, self._job.site.surroundings.rooms
        room = owned_room(question.choices, told, rooms)
        known = choice_in(told, (room,)) or self._instruction.steering is not None
        if room and not known and len(with_choice(told, room)) <= MAX_CHARACTERS:
            raise _Told(with_choice(told, room))

    def _weigh(self) -> None:
        """Record the confidence; an answer resets the ballot."""
        self._confidence, self._agreed = self._ballot.confidence, self._ballot.agreed

    def _hear(self, answer: Answer, likeliest: bool) -> None:
        """Handle a text that is an answer in words."""
        if self._ballot.wanted > 1:
            self._ballot.answer(answer)
        elif likeliest:
            self._weigh()
            raise self._answered(answer)

    def _judge(self, source: str, draft: int) -> None:
        if not self._options.verify:
            self._seen.add(source)
            raise Halted(TaskErrorCode.NOT_VERIFIED, "the program was not verified, as was asked")
        verdict = self._verified(source)
        self._seen.add(source)
        self._verdict = verdict
        self._job.on_event(DraftVerified(draft, source, verdict))
        if verdict.accepted:
            notes = notes_on_change(self._instruction, source, self._job.site)
            self._ballot.add(source, verdict, notes)
            if notes and can_read(self._job.backend.describe().prompt_format):
                self._turns.doubt(source, notes)
        else:
            self._ballot.again(source)
            self._turns.reject(source, verdict)
            self._ledger.reject(draft, verdict)
            self._missing.look_for(source, verdict)
        self._clock.check()  # last: what was accepted counts, also if its verdict took all the time

    def _verified(self, source: str) -> Verdict:
        with self._ledger.verification():
            return self._job.verify(source)

    def _no_program(self) -> Halted:
        if self._verdict is None:
            key = "told.no_program"
            if self._runaways:
                key = "told.repeats"
            elif self._asks_again:
                key = "told.asks_again"
            elif self._cut_off:
                key = "told.incomplete"
            return Halted(TaskErrorCode.MODEL_FAILED, str(phrase(key, n=self._options.max_tokens)))
        told = phrase("told.none_accepted", n=len(self._seen), why=self._verdict.why_not)
        return Halted(TaskErrorCode.NO_ACCEPTED_PROGRAM, str(told))

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
            words=self._instruction.words,
            parent_sha256=reference.sha256 if reference else "",
        )
