"""Writes a program for an instruction: generate, verify, repair, until one is accepted.

The first attempt takes the model's most likely text. A rejected program goes back with all its
violations to a model that can read them (seed 001); another model is sampled again, as in the
paper's rejection sampling (seed 000, 2.1). A program that was already rejected is never judged
twice: the next seed is drawn instead. An accepted program that names what the instruction does not,
or leaves out what it does, is kept while a better one is looked for.
"""

from __future__ import annotations

import ast
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.generate.alignment import is_named
from roboinstruct_ros.generate.backend import Backend, BackendError, Request, StopSignal
from roboinstruct_ros.generate.generation import (
    AttemptStarted,
    AttemptVerified,
    Generation,
    OnEvent,
    TokensWritten,
)
from roboinstruct_ros.generate.grammar import NO_GRAMMARS
from roboinstruct_ros.generate.ledger import Ledger
from roboinstruct_ros.generate.prefix_check import PrefixCheck
from roboinstruct_ros.generate.program_text import extract_program, is_complete
from roboinstruct_ros.generate.prompt import NOWHERE, FeedbackDesign, Rejected
from roboinstruct_ros.generate.prompting import PromptError, Prompting, notes_on_change
from roboinstruct_ros.generate.site import UNKNOWN_SITE, Site, no_examples
from roboinstruct_ros.program.narrate import PlanStep, narrate
from roboinstruct_ros.program.task_program import TaskProgram
from roboinstruct_ros.verify.verdict import Verdict

DRAWS_PER_ATTEMPT = 3  # texts drawn for one attempt, so that repeats cannot go on for ever
TEMPERATURE_STEP = 0.1  # added with every draw: a model sure of a wrong program must be shaken
TEMPERATURE_MAX = 1.0


@dataclass(frozen=True)
class WritingOptions:
    """Bounds of one generation.

    Attributes:
        max_attempts: Most different programs to verify.
        grammar: Constrain decoding, where there is a grammar.
        map_in_prompt: Tell a model that can read it the names of the map's rooms, and of the
            objects and people where the map lists them.
        examples: Most tasks that were done before to show to a model that is shown examples.
        verify: Judge programs; else the first one is given back, as NOT_VERIFIED.
        check_prefixes: Stop writing what no continuation can save.
        repair: Show rejected programs to a model that can read them; else only sample again.
        feedback: What such a model is told.
        max_tokens: Most tokens of one program.
        temperature: Of the first resampled attempt; the very first takes the likeliest text.
        time_limit: Wall clock for everything, s.
        seed: Of the first draw; every further draw takes the next number.
    """

    max_attempts: int = 6
    max_tokens: int = 512
    temperature: float = 0.4
    time_limit: float = 60.0
    seed: int = 1
    grammar: bool = True
    map_in_prompt: bool = False
    examples: int = 2
    verify: bool = True
    check_prefixes: bool = True
    repair: bool = True
    feedback: FeedbackDesign = FeedbackDesign.PROGRAM_AND_ERRORS


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
    except (_Halted, PromptError) as halt:
        generation = work.failed(halt.code, halt.message)
    on_event(generation)
    return generation


