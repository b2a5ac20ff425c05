"""The tasks in the program writer's library, as the kiosk offers them again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path

from pydantic import Field

from roboinstruct_ros.domain.instruction import MAX_CHARACTERS, Instruction, InstructionError
from roboinstruct_ros.domain.robot_name import RobotName
from roboinstruct_ros.domain.task_version import TaskVersion
from roboinstruct_ros.library.attempts import Attempt, AttemptOutcome, Attempts
from roboinstruct_ros.library.library_file import OFF, LibraryError, default_path
from roboinstruct_ros.library.task_library import NewVersion, NoSuchTask, TaskLibrary
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.web.api_models import ClosedValue, Value
from roboinstruct_ros.web.own_sentences import Explained
from roboinstruct_ros.web.plan import plan_of
from roboinstruct_ros.web.shown import shown_text
from roboinstruct_ros.web.task_view import TaskView
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

MOST = 50
"""Tasks in one answer; more words find others."""


class KeptTask(Value):
    """A task of the library: `changed` in s since the Unix epoch, `succeeded` runs that did
    on this robot."""

    id: str
    words: str
    versions: int
    changed: float
    succeeded: int
    favourite: bool = False


class RefusedAttempt(Explained):
    """What was asked for and did not become a run: `created` in s since the Unix epoch."""

    created: float
    words: str
    asked_by: str
    outcome: AttemptOutcome


class SharedTask(ClosedValue):
    """A task as a file that another robot of this kind can read; `sha256` of the program's text."""

    words: str = Field(min_length=1, max_length=MAX_CHARACTERS)
    source: str = Field(max_length=20_000, pattern=r"^[^\x00]*$")  # a ROS string ends at NUL
    sha256: str


class KeptTasks:
    """What was written before, by any kiosk or command line of this user; from any thread.

    Args:
        place: of the library, as `TaskLibrary.open` takes it; "none" has nothing to offer.
        robot: whose approvals in advance and successes they are, as there.
    """

    def __init__(self, place: str = OFF, robot: RobotName | None = None) -> None:
        self._place, self._robot = place, robot

    @property
    def begun(self) -> bool:
        """Whether there is a library at all; looking at one makes it."""
        place = Path(self._place).expanduser() if self._place else default_path()
        return self._place != OFF and place.exists()

    def some(self, words: str = "") -> list[KeptTask]:
        """Those whose words have all these in them, whatever their letter case, favourites first,
        then the one that changed last.

        Raises:
            WebError: LIBRARY_FAILED.
        """
        with self.opened() as library:
            tasks = sorted(library.tasks(), key=lambda one: not one.favourite)
        fits = having(words)
        return [
            KeptTask(
                id=one.task_id,
                words=shown_text(one.words, 1000),
                versions=one.versions,
                changed=one.changed,
                succeeded=one.succeeded or 0,
                favourite=bool(one.favourite),
            )
            for one in islice((one for one in tasks if fits(one.words)), MOST)
        ]

    def again(self, name: str, request_id: str) -> TaskVersion:
        """The version that `name` means (see `TaskLibrary.find`), asked for by a new request.

        Raises:
            WebError: NOT_FOUND, LIBRARY_FAILED.
        """
        with self.named() as library:
            return library.again(name, request_id)

    def of_request(self, request_id: str) -> TaskVersion | None:
        """The version that a request wrote or asked for; None where none is kept.

        Raises:
            WebError: LIBRARY_FAILED.
        """
        if not self.begun:
            return None
        with self.opened() as library:
            return library.find(request_id) if library.has_request(request_id) else None

    def mark(self, task_id: str, favourite: bool) -> None:
        """Makes a task a favourite, or no more. Raises WebError: NOT_FOUND, LIBRARY_FAILED."""
        with self.named() as library:
            library.mark(task_id, favourite)

    def refused(self, words: str = "") -> list[RefusedAttempt]:
        """What was asked for with all these words, and did not become a run; the last one first.

        Raises:
            WebError: LIBRARY_FAILED.
        """
        fits = having(words)
        with self.opened() as library:
            found = [one for one in Attempts(library).all() if fits(one.words)]
        return [RefusedAttempt(**asdict(one)) for one in found[:MOST]]

    def note(self, attempt: Attempt) -> None:
        """Keeps what did not become a run. Raises WebError: LIBRARY_FAILED."""
        with self.opened() as library:
            Attempts(library).add(attempt)

    def newest(self) -> list[TaskVersion]:
        """The newest version of each task. Raises WebError: LIBRARY_FAILED."""
        with self.opened() as library:
            return [library.find(task.task_id) for task in library.tasks()]

    def forget(self, task_id: str) -> None:
        """Deletes a task with all its versions. Raises WebError: NOT_FOUND, LIBRARY_FAILED."""
        with self.named() as library:
            library.forget(task_id)

    def file(self, name: str) -> SharedTask:
        """A version to be taken elsewhere. Raises WebError: NOT_FOUND, LIBRARY_FAILED."""
        with self.named() as library:
            version = library.find(name)
        words = shown_text(version.words, MAX_CHARACTERS)  # those of a follow-up may be longer
        return SharedTask(words=words, source=version.source, sha256=version.sha256)

    def take(self, shared: SharedTask, request_id: str) -> TaskVersion:
        """Keeps what comes from elsewhere; whether it may run, the executor says each time.

        Raises:
            WebError: BAD_REQUEST, the text is not the one that was shared; that of an instruction,
                its words cannot be one; LIBRARY_FAILED.
        """
        if sha256_of(shared.source) != shared.sha256:
            message = "the program in the file is not the one that was shared; share it again"
            raise WebError(WebErrorCode.BAD_REQUEST, message)
        try:
            said = Instruction.checked(shared.words).text
        except InstructionError as error:
            raise WebError(error.code, error.message) from None
        new = NewVersion(request_id, request_id, said, said, shared.source, asked_by="a file")
        with self.opened() as library:
            return library.record(new, time.time())[0]

    @contextmanager
    def named(self) -> Iterator[TaskLibrary]:
        """As `opened`; what it does not hold is a WebError NOT_FOUND."""
        with self.opened() as library:
            try:
                yield library
            except NoSuchTask as error:
                raise WebError(WebErrorCode.NOT_FOUND, str(error)) from None

    @contextmanager
    def opened(self) -> Iterator[TaskLibrary]:
        """The library, for a moment. Raises WebError: LIBRARY_FAILED."""
        # Anew each time: whoever writes the programs may have moved a damaged file aside.
        try:
            library = TaskLibrary.open(self._place, robot=self._robot)
        except LibraryError as error:
            raise WebError(WebErrorCode.LIBRARY_FAILED, str(error)) from None
        try:
            yield library
        except LibraryError as error:
            raise WebError(WebErrorCode.LIBRARY_FAILED, str(error)) from None
        finally:
            library.close()


def having(words: str) -> Callable[[str], bool]:
    """Whether a text has all these words in it, whatever their letter case."""
    wanted = words.casefold().split()
    return lambda text: all(word in text.casefold() for word in wanted)


def task_of(version: TaskVersion, request_id: str) -> TaskView:
    """The version as a task whose program is still to be judged."""
    return TaskView(
        id=request_id,
        text=version.words,
        created=time.time(),
        source=version.source,
        sha256=version.sha256,
        steps=plan_of(version.source),
        task=version.task_id,
        version=version.number,
        succeeded=version.succeeded,
    )
