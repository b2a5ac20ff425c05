"""Puts the names of things and people into words."""

from __future__ import annotations

from roboinstruct_ros.domain.phrase import Said, phrase, text_of
from roboinstruct_ros.domain.thing_names import means_anybody

_SUBSTANCES = frozenset(
    """
    milk water coffee tea juice lemonade beer wine soda oil vinegar bread butter cheese rice pasta
    flour sugar salt pepper honey jam cereal yogurt ketchup mustard mayonnaise meat chicken beef ham
    fish fruit food soup ice chocolate toothpaste shampoo soap detergent sunscreen paint glue tape
    paper cardboard trash rubbish garbage laundry luggage mail post furniture equipment money cash
    medicine cutlery silverware tableware clothing jewelry foil dough
    """.split()
)
"""Mass nouns, which take no article: "there is milk"."""


def named(entity: str) -> str:
    """An entity in the form it has in an English sentence: `Jack`, `Alice's office`, `the
    apple`."""
    return text_of(called(entity))


def called(entity: str) -> Said:
    """As `named`, for every language."""
    return entity if is_proper(entity) else phrase("name.the", name=entity)


def is_proper(entity: str) -> bool:
    """Whether a name takes no article: it begins with a capital or a number, ends with a number
    (`classroom 4`), or already has an article."""
    first, last = (*entity.split()[:1], *entity.split()[-1:]) or ("", "")
    return (
        not first[:1].islower()
        or last[-1].isdigit()
        or first in ("the", "a", "an", "my", "your", "our")
    )


def one(entity: str) -> str:
    """An entity that may be present, in English: `an apple`, `chairs`, `milk`, `Jack`,
    `somebody`."""
    return text_of(some(entity))


def some(entity: str) -> Said:
    """As `one`, for every language."""
    if means_anybody(entity):
        return phrase("name.somebody")
    if is_proper(entity):
        return entity
    if are_many(entity) or _head(entity) in _SUBSTANCES:
        return phrase("name.some", name=entity)
    return phrase("name.an" if entity[0].lower() in "aeiou" else "name.a", name=entity)


def are_many(entity: str) -> bool:
    """Whether a common name is a plural: `chairs`, `bottles of water`; a heuristic."""
    noun = _head(entity)
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is", "lens", "gas"))


def _head(entity: str) -> str:
    """The head noun of a common name: `bottle` in `cold bottle of water`."""
    return entity.partition(" of ")[0].split()[-1].lower()


def sentence(clause: str) -> str:
    """A clause as a sentence: capital letter, full stop."""
    clause = clause.strip()
    ends = clause.endswith((".", "?", "!", ":", '."', '?"', '!"'))
    return clause[:1].upper() + clause[1:] + ("" if ends else ".")
