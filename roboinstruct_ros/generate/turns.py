"""Decides the next prompt: the instruction again, or the repair of a rejected program."""

from __future__ import annotations

from collections.abc import Sequence

from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.generate.backends.backend import Draw
from roboinstruct_ros.generate.backends.conversation import Prompt
from roboinstruct_ros.generate.prompts.prompt import Rejected
from roboinstruct_ros.generate.prompts.prompting import Prompting
from roboinstruct_ros.generate.writing_options import Retry, WritingOptions
from roboinstruct_ros.verify.verdict import Verdict

TEMPERATURE_STEP = (
    0.1  # added every round, to vary the texts of a model that is sure of a wrong program
)
TEMPERATURE_MAX = 1.0
VOTING_TEMPERATURE = 0.7  # at least, for texts that are compared


class Turns:
    """The successive prompts of one generation, and the sampling of texts for them.

    Attributes:
        attempt: 1, plus one for each repair of rejected programs.
    """

    def __init__(self, prompts: Prompting, options: WritingOptions) -> None:
        self.attempt = 1
        self._prompts, self._options = prompts, options
        self._rejected: list[Rejected] = []
        self._drawn = self._rounds = self._mended = self._unrepaired = 0

    @property
    def are_left(self) -> bool:
        """Whether another prompt is allowed."""
        return self._drawn < self._options.max_attempts * self._options.draws

    @property
    def went_astray(self) -> bool:
        """Whether a program named a room that is not on the map."""
        codes = {violation.code for one in self._rejected for violation in one.violations}
        return ViolationCode.UNKNOWN_LOCATION in codes

    def reject(self, source: str, verdict: Verdict) -> None:
        """Record a rejected program."""
        self._mend(Rejected(source, verdict.violations, verdict.assumptions))

    def doubt(self, source: str, notes: Sequence[str]) -> None:
        """Record an accepted program that does not fit the instruction."""
        self._mend(Rejected(source, (), notes=notes))

    def _mend(self, program: Rejected) -> None:
        self._unrepaired = max(self._unrepaired, 1)
        self._rejected.append(program)

    def next(self, voting: bool) -> tuple[Prompt, list[Draw]]:
        """The prompt, and a draw for each text.

        Args:
            voting: The texts are compared with all earlier ones, rejected or not, as one attempt.
        """
        prompt, greedy = self._prompt()
        if greedy or not voting:
            self.attempt += len(self._rejected) > self._mended
            self._mended = len(self._rejected)
        draws = self._draws(greedy, voting)
        self._drawn += len(draws)
        self._rounds += 1
        return prompt, draws

    def _prompt(self) -> tuple[Prompt, bool]:
        """The prompt, and whether to use greedy decoding: a rejected program is shown once, and
        a repeated prompt is sampled."""
        resampled = 0 if self._options.retry is Retry.REPAIR else 1
        if self._options.repair and self._unrepaired > resampled:
            self._unrepaired = 0
            repair = self._prompts.repair(self._rejected)
            if repair is not None:
                return repair, True
        if self._unrepaired:
            self._unrepaired += 1
        return self._prompts.first(), not self._drawn

    def _draws(self, greedy: bool, voting: bool) -> list[Draw]:
        warmth = self._options.temperature
        if voting:
            warmth = max(warmth, VOTING_TEMPERATURE)
        else:
            warmth += TEMPERATURE_STEP * max(self._rounds - 1, 0)
        warmth, seed = min(warmth, TEMPERATURE_MAX), self._options.seed + self._drawn
        count = max(self._options.candidates, 1)
        draws = [Draw(warmth, seed + index) for index in range(count)]
        if not greedy:
            return draws
        first = Draw(warmth, seed, leads=True) if self._options.sampled else Draw(0.0, seed)
        return [first, *draws[1:]]
