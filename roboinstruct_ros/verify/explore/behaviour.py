"""A fingerprint of what a program does: the calls that it makes in a few worlds.

The worlds are the verifier's own, but each open question is answered according to its wording
instead of its place in the program, so that two programs meet the same facts. Two programs that
make the same calls in all of them count as equivalent.
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
WORK, SECONDS = 400_000, 0.9  # program lines and s, all worlds together; the time is a last guard
_FILLERS = frozenset(
    "a an and any anybody anyone are at found have here i in is it of person people please some"
    " somebody someone sorry that the there they to was were".split()
)
"""Words that do not change the meaning of a message."""


Asked = tuple[object, Sequence[object]]
"""A question and its answers."""


@dataclass
class ChoicesByWords(Choices):
    """The choices of one world: in world 0 every question is true, in world 1 false, else random.

    Attributes:
        asked: the questions asked so far, with their answers.
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
        self.taken.append((picked, alternatives))  # a loop that still chooses may end
        return picked

    def drawn(self, asked: Asked) -> int:
        """The index of the answer to this question in this world."""
        about, names = asked
        return min((self._lot(about, name), index) for index, name in enumerate(names))[1]

    def _lot(self, about: object, name: object) -> bytes:
        if isinstance(name, bool) and self.number < 2:
            return bytes([name is (self.number == 1)])
        return hashlib.sha256(repr((self.number, about, name)).encode()).digest()


def behaviour_of(question: Question, budget: Budget, words: tuple[RoomWord, ...]) -> str:
    """A hash of the calls that act, ask or speak, and of the total waiting time; "" past the
    budget.

    Case, punctuation and filler words in texts do not matter, nor does which alias of a room is
    used.

    Args:
        words: the texts that the program compares with room names, as found by its verification.
    """
    question = replace(question, any_start=True)
    explorer = Explorer(question, replace(budget, work=WORK, seconds=SECONDS), words)
    worlds = _Worlds(explorer, question)
    done = [acts for acts in map(worlds.acts, range(WORLDS)) if acts is not None]
    return "" if explorer.ran_out else hashlib.sha256(repr(done).encode()).hexdigest()[:16]


class _Worlds:
    """Runs only worlds whose answers are new; a run is a function of its answers."""

    def __init__(self, explorer: Explorer, question: Question) -> None:
        self._explorer, self._question = explorer, question
        self._asked: dict[tuple[int, ...], Asked] = {}
        self._done: dict[tuple[int, ...], object] = {}

    def acts(self, number: int) -> object:
        """What the program does in the world of this number; None if there are too few rooms."""
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
        except NewWord:  # more words than there are made-up rooms for
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
