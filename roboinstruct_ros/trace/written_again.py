"""Has the current model write a recorded program again: would it still do the same?

Behaviour is compared, not text: the calls in a few worlds of the verifier, and otherwise those in
the recorded world.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache

from roboinstruct_ros.execute.run_setting import RunSetting
from roboinstruct_ros.generate.backends.backend import Backend
from roboinstruct_ros.generate.backends.open_backend import backend_for
from roboinstruct_ros.generate.generation import Generation
from roboinstruct_ros.generate.generator import Generator, LoadError
from roboinstruct_ros.generate.prompts.surroundings import Surroundings
from roboinstruct_ros.generate.rounds.rounds import Progressive
from roboinstruct_ros.generate.site import Site, site_for
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.trace.replay import CannotReplay, Skipped, replay_calls
from roboinstruct_ros.trace.run_trace import RunTrace, Words
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Verdict

_AS_SERVED = WritingOptions(progressive=Progressive.CUES)


@dataclass(frozen=True)
class OtherProgram:
    """The program written now, and how its behaviour differs.

    Attributes:
        source: empty if no program was accepted.
    """

    source: str
    told: str

    def __str__(self) -> str:
        return self.told


def replay_program(trace: RunTrace, model: str = "") -> OtherProgram | None:
    """Have a program written again from the recorded words; None if it does the same.

    Args:
        model: as for `backend_for`; loaded once per process.

    Raises:
        Skipped: no model wrote the recorded program, or its input is not in the bag.
        CannotReplay: the current model cannot be loaded.
    """
    return _writer_with(model).compare(trace)


@lru_cache(maxsize=1)
def _writer_with(model: str) -> Rewriter:
    return Rewriter(lambda: backend_for(model))


class Rewriter:
    """Writes programs under the rules of one recording after another, and verifies them."""

    def __init__(self, open_backend: Callable[[], Backend]) -> None:
        self._generator = Generator(open_backend, lambda: self, self._site, now=self._now)
        self._words, self._setting = Words(""), RunSetting.model_construct()
        self._worker: VerifierWorker

    @property
    def rules_sha256(self) -> str:
        """Hash of the rules of the current recording."""
        return self._worker.rules_sha256

    def verify(self, source: str) -> Verdict:
        """The verdict on a program under the initial conditions of the recording."""
        return self._worker.verify(source, remains=self._setting.remains)

    def close(self) -> None:
        """Does nothing: `compare` ends the verifier process."""

    def compare(self, trace: RunTrace) -> OtherProgram | None:
        """Implements `replay_program`."""
        self._words, self._setting = _given(trace)
        rules = self._setting
        worker = VerifierWorker(rules.domain, rules.semantic_map, rules.policies, behaviour=True)
        with closing(worker) as self._worker:
            try:
                if not self._generator.loaded:
                    self._generator.load()
                return self._other(trace, self._written())
            except LoadError as error:
                raise CannotReplay(f"{trace.folder}: {error}") from None

    def _written(self) -> Generation:
        words = self._words
        never = threading.Event()
        return self._generator.write(
            words.text, _AS_SERVED, lambda event: None, never, found=words.found
        )

    def _other(self, trace: RunTrace, now: Generation) -> OtherProgram | None:
        if not now.accepted:
            return OtherProgram("", f"the model writes no program now: {now.error_msg}")
        was, does = (self.verify(source).behaviour for source in (trace.source, now.source))
        if now.source == trace.source or (was and was == does):
            return None
        there = replay_calls(replace(trace, source=now.source))
        if there is not None:
            return OtherProgram(now.source, str(there))
        if was and does:
            told = "the same calls in the recorded world, and others where the answers are others"
            return OtherProgram(now.source, told)
        return None

    def _site(self) -> Site:
        return site_for(self._setting.domain, self._setting.semantic_map)

    def _now(self, there: Surroundings) -> Surroundings:
        return replace(there, here=self._words.here, holding=self._words.holding)


def _given(trace: RunTrace) -> tuple[Words, RunSetting]:
    """The model's input and the rules under which it wrote.

    Raises:
        Skipped: the bag lacks them.
    """
    words = trace.words
    if trace.setting is None or words is None or words.sha256 != sha256_of(trace.source):
        raise Skipped(f"{trace.folder}: no model wrote the program of this run")
    if words.follows:
        raise Skipped(
            f"{trace.folder}: the words changed an earlier task, which the bag does not hold"
        )
    return words, trace.setting