class _Halted(Exception):
    def __init__(self, code: TaskErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass
class _Clock:
    """Cancelled by somebody, or out of time: a stop signal for the backend."""

    cancel: StopSignal
    limit: float
    start: float = field(default_factory=time.monotonic)

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.start

    def is_set(self) -> bool:
        return self.cancel.is_set() or self.elapsed > self.limit

    def check(self) -> None:
        if self.cancel.is_set():
            raise _Halted(TaskErrorCode.CANCELED, "writing the program was cancelled")
        if self.elapsed > self.limit:
            raise _Halted(
                TaskErrorCode.TIMEOUT,
                f"no accepted program within the time limit of {self.limit:g} s",
            )


@dataclass(frozen=True)
class _Accepted:
    source: str
    verdict: Verdict
    notes: tuple[str, ...]


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
        self._question = ""
        self._asked_about: tuple[str, Verdict | None] = ("", None)
        self._rejected: list[Rejected] = []
        self._ledger = Ledger()
        self._best: _Accepted | None = None
        self._clock = _Clock(cancel, options.time_limit)
        self._seen: set[str] = set()
        self._source = ""
        self._verdict: Verdict | None = None
        self._cut_off = False
        self._to_repair = False

    def run(self) -> Generation:
        try:
            self._search()
        except _Halted as halt:
            if self._best is None or halt.code is TaskErrorCode.CANCELED:
                raise
        if self._question and (self._best is None or self._best.notes):
            self._source, self._verdict = self._asked_about
            raise _Halted(TaskErrorCode.NO_ACCEPTED_PROGRAM, self._question)
        self._question = ""
        if self._best is None:
            raise self._no_program()
        return self._accepted(self._best)

    def _search(self) -> None:
        """Draw programs until one leaves nothing to be wished for, or the attempts are spent."""
        told = self._site.surroundings if self._options.map_in_prompt else NOWHERE
        chosen = self._site.examples if self._options.examples else no_examples
        prompts = Prompting(
            self._instruction,
            self._backend,
            told,
            lambda words, but_not: chosen(words, self._options.examples, but_not),
            self._ledger.fall_back,
        )
        for draw in range(self._options.max_attempts * DRAWS_PER_ATTEMPT):
            attempt = len(self._seen) + 1
            if attempt > self._options.max_attempts:
                return
            self._on_event(AttemptStarted(attempt))
            source = self._write(*self._next(prompts, draw), attempt, draw)
            if source and source not in self._seen and self._judge(source, attempt):
                return

    def failed(self, code: TaskErrorCode, message: str) -> Generation:
        return self._end((), code, message)

    def _next(self, prompts: Prompting, draw: int) -> tuple[str, float]:
        """Prompt and temperature: a rejected program is shown once, a repeat of it is shaken."""
        if self._to_repair and self._options.repair:
            self._to_repair = False
            design = self._options.feedback
            repair = prompts.repair(self._rejected, design)
            if repair is not None:
                return repair, 0.0
        options = self._options
        warmth = options.temperature + TEMPERATURE_STEP * (draw - 1) if draw else 0.0
        return prompts.first(), min(warmth, TEMPERATURE_MAX)

    def _write(self, prompt: str, temperature: float, attempt: int, draw: int) -> str:
        """The program of one draw; "" when there is none or it was cut off."""
        self._clock.check()
        used = self._backend.count_tokens(prompt)
        most = min(self._options.max_tokens, self._backend.describe().context - used)
        text, tokens = "", 0
        seed = self._options.seed + draw
        request = Request(prompt, most, temperature, seed, self._grammar())
        check = PrefixCheck(self._verified)
        doomed = ""
        self._ledger.begin(used)
        for token in self._backend.stream(request, self._clock):
            text += token.text
            tokens += 1
            self._ledger.token(self._clock.elapsed)
            self._on_event(TokensWritten(attempt, token.text, tokens))
            if "\n" in text and is_complete(text):
                break
            if "\n" in token.text and self._options.verify and self._options.check_prefixes:
                doomed = check.doomed(text)
                if doomed:
                    break
        self._ledger.end(self._backend.cached_tokens)
        self._clock.check()
        if doomed:
            self._source = doomed
            return doomed
        program = extract_program(text)
        # Half a program may well be valid Python and do half of the task.
        self._cut_off = tokens >= most and not is_complete(text)
        self._source = program or self._source
        return "" if self._cut_off else program

    def _grammar(self) -> str:
        """Rooms are held to the map once one was named that is not there."""
        codes = {violation.code for one in self._rejected for violation in one.violations}
        known = ViolationCode.UNKNOWN_LOCATION in codes
        return self._grammars.known_rooms if known else self._grammars.any_room

    def _judge(self, source: str, attempt: int) -> bool:
        """Whether `source` is accepted and leaves nothing to be wished for."""
        self._seen.add(source)
        if not self._options.verify:
            raise _Halted(TaskErrorCode.NOT_VERIFIED, "the program was not verified, as was asked")
        verdict = self._verified(source)
        self._verdict = verdict
        self._clock.check()
        self._to_repair = not verdict.accepted
        self._on_event(AttemptVerified(attempt, source, verdict))
        if not verdict.accepted:
            self._rejected.append(Rejected(source, verdict.violations))
            self._ledger.reject(attempt, verdict)
            self._ask(source, verdict)
            return False
        notes = notes_on_change(self._instruction, source, self._site.notes_on)
        if self._best is None or len(notes) < len(self._best.notes):
            self._best = _Accepted(source, verdict, notes)
        # with a question open no better program is looked for: the person has to be heard
        return not notes or bool(self._question)

    def _ask(self, source: str, verdict: Verdict) -> None:
        """Note the first room that the instruction names and the map lacks."""
        question = _question(self._instruction.text, source, verdict)
        if question and not self._question:
            self._question, self._asked_about = question, (source, verdict)

    def _verified(self, source: str) -> Verdict:
        with self._ledger.verification():
            return self._verify(source)

    def _accepted(self, best: _Accepted) -> Generation:
        self._source, self._verdict = best.source, best.verdict
        plan = narrate(TaskProgram.from_text(best.source))
        return self._end(plan, TaskErrorCode.NONE, "", best.notes)

    def _no_program(self) -> _Halted:
        if self._verdict is None:
            what = (
                f"the program was not complete after {self._options.max_tokens} tokens"
                if self._cut_off
                else "the model wrote no program"
            )
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
    ) -> Generation:
        digest = hashlib.sha256(self._source.encode()).hexdigest() if self._source else ""
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
            question=self._question,
            stats=self._ledger.stats(),
            steering=steering.value if steering else "",
            parent_sha256=reference.sha256 if reference else "",
        )


def _question(instruction: str, source: str, verdict: Verdict) -> str:
    """What to ask the person who named a room that is not there; empty when nobody did."""
    tree = TaskProgram.from_text(source).tree
    nodes = ast.walk(tree) if tree else ()
    texts = [
        (node.lineno, node.value)
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    for violation in verdict.violations:
        if violation.code is not ViolationCode.UNKNOWN_LOCATION:
            continue
        for line, text in texts:
            meant = line == violation.line and f"'{text}'" in violation.message
            if meant and is_named(instruction, text):
                return violation.message
    return ""


def _reason(verdict: Verdict) -> str:
    """The first violation in words."""
    if not verdict.violations:
        return "the verifier could not decide within its budget"
    first = verdict.violations[0]
    return f"line {first.line}: {first.message}" if first.line else first.message
