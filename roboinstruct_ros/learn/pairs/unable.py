"""What the robot cannot do, in the words of people who ask for it: `words/abilities.yaml`."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.pairs.words import lines_of, read


@dataclass(frozen=True)
class Ability:
    """Something that people ask for and the robot cannot do.

    Attributes:
        reason: One sentence, always the same, so that it can be learned.
        offer: What is possible instead; may name the slots of the request.
        imperatives: Phrasings that can follow "please" or "ask Bob to".
        sentences: Phrasings that stand alone.
        by_people: Whether somebody can be asked to do it, in the words of the imperatives.
        things: What {t}, {a} and {ts} stand for, parted by commas; "" for any thing.
    """

    reason: str
    offer: str
    imperatives: tuple[str, ...]
    sentences: tuple[str, ...]
    by_people: bool
    things: str

    def imperative(self, draw: Draw) -> str:
        """One of the imperatives; the last is kept for measuring."""
        *train, held = self.imperatives
        return draw.template(train or [held], [held])


def _ability(
    reason: str, offer: str, requests: str, by_people: bool = False, things: str = ""
) -> Ability:
    lines = lines_of(requests)
    whole = tuple(line.removeprefix("= ") for line in lines if line.startswith("= "))
    orders = tuple(line for line in lines if not line.startswith("= "))
    return Ability(reason, offer, orders, whole, by_people, things)


ABILITIES = tuple(_ability(**entry) for entry in read("abilities"))
