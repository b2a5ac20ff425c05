"""Requests that the robot cannot fulfil, as people word them: `words/abilities.yaml`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.pairs.words import lines_of, read


@dataclass(frozen=True)
class Ability:
    """A request that the robot cannot fulfil.

    Attributes:
        reason: One sentence, always the same, so that it can be learned.
        offers: Possible alternatives, the most specific first.
        imperatives: Phrasings that can follow "please" or "ask Bob to".
        sentences: Complete phrasings.
        by_people: Whether a person can be asked to do it, in the words of the imperatives.
        things: The values of {t}, {a} and {ts}, separated by commas; "" for any thing.
        share: Its relative frequency.
        can_follow: Whether the imperatives may be joined to a possible task.
    """

    reason: str
    offers: tuple[str, ...]
    imperatives: tuple[str, ...]
    sentences: tuple[str, ...]
    by_people: bool
    things: str
    share: int = 1
    can_follow: bool = True

    def imperative(self, draw: Draw) -> str:
        """One of the imperatives; the last one is held out."""
        *train, held = self.imperatives
        return draw.template(train or [held], [held])

    def offer(self, request: str) -> str:
        """The first offer that uses only slots of the request."""
        named = _named(request)
        return next(offer for offer in self.offers if _named(offer) <= named)


def _named(text: str) -> set[str]:
    """The thing (t), person (p) and room (r) among the slots of a text."""
    slots = re.findall(r"{(\w+)}", text)
    return {"t" if slot in ("a", "ts", "is") else slot for slot in slots} & {"t", "r", "p"}


def _ability(
    reason: str,
    offer: str,
    requests: str,
    by_people: bool = False,
    things: str = "",
    share: int = 1,
    can_follow: bool = True,
) -> Ability:
    lines = lines_of(requests)
    whole = tuple(line.removeprefix("= ") for line in lines if line.startswith("= "))
    orders = tuple(line for line in lines if not line.startswith("= "))
    offers = tuple(lines_of(_OFFERS.get(offer, offer)))
    return Ability(reason, offers, orders, whole, by_people, things, share, can_follow)


_DATA = read("abilities")
_OFFERS: dict[str, str] = _DATA["offers"]
ABILITIES = tuple(_ability(**entry) for entry in _DATA["abilities"])
