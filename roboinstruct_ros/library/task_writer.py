"""Writes programs with the library: follow-ups change stored programs, and results are stored."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from roboinstruct_ros.domain.answer import Answer
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.instruction import Instruction, InstructionError
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.domain.task_version import Steering, TaskVersion
from roboinstruct_ros.generate.backends.backend import StopSignal
from roboinstruct_ros.generate.generation import Generation, GenerationEvent, OnEvent
from roboinstruct_ros.generate.generator import Generator, refused
from roboinstruct_ros.generate.prompts.example_choice import choose_examples
from roboinstruct_ros.generate.prompts.nearest_text import NO_FULL_TEXT, has_full_text
from roboinstruct_ros.generate.rounds.steering import FollowUp, read_follow_up
from roboinstruct_ros.generate.site import ExamplesFor, no_examples
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.library.library_file import LibraryError
from roboinstruct_ros.library.task_library import NewVersion, NoSuchTask, TaskLibrary

Warn = Callable[[str], object]


@dataclass(frozen=True)
class WritingOrder:
    """A request for a program.

    Attributes:
        text: The words, as received.
        request_id: Id of this request; empty draws one.
        follows: The task that the words follow up on, as for `TaskLibrary.find`; empty for a new
            task.
        language: BCP 47 tag.
        asked_by: Recorded with the task.
        found: Findings of earlier rounds of the task.
        background: Nobody waits for it: it is not stored, and any other request ends it.
    """

    text: str
    request_id: str = ""
    follows: str = ""
    language: str = "en"
    asked_by: str = ""
    found: Sequence[str] = ()
    background: bool = False


class TaskWriter:
    """Combines a generator and a library; a library fault never costs a written program.

    Args:
        warn: Receives one line per library fault.
    """

    def __init__(self, generator: Generator, library: TaskLibrary, warn: Warn) -> None:
        self._generator = generator
        self._library = library
        self._warn = warn

    def write(
        self, order: WritingOrder, options: WritingOptions, on_event: OnEvent, cancel: StopSignal
    ) -> Generation:
        """The program for new words or for a change of a task, or the typed reason for none.

        Args:
            options: Limits.
            on_event: Receives all progress and, last, the returned generation.
            cancel: Ends the work within 100 ms.
        """
        order = replace(order, request_id=order.request_id or uuid.uuid4().hex[:12])
        follow_up: FollowUp | None = None
        if order.follows:
            try:
                follow_up = self._read(order)
            except InstructionError as error:
                return refused(error.code, error.message, on_event)
            except (NoSuchTask, LibraryError) as error:
                return refused(TaskErrorCode.UNKNOWN, str(error), on_event)
            if follow_up.question:
                code = TaskErrorCode.NO_ACCEPTED_PROGRAM
                answer = Answer(follow_up.kind, follow_up.question)
                return refused(code, answer.words, on_event, answer)
        end: list[Generation] = []

        def tell(event: GenerationEvent) -> None:
            if isinstance(event, Generation):
                event = self._kept(order, follow_up, event)
                end.append(event)
            on_event(event)

        if follow_up is not None and follow_up.is_bare_return and follow_up.version is not None:
            self._generator.readmit(follow_up.version, tell, cancel)
        else:
            self._generator.write(
                order.text, options, tell, cancel, order.language, order.asked_by, follow_up,
                order.found, order.background,
            )  # fmt: skip
        return end[-1]

    def needs_model(self, order: WritingOrder) -> bool:
        """Whether a program must be written; a bare return to a version and a refused request need
        no model.

        Raises:
            NoSuchTask: `follows` is unknown.
            LibraryError: The library cannot be read now.
        """
        if not order.follows:
            return True
        try:
            follow_up = self._read(order)
        except InstructionError:
            return False
        return not follow_up.is_bare_return and not follow_up.question

    def _read(self, order: WritingOrder) -> FollowUp:
        text = Instruction.checked(order.text).text
        current = self._library.find(order.follows)
        versions = self._library.versions(current.task_id)
        return read_follow_up(text, versions, current)

    def _kept(
        self, order: WritingOrder, follow_up: FollowUp | None, generation: Generation
    ) -> Generation:
        """Store an accepted generation. Returns it with its place in the library.

        The program of a later round is not stored: it begins where the previous round ended.
        """
        unkept = order.found or order.background
        if not generation.accepted or generation.verdict is None or unkept:
            return generation
        new = _new_version(order, follow_up, generation)
        try:
            if follow_up is None and (order.found or self._library.has_request(order.request_id)):
                return generation  # a later round: the remaining words, based on earlier findings
            version, again = self._library.record(new, time.time())
        except LibraryError as error:
            self._warn(f"{error}; this program is not kept, and cannot be followed up")
            return generation
        note = (f"This is version {version.number} again.",) if again else ()
        return replace(
            generation,
            notes=(*generation.notes, *note),
            words=version.words,
            task_id=version.task_id,
            version=version.number,
            succeeded=version.succeeded,
        )


def examples_from(library: TaskLibrary, warn: Warn) -> ExamplesFor:
    """A function that selects examples from the library; `warn` says if that is impossible."""
    if not has_full_text():
        warn(NO_FULL_TEXT)
        return no_examples

    def choose(words: str, most: int, but_not: str, shown: Sequence[str]) -> tuple[str, ...]:
        try:
            return choose_examples(words, library.examples(), most, but_not, shown)
        except LibraryError as error:
            warn(f"{error}; no example was chosen")
            return ()

    return choose


def note_run(library: TaskLibrary, kind: str, request_id: str, data: Mapping[str, Any]) -> None:
    """Count an approval or a successful run for the version written by the request.

    Args:
        kind: Kind of an executor event.
        data: Its data, as documented in `domain/events.py`.
    """
    sha256 = str(data.get("program_sha256", ""))
    if kind == EventKind.PROGRAM_APPROVED.value:
        library.approved(request_id, sha256)
    elif kind == EventKind.RUN_FINISHED.value and data.get("outcome") == "succeeded":
        library.succeeded(request_id, sha256)


def _new_version(
    order: WritingOrder, follow_up: FollowUp | None, generation: Generation
) -> NewVersion:
    verdict = generation.verdict
    assert verdict is not None
    said = Instruction.checked(generation.now or order.text).text
    plain = NewVersion(
        request_id=order.request_id,
        task_id=order.request_id,
        said=said,
        words=said,
        source=generation.source,
        worlds=verdict.paths,
        exhaustive=verdict.exhaustive,
        deferred=generation.deferred,
        asked_by=order.asked_by,
    )
    if follow_up is None:
        return plain
    # The model may have read the follow-up in another way than the first analysis.
    steering = Steering(generation.steering)
    if steering is Steering.FRESH:
        return replace(plain, words=generation.words, steering=steering)
    parent: TaskVersion = follow_up.version or follow_up.current
    words = generation.words or parent.words
    return replace(
        plain, task_id=parent.task_id, words=words, steering=steering, parent=parent.number
    )
