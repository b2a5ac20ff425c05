"""Rooms, things and people with their English forms."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Room:
    """A place; `name` is used in the program, `the` in the instruction."""

    name: str
    the: str


@dataclass(frozen=True)
class Thing:
    """An object: `name` for the program; article and number forms for English."""

    name: str
    a: str
    plural: str
    is_plural: bool = False

    @property
    def the(self) -> str:
        """With the definite article."""
        return f"the {self.name}"

    @property
    def it(self) -> str:
        """The pronoun."""
        return "them" if self.is_plural else "it"

    @property
    def they(self) -> str:
        """The pronoun with its verb."""
        return "they are" if self.is_plural else "it is"

    @property
    def be(self) -> str:
        """is or are."""
        return "are" if self.is_plural else "is"

    @property
    def there_is(self) -> str:
        """ "There is an apple"."""
        return f"There are {self.name}" if self.is_plural else f"There is {self.a}"

    @property
    def there_is_no(self) -> str:
        """ "There is no apple"."""
        return f"There {self.be} no {self.name}"


@dataclass(frozen=True)
class Person:
    """A person: `name` for the program, `who` for the instruction, pronouns."""

    name: str
    who: str
    he: str
    him: str
    his: str


#: Begins with the sound of a vowel: an umbrella, but a usb stick, a uniform, a utensil.
_AFTER_AN = re.compile(r"(?!u(?:[cks][aeiou]|ni|rin|sb|t[aei])|eu|one\b)[aeiou]|hdmi|hour|x-")


def article(noun: str) -> str:
    """The noun with a or an."""
    return f"an {noun}" if _AFTER_AN.match(noun.lower()) else f"a {noun}"


def plural_of(noun: str) -> str:
    """Regular English plural; of the first noun in "bottle of water"."""
    head, of, rest = noun.partition(" of ")
    if head.endswith(("s", "x", "ch", "sh")):
        head += "es"
    elif head.endswith("y") and head[-2] not in "aeiou":
        head = head[:-1] + "ies"
    elif head.endswith("fe") or head == "loaf":
        head = head[:-2] + "ves" if head.endswith("fe") else "loaves"
    else:
        head += "s"
    return head + of + rest


def listed(names: list[str], last: str = "and", comma: bool = False) -> str:
    """'a, b and c'."""
    if len(names) == 1:
        return names[0]
    return (
        ", ".join(names[:-1]) + ("," if comma and len(names) > 2 else "") + f" {last} {names[-1]}"
    )
