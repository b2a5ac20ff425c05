"""States in which some run has stood: another run that comes to one has nothing new to find."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from roboinstruct_ros.verify.explore.choices import Choices
from roboinstruct_ros.verify.explore.program_state import state_at_call
from roboinstruct_ros.verify.explore.standing import ClearCalls, Loops, program_frames
from roboinstruct_ros.verify.world.footprint import Facts, Footprint

_MOST_ALIKE = 16
"""States of which only facts differ that are kept."""


@dataclass(eq=False)
class Seen:
    """A state in which a run was about to ask something.

    Attributes:
        choices: that led to it first.
        facts: of the world then.
        read: what was looked at in the worlds that go on from it.
        under_way: not all of those were tried yet.
    """

    choices: tuple[int, ...]
    facts: Facts
    read: Footprint = field(default_factory=Footprint)
    under_way: bool = True


@dataclass(eq=False)
class Merged(BaseException):
    """A run is in a state from which all has been tried."""

    seen: Seen


@dataclass(eq=False)
class EqualStates:
    """The states of one exploration, depth first.

    A state is one that was seen before if program and world are the same, but for facts that no
    world which went on from there has looked at.
    """

    _seen: dict[object, list[Seen]] = field(default_factory=dict)
    _stack: list[Seen] = field(default_factory=list)

    def run(
        self, choices: Choices, clear: ClearCalls, loops: Loops, rest: Callable[[], object]
    ) -> Comparison | None:
        """A run begins; None where not all choices are tried."""
        if not choices.tries_all:
            return None
        while self._stack and len(self._stack[-1].choices) >= len(choices.prefix):
            self._stack.pop().under_way = False
        return Comparison(self, choices, clear, loops, rest)

    def same(self, state: object, seen: Seen) -> Seen | None:
        """A state like this one from which all has been tried; where there is none, the run goes on
        from this one as from a new state."""
        alike = self._seen.setdefault(state, [])
        for other in alike:
            if not other.under_way and other.read.fits(other.facts, seen.facts):
                return other
        if len(alike) < _MOST_ALIKE:
            alike.append(seen)
        self._stack.append(seen)
        return None

    def note(self, read: Footprint) -> None:
        """This was looked at in the run under way, since it was in the last state."""
        for seen in reversed(self._stack):
            if not seen.read.add(read):
                return

    def ended(self, read: Footprint, cut: int | None) -> None:
        """The run is over.

        Args:
            cut: not all was tried that could come of the states since this many choices.
        """
        self.note(read)
        for seen in self._stack:
            if cut is not None and len(seen.choices) >= cut:
                seen.read.is_all = True


@dataclass(eq=False)
class Comparison:
    """Holds one run against the others.

    Attributes:
        clear: the calls at which it can be held against others.
        rest: what decides how the run goes on and is part of neither program nor world.
    """

    states: EqualStates
    choices: Choices
    clear: ClearCalls
    loops: Loops
    rest: Callable[[], object]
    _looked: int | None = None

    def asks(
        self,
        skill: str,
        read: Footprint,
        facts: Callable[[], Facts],
        rest: Callable[[], object],
    ) -> bool:
        """A skill that may be answered in several ways is called. Whether it was looked.

        Args:
            read: what the run has looked at; it is begun anew.
            facts: those of the world.
            rest: all else that decides how the call and the world go on.

        Raises:
            Merged: the run is where another one was.
        """
        chosen = len(self.choices.taken)
        if chosen < len(self.choices.prefix):
            read.clear()  # an earlier run has noted it
            return False
        if chosen in (0, self._looked):
            return False  # nothing is open before it, or it was looked at
        self._looked = chosen
        frames = program_frames(sys._getframe(1))
        program = state_at_call(frames, self.clear, self.loops, skill) if frames else None
        if program is None:
            return True
        state = (program, skill, rest(), self.rest(), bool(self.choices.left_out))
        self.states.note(read)
        read.clear()
        same = self.states.same(state, Seen(self.choices.sequence, facts()))
        if same is not None:
            self.states.note(same.read)
            raise Merged(same)
        return True
