"""The tasks in the program writer's library, as the kiosk offers them again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import BaseModel, ConfigDict

from roboinstruct_ros.domain.task_version import TaskVersion
from roboinstruct_ros.library.library_file import OFF, LibraryError
from roboinstruct_ros.library.task_library import NoSuchTask, TaskLibrary
from roboinstruct_ros.web.shown import shown_text
from roboinstruct_ros.web.task_events import PlanOf
from roboinstruct_ros.web.task_view import TaskView
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

MOST = 50
"""Tasks in one answer; more words find others."""


class KeptTask(BaseModel):
    """A task of the library: `changed` in s since the Unix epoch, `succeeded` runs that did."""

    model_config = ConfigDict(frozen=True)
    id: str
    words: str
    versions: int
    changed: float
    succeeded: int


class KeptTasks:
    """What was written before, by any kiosk or command line of this robot; from any thread.

    Args:
        place: of the library, as `TaskLibrary.open` takes it; "none" has nothing to offer.
    """

    def __init__(self, place: str = OFF) -> None:
        self._place = place

    def some(self, words: str = "") -> list[KeptTask]:
        """Those whose words have all these in them, whatever their letter case, the one that
        changed last first.

        Raises:
            WebError: LIBRARY_FAILED.
        """
        wanted = words.casefold().split()
        with self._opened() as library:
            tasks = library.tasks()
        found = (one for one in tasks if all(word in one.words.casefold() for word in wanted))
        return [
            KeptTask(
                id=one.task_id,
                words=shown_text(one.words, 1000),
                versions=one.versions,
                changed=one.changed,
                succeeded=one.succeeded or 0,
            )
            for one, _ in zip(found, range(MOST), strict=False)
        ]

    def again(self, name: str, request_id: str) -> TaskVersion:
        """The version that `name` means (see `TaskLibrary.find`), asked for by a new request.

        Raises:
            WebError: NOT_FOUND, LIBRARY_FAILED.
        """
        with self._opened() as library:
            try:
                return library.again(name, request_id)
            except NoSuchTask as error:
                raise WebError(WebErrorCode.NOT_FOUND, str(error)) from None

    @contextmanager
    def _opened(self) -> Iterator[TaskLibrary]:
        # Anew each time: whoever writes the programs may have moved a damaged file aside.
        try:
            library = TaskLibrary.open(self._place)
        except LibraryError as error:
            raise WebError(WebErrorCode.LIBRARY_FAILED, str(error)) from None
        try:
            yield library
        except LibraryError as error:
            raise WebError(WebErrorCode.LIBRARY_FAILED, str(error)) from None
        finally:
            library.close()


def task_of(version: TaskVersion, request_id: str, plan_of: PlanOf) -> TaskView:
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
    )
