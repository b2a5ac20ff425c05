"""Long waits that give up, such as `for _ in range(600)`: rounds that are all alike are skipped.

If each round of a loop either leaves it or ends in the state in which the others end, the last
round may follow the first ones at once (docs/verifier.md, Lemma 4).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from operator import length_hint
from types import FrameType

from roboinstruct_ros.verify.budget import LOOK_WORK
from roboinstruct_ros.verify.explore.line_watch import LineWatch
from roboinstruct_ros.verify.explore.loops import Loop, Round
from roboinstruct_ros.verify.explore.program_state import program_state
from roboinstruct_ros.verify.explore.standing import LoopPlace
from roboinstruct_ros.verify.world.simulated_skills import SimulatedSkills

LEAST, MOST = 8, 100_000
"""Rounds left after the first one, for which states are compared."""


@dataclass(eq=False)
class RoundsDiffer(BaseException):
    """The rounds of a loop end in different states, as when they count, or it is no wait.

    Attributes:
        place: of the loop, none of whose rounds may be skipped.
    """

    place: LoopPlace


class BoundedWaits:
    """The states in which the rounds of long loops begin, in one exploration.

    Only an exploration of all choices shows that rounds are alike on all paths.

    Args:
        full: the loops of which no round is skipped.

    Attributes:
        first_skip: the choices made before the first rounds that were skipped; None for none.
    """

    def __init__(self, full: Collection[LoopPlace]) -> None:
        self.first_skip: tuple[int, ...] | None = None
        self._full = full
        self._begun: dict[tuple[LoopPlace, tuple[int, ...], int], object] = {}

    def round_begins(
        self,
        skills: SimulatedSkills,
        watch: LineWatch,
        frame: FrameType,
        place: LoopPlace,
        loop: Loop,
    ) -> None:
        """Handle the beginning of a round; if it begins like the one before, make it the last.

        Raises:
            RoundsDiffer: the round before did nothing, or after the same choices before the loop
                this round has begun in another state.
        """
        left = length_hint(loop.iterator)
        if loop.entered is None and LEAST <= left <= MOST and skills.past_is_over:
            loop.entered = None if place in self._full else skills.choices.sequence
        if loop.entered is None or not left:
            return
        last, spent = loop.latest, skills.run_limits.spent
        if last is not None and last.acted == watch.acted:
            raise RoundsDiffer(place)
        watch.spend(LOOK_WORK, place[0])
        read = watch.facts.clear_calls.read_in_round(place)
        state = program_state(frame, read), skills.state()
        if self._begun.setdefault((place, loop.entered, left), state) != state:
            raise RoundsDiffer(place)
        if last is not None and last.state == state:
            if self.first_skip is None:
                self.first_skip = skills.choices.sequence
            skills.skips(place[0], left, last.spent)
            deque(loop.iterator, maxlen=0)
        loop.latest = Round(state, watch.acted, spent)
