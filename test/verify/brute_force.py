"""Every world of a small program, one after another; of one that waits, all short ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from named_world import Ending, House, PlainWorld, as_the_program_says, rooms_said
from plain_execution import Picks, every_way, execute


@dataclass
class EveryAnswer:
    """Answers what is open with whatever comes next; a few calls fail."""

    picks: Picks
    rooms: tuple[str, ...] = ()
    failures: int = 2

    def pick(self, values: Sequence[Any]) -> Any:
        return self.picks.pick(values)

    def begin(self, skill: str, arguments: tuple[Any, ...], line: int) -> None:
        """Every call may be made."""

    def fails(self) -> str:
        code = self.picks.pick(["", "grasp_failed"]) if self.failures else ""
        self.failures -= bool(code)
        return code

    def tell(self, values: Sequence[Any] | None) -> Any:
        if values is None:
            assert self.rooms, "the open world has too many lists of rooms to try them all"
            return list(self.rooms)
        return values[0] if len(values) == 1 else self.picks.pick(values)


def endings(
    source: str,
    house: House,
    rooms: tuple[str, ...] = (),
    most: int = 4000,
    longest: int = 60,
) -> frozenset[Ending]:
    """How the program ends, over all worlds of the house.

    Args:
        rooms: what `get_all_rooms()` answers in the open world.
        longest: questions after which a world is not followed, as in a loop that waits.

    Raises:
        OverflowError: there are more worlds than `most`.
    """
    said = rooms_said(source)
    starts = house.starts if house.rooms or rooms else tuple(dict.fromkeys((*house.starts, *said)))
    where = as_the_program_says(replace(house, starts=starts), source)

    def run(picks: Picks) -> Ending:
        picks.longest = longest
        return execute(source, PlainWorld(where, EveryAnswer(picks, rooms)))

    return frozenset(every_way(run, most))
