"""Names of rooms, and what a program asks of the names that were made up for it.

A made-up name notes each text that the program compares it with. The explorer then begins anew with
rooms that match that text and rooms that do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, NamedTuple, Protocol


class RoomName(str):
    """A room's name that came from the robot, not from the text of the program."""


class Test(str, Enum):
    """How a program compares a room's name with a text.

    START stands for no text: the room where the robot starts has to be told apart from others.
    """

    CONTAINS = "contains"
    ENDS = "ends"
    EQUALS = "equals"
    START = "start"


class RoomWord(NamedTuple):
    """A text that rooms may match."""

    test: Test
    text: str

    @property
    def written(self) -> str:
        """As a counterexample keeps it."""
        return f"{self.test.value}:{self.text}"

    @classmethod
    def read(cls, written: str) -> RoomWord:
        """The opposite of `written`."""
        test, _, text = written.partition(":")
        return cls(Test(test), text)


class NewWord(BaseException):
    """A made-up name was compared with a text that no room was made up for."""

    def __init__(self, word: RoomWord) -> None:
        super().__init__(word.text)
        self.word = word


class Asked(Protocol):
    """Takes what a program asks of a made-up name."""

    def compared(self, word: RoomWord) -> None:
        """With a text. Raises NewWord for a new one."""

    def looked_up(self) -> None:
        """In a set or a dict, where it meets texts that are not compared one by one."""

    def examined(self) -> None:
        """In a way in which any two names may differ."""

    def ranks(self, name: str, other: str) -> tuple[int, int] | None:
        """Which comes first; their places among all rooms, None where their letters tell."""


class MadeUpText(str):
    """A text made of a made-up name."""

    _asked: Asked

    def _of(self, text: str) -> MadeUpText:
        made = MadeUpText(text)
        made._asked = self._asked
        return made

    def _compared(self, test: Test, text: object) -> None:
        for word in text if isinstance(text, tuple) else (text,):
            if isinstance(word, str) and not isinstance(word, (RoomName, MadeUpText)):
                self._asked.compared(RoomWord(test, plain(word)))

    def __str__(self) -> str:
        return self

    def __contains__(self, text: Any) -> bool:
        self._compared(Test.CONTAINS, text)
        return super().__contains__(text)

    def __eq__(self, other: object) -> bool:
        self._compared(Test.CONTAINS, other)
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        self._asked.looked_up()
        return str.__hash__(self)

    def startswith(self, *args: Any) -> bool:
        self._compared(Test.CONTAINS, args[0] if args else None)
        return super().startswith(*args)

    def endswith(self, *args: Any) -> bool:
        self._compared(Test.ENDS, args[0] if args else None)
        return super().endswith(*args)

    def __getitem__(self, index: Any) -> MadeUpText:
        return self._of(super().__getitem__(index))

    def __iter__(self) -> Iterator[MadeUpText]:
        self._asked.examined()
        return map(self._of, super().__iter__())

    def __int__(self) -> int:
        self._asked.examined()
        return int(plain(self))

    def __float__(self) -> float:
        self._asked.examined()
        return float(plain(self))

    def __add__(self, other: Any) -> MadeUpText:
        return self._of(super().__add__(other))

    def __radd__(self, other: Any) -> Any:
        return self._of(other + plain(self)) if isinstance(other, str) else NotImplemented


class MadeUpName(MadeUpText, RoomName):
    """The whole name of a made-up room."""

    @classmethod
    def of(cls, name: str, asked: Asked) -> MadeUpName:
        made = cls(name)
        made._asked = asked
        return made

    def __eq__(self, other: object) -> bool:
        self._compared(Test.EQUALS, other)
        return str.__eq__(self, other)

    __hash__ = MadeUpText.__hash__

    def _whole(self, text: str) -> MadeUpName:
        return MadeUpName.of(text, self._asked)


def unasked(value: Any) -> Any:
    """A value for a skill: what is asked of it there is not asked by the program."""
    if isinstance(value, MadeUpName):
        return RoomName(plain(value))
    if isinstance(value, MadeUpText):
        return plain(value)
    return [unasked(item) for item in value] if isinstance(value, list) else value


def plain(text: str) -> str:
    """The text itself, without what it notes."""
    return str.__str__(text)


def _asking(method: str) -> Callable[..., Any]:
    own = getattr(str, method)

    def ask(self: MadeUpText, *args: Any) -> Any:
        self._compared(Test.CONTAINS, args[0] if args else None)
        return own(self, *args)

    return ask


def _shaping(method: str) -> Callable[..., Any]:
    own = getattr(str, method)

    def shape(self: MadeUpText, *args: Any, **options: Any) -> Any:
        made = own(self, *args, **options)
        if isinstance(made, str):
            return self._of(made)
        return type(made)(self._of(part) for part in made)

    return shape


def _spelling(method: str) -> Callable[..., Any]:
    own = getattr(str, method)
    return lambda self: self._whole(own(self))


def _examining(method: str) -> Callable[..., Any]:
    own = getattr(str, method)

    def examine(self: MadeUpText, *args: Any) -> Any:
        self._asked.examined()
        return own(self, *args)

    return examine


def _ordering(method: str) -> Callable[..., Any]:
    own = getattr(str, method)

    def order(self: MadeUpText, other: Any) -> Any:
        ranks = self._asked.ranks(plain(self), plain(other)) if isinstance(other, str) else None
        return own(self, other) if ranks is None else getattr(int, method)(*ranks)

    return order


for _name in ("__lt__", "__le__", "__gt__", "__ge__"):
    setattr(MadeUpText, _name, _ordering(_name))
for _name in ("__len__", "__mul__", "__mod__", "isalpha",
              "isdigit", "isdecimal", "isnumeric", "isalnum", "islower", "isupper", "isspace",
              "istitle", "isidentifier", "isascii", "isprintable", "center", "ljust", "rjust",
              "zfill", "join"):  # fmt: skip
    setattr(MadeUpText, _name, _examining(_name))
for _name in ("find", "rfind", "index", "count"):
    setattr(MadeUpText, _name, _asking(_name))
_SPELLINGS = ("lower", "upper", "title", "capitalize", "casefold", "swapcase")
for _name in (*_SPELLINGS, "strip", "lstrip", "rstrip", "removeprefix", "removesuffix", "replace",
              "split", "rsplit", "splitlines", "partition", "rpartition"):  # fmt: skip
    setattr(MadeUpText, _name, _shaping(_name))
for _name in _SPELLINGS:
    setattr(MadeUpName, _name, _spelling(_name))
