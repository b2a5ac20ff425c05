"""What a model writes for a case: prompt, grammar, verifier and notes as the robot has them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.instruction import Instruction, InstructionError
from roboinstruct_ros.domain.policies import NO_POLICIES
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.generate.backends.backend import Backend
from roboinstruct_ros.generate.choice import Choice
from roboinstruct_ros.generate.generation import Generation
from roboinstruct_ros.generate.program_writer import write_program
from roboinstruct_ros.generate.site import Site, site_for
from roboinstruct_ros.generate.writing_job import WritingJob
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.evaluate.suite.case import Case, Place
from roboinstruct_ros.evaluate.suite.judge import Written
from roboinstruct_ros.verify.service.worker import VerifierWorker

Write = Callable[[Case], Written]

GREEDY = WritingOptions(max_attempts=1, choice=Choice.FIRST)
"""The model's likeliest text, judged once."""


class Writer:
    """Asks a loaded model; programs are verified in a child. Call it with a case.

    Args:
        tell_all: Tell people and things too, where the map leaves them open.
    """

    def __init__(
        self, backend: Backend, options: WritingOptions = GREEDY, tell_all: bool = False
    ) -> None:
        self._backend, self._options, self._tell_all = backend, options, tell_all
        self._domain = load_domain()
        self._worker = VerifierWorker(self._domain, behaviour=True)
        self._place: Place | None = None
        self._site = Site()

    def __call__(self, case: Case) -> Written:
        self._go_to(case.place)
        try:
            instruction = Instruction.checked(case.text)
        except InstructionError as error:
            return Written(None, error.message)
        generation = write_program(
            instruction,
            WritingJob(
                self._backend,
                self._worker.verify,
                self._options,
                lambda _: None,
                threading.Event(),
                self._site,
            ),
        )
        return replace(written_of(generation), seconds=generation.duration)

    def close(self) -> None:
        """End the child."""
        self._worker.close()

    def _go_to(self, place: Place) -> None:
        if place is not self._place:
            site = site_for(self._domain, place.map)
            told = replace(site.surroundings, here=place.start)
            if self._tell_all:
                told = replace(told, people=place.people, objects=place.things)
            self._place, self._site = place, replace(site, surroundings=told)
            self._worker.renew(place.map, NO_POLICIES)


def written_of(generation: Generation) -> Written:
    """What a person gets to see of it."""
    answer = generation.answer
    sure = generation.confidence
    if answer is not None:
        offers = tuple(offer.source for offer in generation.offers)
        return Written(
            answer.kind, answer.words, choices=answer.choices, offers=offers, confidence=sure
        )
    if generation.accepted:
        return Written(AnswerKind.PROGRAM, generation.source, generation.notes, confidence=sure)
    return Written(None, f"{generation.error_msg}\n{generation.source}")
