"""Names of rooms, and what a program asks of the names that were made up for it.

A made-up name notes each text that the program compares it with. The explorer then begins anew with
rooms that match that text and rooms that do not.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple


class RoomName(str):
    """A room's name that came from the robot, not from the text of the program."""


class Test(str, Enum):
    """How a program compares a room's name with a text."""

    CONTAINS = "contains"
    ENDS = "ends"
    EQUALS = "equals"


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


Note = Callable[[RoomWord], None]
"""Takes every comparison; raises NewWord for a new one."""


class MadeUpText(str):
    """A text made of a made-up name."""

    _note: Note

    def _of(self, text: str) -> MadeUpText:
        made = MadeUpText(text)
        made._note = self._note
        return made

    def _compared(self, test: Test, text: object) -> None:
        for word in text if isinstance(text, tuple) else (text,):
            if isinstance(word, str) and not isinstance(word, (RoomName, MadeUpText)):
                self._note(RoomWord(test, str(word)))

    def __contains__(self, text: Any) -> bool:
        self._compared(Test.CONTAINS, text)
        return super().__contains__(text)

    def __eq__(self, other: object) -> bool:
        self._compared(Test.CONTAINS, other)
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def startswith(self, *args: Any) -> bool:
        self._compared(Test.CONTAINS, args[0] if args else None)
        return super().startswith(*args)

    def endswith(self, *args: Any) -> bool:
        self._compared(Test.ENDS, args[0] if args else None)
        return super().endswith(*args)

    def __getitem__(self, index: Any) -> MadeUpText:
        return self._of(super().__getitem__(index))

    def __add__(self, other: Any) -> MadeUpText:
        return self._of(super().__add__(other))

    def __radd__(self, other: Any) -> Any:
        return self._of(other + str(self)) if isinstance(other, str) else NotImplemented


class MadeUpName(MadeUpText, RoomName):
    """The whole name of a made-up room."""

    @classmethod
    def of(cls, name: str, note: Note) -> MadeUpName:
        made = cls(name)
        made._note = note
        return made

    def __eq__(self, other: object) -> bool:
        self._compared(Test.EQUALS, other)
        return str.__eq__(self, other)

    __hash__ = str.__hash__

    def _whole(self, text: str) -> MadeUpName:
        return MadeUpName.of(text, self._note)


def _asking(method: str) -> Callable[..., Any]:
    plain = getattr(str, method)

    def ask(self: MadeUpText, *args: Any) -> Any:
        self._compared(Test.CONTAINS, args[0] if args else None)
        return plain(self, *args)

    return ask


def _shaping(method: str) -> Callable[..., Any]:
    plain = getattr(str, method)

    def shape(self: MadeUpText, *args: Any, **options: Any) -> Any:
        made = plain(self, *args, **options)
        if isinstance(made, str):
            return self._of(made)
        return type(made)(self._of(part) for part in made)

    return shape


def _spelling(method: str) -> Callable[..., Any]:
    plain = getattr(str, method)
    return lambda self: self._whole(plain(self))


for _name in ("find", "rfind", "index", "count"):
    setattr(MadeUpText, _name, _asking(_name))
_SPELLINGS = ("lower", "upper", "title", "capitalize", "casefold", "swapcase")
for _name in (*_SPELLINGS, "strip", "lstrip", "rstrip", "removeprefix", "removesuffix", "replace",
              "split", "rsplit", "splitlines", "partition", "rpartition"):  # fmt: skip
    setattr(MadeUpText, _name, _shaping(_name))
for _name in _SPELLINGS:
    setattr(MadeUpName, _name, _spelling(_name))
