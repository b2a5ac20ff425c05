"""Room names, and what a program asks of made-up ones.

A made-up name records each text that the program compares it with. The explorer then restarts with
rooms that match that text and rooms that do not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import Any, NamedTuple, Protocol

_MOST_TESTS = 5
"""Most tests whose answers are tried in all combinations."""


class NameTest(NamedTuple):
    """One yes-or-no question about a name.

    Attributes:
        view: methods without arguments that are applied to the name first, in order.
        test: "contains", "starts", "ends" or "equals".
    """

    view: tuple[str, ...]
    test: str
    text: str

    def holds(self, name: str) -> bool:
        """The answer for this name."""
        for method in self.view:
            name = getattr(name, method)()
        if self.test == "equals":
            return name == self.text
        if self.test == "contains":
            return self.text in name
        return name.startswith(self.text) if self.test == "starts" else name.endswith(self.text)


class RoomName(str):
    """A room name that came from the robot, not from the text of the program."""


class ListedName(RoomName):
    """A room name from the list of all rooms of a map."""


class Test(str, Enum):
    """How a program compares a room name with a text.

    START has no text: the room where the robot starts must be distinguished from others.
    """

    CONTAINS = "contains"
    ENDS = "ends"
    EQUALS = "equals"
    START = "start"


class RoomWord(NamedTuple):
    """A text that room names may match."""

    test: Test
    text: str

    @property
    def written(self) -> str:
        """The form stored in a counterexample."""
        return f"{self.test.value}:{self.text}"

    @classmethod
    def read(cls, written: str) -> RoomWord:
        """The inverse of `written`."""
        test, _, text = written.partition(":")
        return cls(Test(test), text)


@dataclass(eq=False)
class NewWord(BaseException):
    """A made-up name was compared with a text for which there is no room yet."""

    word: RoomWord


class Asked(Protocol):
    """Receives what a program asks of a made-up name."""

    def compared(self, word: RoomWord) -> None:
        """The name was compared with a text. Raises NewWord for a new text."""

    def looked_up(self) -> None:
        """The name was looked up in a set or a dict, without comparing it with each text there."""

    def tested(self, test: NameTest) -> None:
        """The name was tested in a way that is tried with other names."""

    def examined(self) -> None:
        """The name was examined in a way in which any two names may differ."""

    def ranks(self, name: str, other: str) -> tuple[int, int] | None:
        """The positions of two names in the list of all rooms; None to sort them by letters."""


class MadeUpText(str):
    """A text made from a made-up name; another name may answer any question differently."""

    _asked: Asked

    def _of(self, text: str) -> MadeUpText:
        made = MadeUpText(text)
        made._asked = self._asked
        return made

    def _met(self, *values: object) -> None:
        """Record texts that are compared with it: there must be names that match them."""
        for value in values:
            for text in value if isinstance(value, tuple) else (value,):
                if isinstance(text, str) and not isinstance(text, (RoomName, MadeUpText)):
                    self._asked.compared(RoomWord(Test.CONTAINS, plain(text)))
        self._asked.examined()

    def __str__(self) -> str:
        return self

    def __repr__(self) -> str:
        return self._of(str.__repr__(self))

    def __format__(self, shape: str) -> str:
        return str.__format__(plain(self), shape)

    def __hash__(self) -> int:
        self._asked.looked_up()
        return str.__hash__(self)

    def __getitem__(self, index: Any) -> MadeUpText:
        if not isinstance(index, slice) and index not in (0, -1):
            self._asked.examined()  # a name may be shorter
        return self._of(str.__getitem__(self, index))

    def __add__(self, other: Any) -> MadeUpText:
        return self._of(str.__add__(self, other))

    def __radd__(self, other: Any) -> Any:
        return self._of(other + plain(self)) if isinstance(other, str) else NotImplemented

    def __iter__(self) -> Iterator[MadeUpText]:
        self._asked.examined()
        return map(self._of, str.__iter__(self))

    def __int__(self) -> int:
        self._asked.examined()
        return int(plain(self))

    def __float__(self) -> float:
        self._asked.examined()
        return float(plain(self))


class MadeUpName(MadeUpText, RoomName):
    """The complete name of a made-up room.

    Attributes:
        view: the methods applied to it so far (such as `lower`), in order.
    """

    view: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, asked: Asked, view: tuple[str, ...] = ()) -> MadeUpName:
        made = cls(name)
        made._asked, made.view = asked, view
        return made

    def __bool__(self) -> bool:
        return True  # every room has a name

    __hash__ = MadeUpText.__hash__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MadeUpText):
            if not isinstance(other, MadeUpName) or other.view != self.view or self.view:
                self._asked.examined()
        else:
            self._tested(Test.EQUALS, "equals", other)
        return str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __contains__(self, text: Any) -> bool:
        self._tested(Test.CONTAINS, "contains", text)
        return str.__contains__(self, text)

    def startswith(self, *args: Any) -> bool:
        self._tested(Test.CONTAINS, "starts", *args)
        return str.startswith(self, *args)

    def endswith(self, *args: Any) -> bool:
        self._tested(Test.ENDS, "ends", *args)
        return str.endswith(self, *args)

    def _tested(self, test: Test, kind: str, text: object = None, *place: object) -> None:
        if place:
            self._met(text)
        for word in text if isinstance(text, tuple) else (text,):
            if isinstance(word, MadeUpText):
                self._asked.examined()
            elif isinstance(word, str):
                self._asked.tested(NameTest(self.view, kind, plain(word)))
                self._asked.compared(RoomWord(test, plain(word)))


def all_tried(tests: Collection[NameTest], names: Iterable[str]) -> bool:
    """Whether these names give every combination of answers that some name can give."""
    asked = sorted(tests)
    if len(asked) > _MOST_TESTS:
        return False
    tried = {tuple(test.holds(name) for test in asked) for name in names}
    return all(
        answers in tried or not _is_possible(dict(zip(asked, answers, strict=True)))
        for answers in product((False, True), repeat=len(asked))
    )


def _is_possible(answers: dict[NameTest, bool]) -> bool:
    """Whether no simple contradiction rules the answers out (such a name may still not exist)."""
    for test, holds in answers.items():
        if not holds:
            continue
        if test.test == "equals":
            if any(other.holds(test.text) != said for other, said in answers.items()):
                return False
        elif not all(_fits(test, other, said) for other, said in answers.items()):
            return False
    return True


def _fits(test: NameTest, other: NameTest, said: bool) -> bool:
    """Whether a name that passes the test may give this answer to the other test."""
    if test.view != other.view:
        return True
    if other.test == "contains" and other.text in test.text:
        return said
    if test.test != other.test or test.test == "contains":
        return True
    small, large = sorted((test.text, other.text), key=len)
    within = large.startswith(small) if test.test == "starts" else large.endswith(small)
    if said:
        return within
    return not (within and large == test.text)


def unasked(value: Any) -> Any:
    """A copy of a value for a skill, whose own tests of the name do not count as the program's."""
    if isinstance(value, MadeUpName):
        return RoomName(plain(value))
    if isinstance(value, MadeUpText):
        return plain(value)
    return [unasked(item) for item in value] if isinstance(value, list) else value


