"""What a program does, as one text: the calls that it makes in a few worlds.

The worlds are the verifier's own, but each open question is answered by its own words instead of by
its place in the program, so that two programs meet the same facts. Two that make the same calls in
all of them are taken to do the same.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.explore.choices import Choices
from roboinstruct_ros.verify.explore.explorer import Explorer
from roboinstruct_ros.verify.question import Question
from roboinstruct_ros.verify.rooms.room_names import NewWord, RoomWord
from roboinstruct_ros.verify.world.simulated_skills import SimulatedSkills

WORLDS = 8
WORK, SECONDS = 400_000, 0.9  # program lines and s in all of them together; time is the last guard
_FILLERS = frozenset(
    "a an and any anybody anyone are at found have here i in is it of person people please some"
    " somebody someone sorry that the there they to was were".split()
)
"""Words with or without which a message tells the same."""


Asked = tuple[object, Sequence[object]]
"""A question and its answers."""


@dataclass
class ChoicesByWords(Choices):
    """Those of one world: in world 0 everything that is asked is so, in 1 nothing, else by lot.

    Attributes:
        asked: what was asked so far, with its answers.
    """

    number: int = 0
    asked: list[Asked] = field(default_factory=list)

    @property
    def tries_all(self) -> bool:
        return False

    def choose(self, alternatives: int, names: Sequence[object] = (), about: object = "") -> int:
        if alternatives <= 1:
            return 0
        asked = (about, names or range(alternatives))
        picked = self.drawn(asked)
        self.asked.append(asked)
        self.taken.append((picked, alternatives))  # a loop that goes on choosing may yet end
        return picked

    def drawn(self, asked: Asked) -> int:
        """The answer that this question has here, by its place."""
        about, names = asked
        return min((self._lot(about, name), index) for index, name in enumerate(names))[1]

    def _lot(self, about: object, name: object) -> bytes:
        if isinstance(name, bool) and self.number < 2:
            return bytes([name is (self.number == 1)])
        return hashlib.sha256(repr((self.number, about, name)).encode()).digest()


def behaviour_of(question: Question, budget: Budget, words: tuple[RoomWord, ...]) -> str:
    """A hash of the calls that change something, ask or say, and of how long is waited; "" where
    that takes too long.

    Letter case, punctuation and fillers of texts, and the name by which a room is called, do not
    matter.

    Args:
        words: what the program compares rooms' names with, as its verification has found.
    """
    question = replace(question, any_start=True)
    explorer = Explorer(question, replace(budget, work=WORK, seconds=SECONDS), words)
    worlds = _Worlds(explorer, question)
    done = [acts for acts in map(worlds.acts, range(WORLDS)) if acts is not None]
    return "" if explorer.ran_out else hashlib.sha256(repr(done).encode()).hexdigest()[:16]


class _Worlds:
    """Runs a world whose answers have not been given yet; a run is a function of its answers."""

    def __init__(self, explorer: Explorer, question: Question) -> None:
        self._explorer, self._question = explorer, question
        self._asked: dict[tuple[int, ...], Asked] = {}
        self._done: dict[tuple[int, ...], object] = {}

    def acts(self, number: int) -> object:
        """What the program does in the world of this number; None where rooms are not enough."""
        world = ChoicesByWords(number=number)
        answers: tuple[int, ...] = ()
        while answers in self._asked:
            answers = (*answers, world.drawn(self._asked[answers]))
        if answers not in self._done:
            done = self._run(world)
            answers = world.sequence
            self._asked.update((answers[:n], asked) for n, asked in enumerate(world.asked))
            self._done[answers] = done
        return self._done[answers]

    def _run(self, world: ChoicesByWords) -> object:
        try:
            skills = self._explorer.run(world)
        except NewWord:  # more words than rooms are made up for
            return None
        return list(_acts(skills, self._question)), round(skills.clock.slept, 3)


def _acts(skills: SimulatedSkills, question: Question) -> Iterator[tuple[object, ...]]:
    for call in skills.calls:
        if question.domain.skill(call.skill).returns in ("nothing", "one_of_options"):
            yield (call.skill, *(_plain(value, question) for value in call.arguments))


def _plain(value: object, question: Question) -> object:
    if isinstance(value, (list, tuple)):
        return sorted(str(_plain(one, question)) for one in value)
    if not isinstance(value, str):
        return value
    known = question.semantic_map.resolve(value) if question.semantic_map else None
    words = re.findall(r"\w+", (known or str.__str__(value)).casefold())
    return " ".join(word for word in words if word not in _FILLERS)
