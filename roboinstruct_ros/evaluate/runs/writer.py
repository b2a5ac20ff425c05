"""Has a model write for a case, with the prompt, grammar, verifier and notes of the real robot."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.instruction import Instruction, InstructionError
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.evaluate.runs.place_verifier import PlaceVerifier
from roboinstruct_ros.evaluate.suite.case import Case, Place
from roboinstruct_ros.evaluate.suite.judge import Written
from roboinstruct_ros.generate.backends.backend import Backend, Forgets, ReadsAhead
from roboinstruct_ros.generate.generation import DraftVerified, Generation, GenerationEvent
from roboinstruct_ros.generate.larger_model import write_with_either
from roboinstruct_ros.generate.models.model_notes import CHAT_FORMAT
from roboinstruct_ros.generate.prompts.prompt import prompt_format
from roboinstruct_ros.generate.site import Site, site_for
from roboinstruct_ros.generate.writing_job import WritingJob
from roboinstruct_ros.generate.writing_options import WRITING, WritingOptions
from roboinstruct_ros.verify.verdict import Verdict

Codes = tuple[str, ...]


@dataclass(frozen=True)
class Writing:
    """What was written, and its cost.

    Attributes:
        program: the last text, accepted or not; "" if there is none.
        first_codes, codes: violation codes of the first program, and of the last one; empty if it
            was accepted.
        attempts: number of judged programs.
        tokens: number of generated tokens.
    """

    written: Written
    program: str = ""
    first_codes: Codes = ()
    codes: Codes = ()
    attempts: int = 0
    tokens: int = 0


class Writer:
    """Runs a loaded model; programs are verified in a child. Call it with a case.

    Args:
        tell_all: Put people and things into the prompt too, if the map leaves them open.
        larger: Writes if `backend` is not sure; loaded, or on a server.
    """

    def __init__(
        self,
        backend: Backend,
        options: WritingOptions = WRITING,
        tell_all: bool = False,
        larger: Backend | None = None,
    ) -> None:
        self._backend, self._options, self._tell_all = backend, options, tell_all
        self._larger = larger
        self._domain = load_domain()
        self._verifier = PlaceVerifier(self._domain, behaviour=True)
        self._place: Place | None = None
        self._site = Site()

    def __call__(self, case: Case, seed: int = WRITING.seed) -> Writing:
        """The result; the same seed gives the same result, whatever was written before.

        A model that fails, such as a server that was restarted, is opened again and writes once
        more, so that its absence is never taken for its answer.

        Raises:
            BackendError: it cannot be opened any more.
        """
        try:
            instruction = Instruction.checked(case.text)
        except InstructionError as error:
            return Writing(Written(None, error.message))
        site = self._site_of(case.place)
        verify = self._verifier.at(case.place)
        options = replace(self._options, seed=seed)
        generation, verdicts = self._written(instruction, site, verify, options)
        if generation.error_code is TaskErrorCode.MODEL_FAILED:
            self._backend.unload()
            self._backend.load()
            generation, verdicts = self._written(instruction, site, verify, options)
        if is_unverified(generation):
            verdicts.append(verify(generation.source))
        return writing_of(generation, verdicts)

    def _written(
        self,
        instruction: Instruction,
        site: Site,
        verify: Callable[[str], Verdict],
        options: WritingOptions,
    ) -> tuple[Generation, list[Verdict]]:
        """What is written, and the verdicts on its programs."""
        self._begin(site)
        events: list[GenerationEvent] = []
        job = WritingJob(
            self._backend, verify, options, events.append, threading.Event(), site, self._larger
        )
        generation = write_with_either(instruction, job)
        return generation, [one.verdict for one in events if isinstance(one, DraftVerified)]

    def close(self) -> None:
        """End the child."""
        self._verifier.close()

    def _begin(self, site: Site) -> None:
        """Reset the model's cache, except for the beginning of chat prompts, which is long and
        always the same."""
        for backend in filter(None, (self._backend, self._larger)):
            if isinstance(backend, Forgets):
                backend.forget()
            if isinstance(backend, ReadsAhead):
                format_name = backend.describe().prompt_format
                if format_name == CHAT_FORMAT:
                    backend.warm(prompt_format(format_name, site.surroundings).beginning)

    def _site_of(self, place: Place) -> Site:
        if place != self._place:
            site = site_for(self._domain, place.map)
            told = replace(site.surroundings, here=place.start)
            if self._tell_all:
                told = replace(told, people=place.people, objects=place.things)
            self._place, self._site = place, replace(site, surroundings=told)
        return self._site


def writing_of(generation: Generation, verdicts: Sequence[Verdict]) -> Writing:
    """The result in the form that a person sees.

    Args:
        verdicts: on its programs, in order.
    """
    first, last = (codes_of(verdicts[index]) if verdicts else () for index in (0, -1))
    taken = generation.accepted or generation.answer is not None
    return Writing(
        replace(written_of(generation), seconds=generation.duration),
        "" if generation.answer else generation.source,
        first,
        () if taken else last,
        generation.attempts,
        generation.generated_tokens,
    )


def written_of(generation: Generation) -> Written:
    """The answer. A program without a verifier counts as accepted."""
    answer = generation.answer
    sure = generation.confidence
    if answer is not None:
        offers = tuple(offer.source for offer in generation.offers)
        return Written(
            answer.kind, answer.words, choices=answer.choices, offers=offers, confidence=sure
        )
    if generation.accepted or is_unverified(generation):
        return Written(AnswerKind.PROGRAM, generation.source, generation.notes, confidence=sure)
    return Written(None, generation.error_msg)


def is_unverified(generation: Generation) -> bool:
    """Whether it ended with a program for which there was no verifier."""
    return generation.error_code is TaskErrorCode.NOT_VERIFIED


def codes_of(verdict: Verdict) -> Codes:
    """The violation codes without duplicates; "undecided" for an undecided verdict."""
    codes = tuple(dict.fromkeys(violation.code.value for violation in verdict.violations))
    return codes if codes or verdict.accepted else ("undecided",)