def plain(text: str) -> str:
    """The text itself, without recording."""
    return str.__str__(text)


def _shaping(method: str) -> Callable[..., Any]:
    own = getattr(str, method)
    return lambda self, *args, **options: self._of(own(self, *args, **options))


def _spelling(method: str) -> Callable[..., Any]:
    own = getattr(str, method)

    def spell(self: MadeUpName, *args: Any) -> Any:
        made = own(self, *args)
        view = (*self.view, method)
        return self._of(made) if args else MadeUpName.of(made, self._asked, view)

    return spell


def _examining(method: str) -> Callable[..., Any]:
    own = getattr(str, method)

    def examine(self: MadeUpText, *args: Any, **options: Any) -> Any:
        self._met(*args)
        made = own(self, *args, **options)
        if isinstance(made, (list, tuple)):
            return type(made)(self._of(part) for part in made)
        return self._of(made) if type(made) is str else made

    return examine


def _ordering(method: str) -> Callable[..., Any]:
    own = getattr(str, method)

    def order(self: MadeUpText, other: Any) -> Any:
        ranks = self._asked.ranks(plain(self), plain(other)) if isinstance(other, str) else None
        return own(self, other) if ranks is None else getattr(int, method)(*ranks)

    return order


_ORDERS = ("__lt__", "__le__", "__gt__", "__ge__")
_SPELLINGS = ("lower", "upper", "title", "capitalize", "casefold", "swapcase", "strip")
_SHAPES = (*_SPELLINGS, "lstrip", "rstrip", "removeprefix", "removesuffix", "replace")
_KEPT = {*dir(object), "__getnewargs__", "maketrans"} - {"__eq__", "__ne__"}
for _name in dir(str):
    if _name in _ORDERS:
        setattr(MadeUpText, _name, _ordering(_name))
    elif _name in _SHAPES:
        setattr(MadeUpText, _name, _shaping(_name))
    elif _name not in _KEPT and _name not in vars(MadeUpText):
        setattr(MadeUpText, _name, _examining(_name))
for _name in _SPELLINGS:
    setattr(MadeUpName, _name, _spelling(_name))
for _kind in (RoomName, ListedName, MadeUpText, MadeUpName):
    _kind.__name__ = "str"  # as in the errors of a run, which a program may read
