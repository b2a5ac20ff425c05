"""The tasks that were kept, judged under a changed map: which of them would not run any more."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.task_version import TaskVersion
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.web.api_models import Value
from roboinstruct_ros.web.engineer.judge import Judge
from roboinstruct_ros.web.shown import shown_text
from roboinstruct_ros.web.web_error import WebError

_log = logging.getLogger(__name__)


class BrokenTask(Value):
    """A kept task that is not accepted, and why not; `before` the change neither was it."""

    name: str
    words: str
    why: str
    before: bool


class CheckState(Value):
    """How far a check is, and what it has found; `fault` ended it."""

    running: bool = False
    done: int = 0
    total: int = 0
    broken: tuple[BrokenTask, ...] = ()
    fault: str = ""


class LibraryCheck:
    """Judges the newest version of each task in a thread; a new check ends the one before.

    Args:
        kept: gives the versions; may raise WebError.
    """

    def __init__(self, judge: Judge, kept: Callable[[], Sequence[TaskVersion]]) -> None:
        self._judge, self._kept = judge, kept
        self._turn = 0
        self.state = CheckState()

    def start(self, before: SemanticMap, after: SemanticMap) -> None:
        """Begins; `state` tells how far it is."""
        self._turn += 1
        self.state = CheckState(running=True)
        work = threading.Thread(
            target=self._run, args=(self._turn, before, after), name="library check", daemon=True
        )
        work.start()

    def close(self) -> None:
        """Ends the check after the task that it is at."""
        self._turn += 1

    def _run(self, turn: int, before: SemanticMap, after: SemanticMap) -> None:
        try:
            kept = self._kept()
            with self._judge.under(after) as now:
                refused = list(self._refused(turn, kept, now))
            # Most changes break nothing: a second process only where something was.
            if refused:
                with self._judge.under(before) as then:
                    self._tell_broken(turn, refused, then)
            else:
                self._tell(turn, running=False, done=len(kept), total=len(kept))
        except (InputError, WebError) as error:
            self._tell(turn, running=False, fault=str(error))
        except Exception:  # else it would count as running for ever
            _log.exception("the kept tasks could not be verified")
            fault = "the kept tasks could not be verified; the kiosk's log says why"
            self._tell(turn, running=False, fault=fault)

    def _refused(
        self, turn: int, kept: Sequence[TaskVersion], now: VerifierWorker
    ) -> Iterator[tuple[TaskVersion, str]]:
        """Each version that is not accepted now, and why not."""
        for done, version in enumerate(kept):
            if turn != self._turn:
                return
            self._tell(turn, running=True, done=done, total=len(kept))
            verdict = now.verify(version.source)
            if not verdict.accepted:
                yield version, verdict.why_not

    def _tell_broken(
        self, turn: int, refused: Sequence[tuple[TaskVersion, str]], then: VerifierWorker
    ) -> None:
        broken = [
            BrokenTask(
                name=version.name, words=shown_text(version.words), why=shown_text(why),
                before=not then.verify(version.source).accepted,
            )
            for version, why in refused
        ]  # fmt: skip
        total = self.state.total
        self._tell(turn, running=False, done=total, total=total, broken=broken)

    def _tell(self, turn: int, **state: object) -> None:
        if turn == self._turn:
            self.state = CheckState.model_validate(state)
