"""Recognises states that an earlier run has already explored, so that a run can stop there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from roboinstruct_ros.program.allow_list import LONGEST_TEXT
from roboinstruct_ros.verify.explore.choices import Choices
from roboinstruct_ros.verify.explore.loops import Loops
from roboinstruct_ros.verify.explore.program_state import state_at_call
from roboinstruct_ros.verify.explore.said_lists import SaidNow
from roboinstruct_ros.verify.explore.standing import ClearCalls, program_frames
from roboinstruct_ros.verify.world.footprint import Facts, Footprint

_MOST_ALIKE = 16
"""Most remembered states that differ in their facts only."""


@dataclass(eq=False)
class Seen:
    """A state in which a run was about to ask something.

    Attributes:
        choices: the choices that first led to it.
        facts: of the world at that moment.
        said: the lists that the program only fills and says.
        read: the facts that the worlds continuing from it have read.
        longest: characters of the longest text that is said in one of them.
        under_way: some of these worlds are still to be tried.
    """

    choices: tuple[int, ...]
    facts: Facts
    said: tuple[SaidNow, ...] = ()
    read: Footprint = field(default_factory=Footprint)
    longest: int = 0
    under_way: bool = True

    def longest_from(self, other: Seen) -> int:
        """Most characters of a text that is said in a world continuing from `other`, a state equal
        to this one."""
        pairs = zip(other.said, self.said, strict=True)
        return self.longest + sum(theirs.longer_than(ours) for theirs, ours in pairs)


@dataclass(eq=False)
class Merged(BaseException):
    """Ends a run in a state from which everything has been tried."""

    seen: Seen


@dataclass(eq=False)
class EqualStates:
    """The states of one exploration, depth first.

    A state is equal to an earlier one if program and world are the same, except for facts that no
    world continuing from the earlier one has read, and for lists that are only filled and said.
    """

    _seen: dict[object, list[Seen]] = field(default_factory=dict)
    _stack: list[Seen] = field(default_factory=list)

    def run(
        self,
        choices: Choices,
        clear: ClearCalls,
        loops: Loops,
        rest: Callable[[], object],
        texts_are_free: bool,
    ) -> Comparison | None:
        """Begin a run; returns None unless all choices are tried."""
        if not choices.tries_all:
            return None
        while self._stack and len(self._stack[-1].choices) >= len(choices.prefix):
            self._stack.pop().under_way = False
        return Comparison(self, choices, clear, loops, rest, texts_are_free)

    def same(self, state: object, seen: Seen) -> Seen | None:
        """An equal state from which everything has been tried. If there is none, remember this
        state as new and return None."""
        alike = self._seen.setdefault(state, [])
        for other in alike:
            fits = not other.under_way and other.read.fits(other.facts, seen.facts)
            if fits and other.longest_from(seen) <= LONGEST_TEXT:
                self.says(other.longest_from(seen))
                return other
        if len(alike) < _MOST_ALIKE:
            alike.append(seen)
        self._stack.append(seen)
        return None

    def note(self, read: Footprint) -> None:
        """Record what the current run has read since its last state."""
        for seen in reversed(self._stack):
            if not seen.read.add(read):
                return

    def says(self, characters: int) -> None:
        """Record the length of a text that the current run says."""
        for seen in reversed(self._stack):
            if seen.longest >= characters:
                return  # and so are those before it
            seen.longest = characters

    def ended(self, read: Footprint, cut: int | None) -> None:
        """End the run.

        Args:
            cut: number of choices; the continuations of states with at least so many were not all
                tried.
        """
        self.note(read)
        for seen in self._stack:
            if cut is not None and len(seen.choices) >= cut:
                seen.read.is_all = True


@dataclass(eq=False)
class Comparison:
    """Compares one run with the others.

    Attributes:
        clear: the calls at which runs can be compared.
        rest: the part of the run's state that belongs to neither program nor world.
        texts_are_free: no policy looks at what is said.
    """

    states: EqualStates
    choices: Choices
    clear: ClearCalls
    loops: Loops
    rest: Callable[[], object]
    texts_are_free: bool
    _looked: int | None = None

    def asks(
        self,
        skill: str,
        read: Footprint,
        facts: Callable[[], Facts],
        rest: Callable[[], object],
    ) -> bool:
        """Handle a call of a skill with several possible answers. Return whether states were
        compared.

        Args:
            read: what the run has read; cleared by a comparison.
            facts: those of the world.
            rest: everything else that determines how the call and the world continue.

        Raises:
            Merged: the run is in a state that another run has explored.
        """
        chosen = len(self.choices.taken)
        if chosen < len(self.choices.prefix):
            read.clear()  # an earlier run has recorded it
            return False
        if chosen in (0, self._looked):
            return False  # nothing was asked before it, or already compared
        self._looked = chosen
        frames = program_frames(sys._getframe(1))
        if not frames:
            return True
        found = state_at_call(frames, self.clear, self.loops, skill, self.texts_are_free)
        if found is None:
            return True
        program, said = found
        state = (program, skill, rest(), self.rest(), bool(self.choices.left_out))
        self.states.note(read)
        read.clear()
        same = self.states.same(state, Seen(self.choices.sequence, facts(), said))
        if same is not None:
            self.states.note(same.read)
            raise Merged(same)
        return True
