"""Manages a model and a verifier that serve one instruction at a time and may be unloaded."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from roboinstruct_ros.domain.answer import Answer, with_choice
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.instruction import Instruction, one_line
from roboinstruct_ros.domain.task_error import TaskError, TaskErrorCode
from roboinstruct_ros.domain.task_version import TaskVersion
from roboinstruct_ros.generate.backends.backend import Backend, BackendError, ReadsAhead, StopSignal
from roboinstruct_ros.generate.backends.time_limit import TimeLimit
from roboinstruct_ros.generate.generation import DraftStarted, Generation, Offer, OnEvent
from roboinstruct_ros.generate.one_at_a_time import OneAtATime
from roboinstruct_ros.generate.plain_answer import can_read
from roboinstruct_ros.generate.prompts.prompt import knows_places, prompt_format
from roboinstruct_ros.generate.prompts.surroundings import Surroundings
from roboinstruct_ros.generate.rounds.readmission import brought_back, chosen, readmitted
from roboinstruct_ros.generate.rounds.round_writer import write_round
from roboinstruct_ros.generate.rounds.steering import FollowUp, instructed
from roboinstruct_ros.generate.rounds.steering_question import settled
from roboinstruct_ros.generate.site import UNKNOWN_SITE, Site
from roboinstruct_ros.generate.unless import POLL, result_unless
from roboinstruct_ros.generate.words.spelling import dictionary
from roboinstruct_ros.generate.writing_job import WritingJob
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.verify.verdict import Verdict

UNLOAD_LIMIT = 10.0  # s for a cancelled request to end; 0.1 s is what it takes
MOST_OFFERS = 32  # programs kept for a later choice


class Verifier(Protocol):
    """Judges programs; owns a process until closed."""

    @property
    def rules_sha256(self) -> str:
        """Hash of the current map and policies. Raises ConfigError if they are invalid."""

    def verify(self, source: str) -> Verdict:
        """The verdict on one program text."""

    def close(self) -> None:
        """End the process, also from another thread during `verify`."""


class LoadError(TaskError):
    """The generator cannot serve; every request is answered with this `code` and `message`."""


class Generator:
    """Answers instructions with verified programs.

    Every request gets an answer: during `load` it waits, after a failed `load` it gets the reason,
    and during another request it gets BUSY. A background request ends for any other.

    Args:
        open_backend: Makes the model's backend, not yet loaded.
        open_verifier: Makes the verifier; may raise ConfigError for an invalid map.
        open_site: Describes the robot and its place; called after `open_verifier`, and again when
            the verifier's rules have changed.
        map_in_prompt: Whether prompts contain the names of the place.
        now: Adds the robot's room and what it holds to the site's surroundings.
        open_larger: Makes the backend of the larger model, as `larger_for` does.

    Attributes:
        active: False refuses all requests of a loaded generator.
    """

    def __init__(
        self,
        open_backend: Callable[[], Backend],
        open_verifier: Callable[[], Verifier],
        open_site: Callable[[], Site] = Site,
        map_in_prompt: Callable[[], bool] = lambda: False,
        now: Callable[[Surroundings], Surroundings] = lambda there: there,
        open_larger: Callable[[], Backend | None] = lambda: None,
    ) -> None:
        self.active = True
        self._now = now
        self._map_in_prompt = map_in_prompt
        self._open_site = open_site
        self._site, self._site_rules = UNKNOWN_SITE, ""
        self._open_backend = open_backend
        self._open_verifier = open_verifier
        self._open_larger = open_larger
        self._backend: Backend | None = None
        self._larger: Backend | None = None
        self._verifier: Verifier | None = None
        self._fault: LoadError | None = None
        self._offers: dict[str, Offer] = {}
        self._settled = threading.Event()
        self._settled.set()
        self._turn = OneAtATime()

    @property
    def fault(self) -> LoadError | None:
        """Why the last `load` failed; None if it did not."""
        return self._fault

    @property
    def loaded(self) -> bool:
        """Whether programs can be written."""
        return self._backend is not None

    @property
    def loading(self) -> bool:
        """Whether a `load` is expected or in progress."""
        return not self._settled.is_set()

    def expect_load(self) -> None:
        """Let requests wait for a `load` that is about to begin."""
        self._settled.clear()

    def load(self) -> None:
        """Load map, verifier and model, in this order, so that cheap faults come first.

        Raises:
            LoadError: Something is missing or damaged; nothing stays loaded.
        """
        self._settled.clear()
        self._fault = None
        try:
            old, self._verifier = self._verifier, self._open_verifier()
            if old is not None:  # judged a version of a task before
                old.close()
            self._site, self._site_rules = self._open_site(), self._verifier.rules_sha256
            backend = self._open_backend()
            backend.load()
            self._backend = backend
            _check_made_for(backend, self._site.surroundings.robot.name)
            self._read_ahead(backend)
            dictionary()
            self._larger = self._open_larger()
        except Exception as error:
            code = error.code if isinstance(error, BackendError) else TaskErrorCode.UNKNOWN
            ours = not isinstance(error, (BackendError, ConfigError))
            self._free()  # not `unload`: a request may wait for this load
            self._fault = LoadError(code, f"cannot load: {error!r}" if ours else str(error))
            raise self._fault from (error if ours else None)
        finally:
            self._settled.set()

    def _read_ahead(self, backend: Backend) -> None:
        """Evaluate the common beginning of all prompts before the first task."""
        if isinstance(backend, ReadsAhead):
            name = backend.describe().prompt_format
            places = self._map_in_prompt() or knows_places(name)
            there = self._site.surroundings
            prompts = prompt_format(name, there if places else there.robot_alone)
            backend.warm(prompts.beginning)

    def unload(self) -> bool:
        """Free the model and end the verifier; a later `load` restores both.

        Waits for a request in progress, which its caller cancels.

        Returns:
            False if it did not end in time; everything is still loaded.
        """
        with self._turn.kept_free(UNLOAD_LIMIT) as free:
            if free:
                self._free()
        return free

    def _free(self) -> None:
        for backend in filter(None, (self._backend, self._larger)):
            backend.unload()
        if self._verifier is not None:
            self._verifier.close()
        self._backend = self._larger = self._verifier = None

    def write(
        self,
        text: str,
        options: WritingOptions,
        on_event: OnEvent,
        cancel: StopSignal,
        language: str = "en",
        asked_by: str = "",
        follow_up: FollowUp | None = None,
        found: Sequence[str] = (),
        background: bool = False,
    ) -> Generation:
        """The program for the instruction in `text`, or the typed reason why there is none.

        Args:
            text: Unchecked text from outside.
            options: Bounds; waiting for the model counts against the time limit.
            on_event: Called with every event, the returned result last.
            cancel: Ends the work within 100 ms.
            language: BCP 47 tag.
            asked_by: For the record.
            follow_up: How `text` was read, if it changes an existing task.
            found: What earlier rounds have found out, as `findings` words it; also unchecked.
            background: Nobody waits for it: CANCELED as soon as somebody else asks.
        """
        if background:
            cancel = _GivesWay(cancel, self._turn)
        until = TimeLimit(cancel, options.time_limit)

        def answer() -> Generation:
            instruction = Instruction.checked(text, language, asked_by, time.time())
            backend = self._ready(until)
            offer = self._offers.get(instruction.text)
            if offer is not None and follow_up is None and not found:
                return self._judged_again(partial(chosen, offer), on_event, cancel)
            site = self._site_now()
            instruction = replace(instruction, found=tuple(found))
            if follow_up is not None:
                read = settled(follow_up, backend, until)
                instruction = instructed(instruction, read, site.surroundings.rooms)
                if source := read.comes_back:
                    judge = partial(brought_back, instruction, source)
                    return self._judged_again(judge, on_event, cancel)
            verify = partial(self._verify, cancel=cancel)
            larger, begun = self._larger, until.start
            job = WritingJob(backend, verify, options, on_event, cancel, site, larger, begun)
            generation = write_round(instruction, job)
            self._remember(instruction.text, generation.offers)
            return generation

        return self._alone(answer, on_event, background)

    def readmit(self, version: TaskVersion, on_event: OnEvent, cancel: StopSignal) -> Generation:
        """Judge a previously accepted program under the current rules; needs no model.

        Args:
            version: The version to return to.
            on_event: Called with every event, the returned result last.
            cancel: Ends the verification within 100 ms.
        """
        return self._alone(
            lambda: self._judged_again(partial(readmitted, version), on_event, cancel), on_event
        )

    def _alone(
        self, answer: Callable[[], Generation], on_event: OnEvent, background: bool = False
    ) -> Generation:
        """The answer, or why there is none; serialises the requests."""
        with self._turn.entered(background) as entered:
            if not entered:
                return refused(TaskErrorCode.BUSY, "another program is being written", on_event)
            try:
                if not self.active and (self.loaded or self.loading):
                    message = "the generator is inactive; activate it"
                    raise LoadError(TaskErrorCode.MODEL_NOT_LOADED, message)
                return answer()
            except TaskError as error:
                return refused(error.code, error.message, on_event)
            except ConfigError as error:  # a changed map or policies file that is invalid
                return refused(TaskErrorCode.UNKNOWN, str(error), on_event)

    def _judged_again(
        self,
        judge: Callable[[Callable[[str], Verdict], OnEvent], Generation],
        on_event: OnEvent,
        cancel: StopSignal,
    ) -> Generation:
        """Raises LoadError and ConfigError, as `_verify`."""
        on_event(DraftStarted(1))
        generation = judge(lambda source: self._verify(source, cancel), on_event)
        on_event(generation)
        return generation

    def _remember(self, text: str, offers: Sequence[Offer]) -> None:
        """Store the programs behind the choices of a question, for when one comes back."""
        for offer in offers:
            self._offers[one_line(with_choice(text, offer.choice))] = offer
        while len(self._offers) > MOST_OFFERS:
            del self._offers[next(iter(self._offers))]

    def _ready(self, until: TimeLimit) -> Backend:
        while not self._settled.wait(POLL):
            if until.cancel.is_set():
                raise LoadError(TaskErrorCode.CANCELED, "writing the program was cancelled")
            if not until.left:
                raise LoadError(
                    TaskErrorCode.MODEL_NOT_LOADED, "the model is still loading; try again"
                )
        if self._fault is not None:
            raise self._fault
        if self._backend is None:
            raise LoadError(
                TaskErrorCode.MODEL_NOT_LOADED, "the model is not loaded; configure the generator"
            )
        return self._backend

    def _site_now(self) -> Site:
        """The current site, with the map as it is now and the robot in it.

        Raises:
            ConfigError: The map is invalid.
        """
        rules = self._opened().rules_sha256
        if rules != self._site_rules:
            self._site, self._site_rules = self._open_site(), rules
        return replace(self._site, surroundings=self._now(self._site.surroundings))

    def _opened(self) -> Verifier:
        if self._verifier is None:
            self._verifier = self._open_verifier()
        return self._verifier

    def _verify(self, source: str, cancel: StopSignal) -> Verdict:
        verifier = self._opened()
        verdict = result_unless(cancel, lambda: verifier.verify(source))
        if verdict is None:
            # Only closing it stops a verification; the next request starts another.
            self._verifier = None
            verifier.close()
            raise LoadError(TaskErrorCode.CANCELED, "writing the program was cancelled")
        return verdict


class _GivesWay:
    """Set by its client, or when another request waits."""

    def __init__(self, cancel: StopSignal, turn: OneAtATime) -> None:
        self._cancel, self._turn = cancel, turn

    def is_set(self) -> bool:
        return self._cancel.is_set() or self._turn.awaited


def _check_made_for(backend: Backend, robot: str) -> None:
    """Refuse a model that was trained only for another robot.

    Raises:
        BackendError: it was trained for another robot.
    """
    model = backend.describe()
    if model.robot != robot and not can_read(model.prompt_format):
        raise BackendError(
            TaskErrorCode.MODEL_NOT_LOADED,
            f"the model {model.name} was trained for the robot {model.robot}, not for {robot}; "
            "name one that follows instructions: --model FILE.gguf, or the address of a server",
        )


def refused(
    code: TaskErrorCode, message: str, on_event: OnEvent, answer: Answer | None = None
) -> Generation:
    """The result of a request for which nothing was written; calls `on_event` too."""
    generation = Generation("", "", None, (), 0, 0, 0, 0.0, code, message, answer=answer)
    on_event(generation)
    return generation
