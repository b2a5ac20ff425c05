"""Commands that people gave to a robot at home: HuRIC, with its frames as expected calls.

`--set huric:CHECKOUT` reads `en/` of https://github.com/crux82/huric (Human Robot Interaction
Corpus, Apache-2.0). Frames of motion, bringing, taking, placing and locating whose arguments are
plain names ("the address book", "to the kitchen table") become steps; "here" and "me" are where the
robot begins. Switching, opening, connecting and following are beyond the skills, and a refusal is
expected; for statements ("this is the kitchen"), a refusal or a reply. A sentence with a frame or
an argument that says more than a name (where the thing is, its colour) is left out.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from roboinstruct_ros.evaluate.readers.errand import Errand
from roboinstruct_ros.evaluate.suite.case import IN_WORDS, REFUSAL, Case, Place, Suite

BEYOND = frozenset({"Change_operational_state", "Closure", "Attaching", "Cotheme"})
STATEMENTS = frozenset({"Being_in_category", "Being_located"})
MUTE = frozenset({"Agent", "Donor", "Perceiver", "Cognizer"})  # "could you"
START = "entrance"
PLACES: dict[str, tuple[str, ...]] = {
    "kitchen": (),
    "bedroom": ("bed room",),
    "living room": ("livingroom", "lounge"),
    "dining room": (),
    "bathroom": ("restroom", "toilet"),
    "laundry room": (),
    "studio": (),
    "corridor": ("hall",),
    "table": (),
    "kitchen table": (),
    "dining table": ("dinner table",),
    "side table": (),
    "coffee table": (),
    "couch": ("sofa",),
    "bed": (),
    "counter": (),
    "sink": (),
    "fridge": ("refrigerator",),
    "nightstand": ("bedside table", "bedstand"),
    "trash": ("bin",),
    "dishwasher": (),
    "closet": ("wardrobe",),
    "washing machine": (),
    "stove": (),
    "oven": (),
    "shower": (),
    "bookshelf": (),
    "tv": ("television", "tv set"),
    "window": (),
    "door": (),
    "chair": (),
    "desk": (),
}
"""The rooms and pieces of furniture named most often, with their other names."""

FILLERS = frozenset(
    {"robot", "please", "could", "can", "would", "you", "may", "and", "then", "go", "do", "think"}
)

_DETERMINER = re.compile(r"^(?:the|a|an|my|some|your|our|this|that|his|her) ")
_THING = re.compile(rf"(?:{_DETERMINER.pattern[1:]})?(?P<name>[a-z]+(?: [a-z]+){{0,2}})")
_TO = re.compile(r"^(?:next to|close to|to|in|into|on|onto|near|towards|from|at) ")
_MORE = re.compile(
    r"\b(in|on|near|at|and|or|with|from|to|two|three|four|it|them|him|me|us|you|yourself|person"
    r"|left|right|side|front|behind|under|all|everything|something|one|here|there|who|that|is"
    r"|blue|red|white|black|green|yellow|gray|grey|brown)\b"
)
_ME = frozenset({"me", "us", "to me", "to us", "here"})
_IT = frozenset({"it", "them"})


@dataclass(frozen=True)
class Frame:
    """The meaning of a verb, with its arguments as they were said."""

    name: str
    said: tuple[tuple[str, str], ...]


def read(checkout: Path) -> Suite:
    """All English commands, without duplicates.

    Raises:
        OSError: there are none.
        ValueError: a file does not have HuRIC's form.
    """
    files = sorted((checkout / "en").rglob("*.hrc"))
    if not files:
        raise FileNotFoundError(f"there are no .hrc files in {checkout / 'en'}")
    place = Place.of_names({START: (), **PLACES}, START)
    cases: dict[str, Case] = {}
    left_out = Counter[str]()
    for path in files:
        for text, frames, covered in _commands(path):
            try:
                cases[text] = case_of(text, frames, covered, place)
            except ValueError as reason:
                left_out[str(reason)] += 1
    return Suite(tuple(cases.values()), left_out)


def case_of(text: str, frames: tuple[Frame, ...], covered: bool, place: Place) -> Case:
    """The case of a command.

    Raises:
        ValueError: it is left out, and why.
    """
    names = {frame.name for frame in frames}
    if names and names <= STATEMENTS:
        return Case(text, "statement", place, (), IN_WORDS)
    if names and names <= BEYOND:
        if any(kind == "Goal" for frame in frames for kind, _ in frame.said):
            raise ValueError("beyond the skills, but for the way")
        return Case(text, f"beyond: {frames[0].name}", place, (), REFUSAL)
    reader = _Reader(place)
    for frame in frames:
        reader.read(frame)
    if not frames or not covered:
        raise ValueError("words that no frame covers")
    return Case(text, " ".join(reader.kinds), place, reader.errand.trials())


class _Reader:
    """Reads frames into an errand; `kinds` are the frames' kinds."""

    def __init__(self, place: Place) -> None:
        self.errand = Errand(place)
        self.kinds: list[str] = []
        self._map = place.rooms
        self._it, self._picked = "", False
        self._frames: dict[str, tuple[str, frozenset[str], Callable[[dict[str, str]], None]]] = {
            "Motion": ("go", frozenset({"Goal"}), self._go),
            "Arriving": ("go", frozenset({"Goal"}), self._go),
            "Taking": ("take", frozenset({"Theme", "Source"}), self._pick),
            "Bringing": ("bring", frozenset({"Theme", "Source", "Goal", "Beneficiary"}), self._put),
            "Giving": ("bring", frozenset({"Theme", "Recipient"}), self._put),
            "Placing": ("put", frozenset({"Theme", "Goal"}), self._put),
            "Locating": ("find", frozenset({"Sought_entity", "Ground"}), self._find),
        }

    def read(self, frame: Frame) -> None:
        """Add the steps of a frame.

        Raises:
            ValueError: it has no steps, or an argument that is more than a name.
        """
        if frame.name not in self._frames:
            raise ValueError(f"frame {frame.name}")
        said = {kind: words for kind, words in frame.said if words != "you" and kind not in MUTE}
        kind, known, add = self._frames[frame.name]
        if not said.keys() <= known or len(said) < len(set(frame.said)) - _mute(frame):
            raise ValueError("an argument beside thing and place")
        add(said)
        self.kinds.append(kind)

    def _go(self, said: dict[str, str]) -> None:
        self.errand.go(self._place(said.get("Goal", "")))

    def _find(self, said: dict[str, str]) -> None:
        self._it = self._thing(said.get("Sought_entity", ""))
        self.errand.find(self._it, self._place(said["Ground"]) if "Ground" in said else "")

    def _pick(self, said: dict[str, str]) -> None:
        if said.get("Theme") in _IT and self._picked:
            return
        self._it, self._picked = self._thing(said.get("Theme", "")), True
        self.errand.pick(self._it, self._place(said["Source"]) if "Source" in said else "")

    def _put(self, said: dict[str, str]) -> None:
        somebody = said.get("Beneficiary") or said.get("Recipient") or ""
        goal = said.get("Goal", "")
        if somebody and somebody not in _ME:
            raise ValueError("somebody who has to be found")
        if not goal and not somebody:
            raise ValueError("says not where to")
        self._pick(said)
        self.errand.put(self._place(goal) if goal and goal not in _ME else "")
        self._picked = False

    def _thing(self, words: str) -> str:
        """The thing's names: as said without the article, and the noun alone."""
        if words in _IT and self._it:
            return self._it
        found = _THING.fullmatch(words.removeprefix("for "))
        if not found or _MORE.search(found["name"]):
            raise ValueError("a thing that is not a plain name")
        nouns = found["name"].split(" of ")
        shorter = nouns if len(nouns) > 1 else found["name"].split()[-1:]
        return "|".join(dict.fromkeys((found["name"], *shorter)))

    def _place(self, words: str) -> str:
        room = self._map.resolve(_DETERMINER.sub("", _TO.sub("", words)))
        if room is None:
            raise ValueError("a place that the map does not have")
        return room


def _mute(frame: Frame) -> int:
    return sum(kind in MUTE or words == "you" for kind, words in set(frame.said))


def _commands(path: Path) -> Iterator[tuple[str, tuple[Frame, ...], bool]]:
    """Sentences with their frames, and whether the frames cover all content words."""
    try:
        root = ElementTree.parse(path).getroot()
    except ElementTree.ParseError as error:
        raise ValueError(f"{path}: {error}") from None
    for command in root.iter("command"):
        words = {
            word.get("id"): word.get("surface", "") for word in command.iterfind("tokens/token")
        }
        frames = tuple(_frame(element, words) for element in command.iter("frame"))
        covered = {
            token.get("id") for frame in command.iter("frame") for token in frame.iter("token")
        }
        rest = {words[number] for number in words.keys() - covered}
        yield command.findtext("sentence", "").strip(), frames, rest <= FILLERS


def _frame(element: ElementTree.Element, words: Mapping[str | None, str]) -> Frame:
    said = (
        (one.get("type", ""), " ".join(words[token.get("id")] for token in one.iter("token")))
        for one in element.iter("frameElement")
    )
    return Frame(element.get("name", ""), tuple(said))
