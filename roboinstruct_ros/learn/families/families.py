"""The task shapes, and instruction/program pairs drawn from them by a seeded grammar.

Every pair is a pure function of (seed, split, index): training can draw new pairs without end, and
any pair can be reproduced from its number.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from roboinstruct_ros.learn.draw import Draw, Split
from roboinstruct_ros.learn.families import (
    shapes_fetching,
    shapes_joined,
    shapes_lending,
    shapes_looking,
    shapes_meeting,
    shapes_moving,
    shapes_people,
    shapes_roaming,
    shapes_rooms,
    shapes_serving,
    shapes_supply,
    shapes_talking,
)
from roboinstruct_ros.learn.families.phrasing import finish, indent

Shape = Callable[[Draw], tuple[str, list[str]]]

#: Task shapes by family with the share each has in training.
FAMILIES: dict[str, tuple[Shape, float]] = {
    "tour": (shapes_moving.tour, 1.0),
    "conditional_move": (shapes_moving.conditional_move, 1.8),
    "fetch": (shapes_fetching.fetch, 1.3),
    "check_and_report": (shapes_looking.check_and_report, 1.2),
    "ask_and_report": (shapes_talking.ask_and_report, 1.2),
    "ask_and_act": (shapes_talking.ask_and_act, 1.2),
    "search_everywhere": (shapes_looking.search_everywhere, 1.2),
    "supply_rooms": (shapes_supply.supply_rooms, 1.2),
    "supply_one": (shapes_supply.supply_one, 0.7),
    "ask_several": (shapes_talking.ask_several, 0.5),
    "check_rooms": (shapes_rooms.check_rooms, 1.1),
    "announce_in_kind": (shapes_people.announce_in_kind, 0.7),
    "wait_for": (shapes_people.wait_for, 1.0),
    "meet_person": (shapes_meeting.meet_person, 1.2),
    "receive_visitors": (shapes_meeting.receive_visitors, 0.4),
    "wait_for_help": (shapes_meeting.wait_for_help, 0.4),
    "poll": (shapes_people.poll, 0.8),
    "remind": (shapes_talking.remind, 0.8),
    "how_many": (shapes_lending.how_many, 0.6),
    "inventory": (shapes_looking.inventory, 0.8),
    "borrow": (shapes_lending.borrow, 0.7),
    "deliver_to_people": (shapes_serving.deliver_to_people, 0.7),
    "serve_choice": (shapes_serving.serve_choice, 0.5),
    "poll_choices": (shapes_serving.poll_choices, 0.4),
    "remind_several": (shapes_serving.remind_several, 0.5),
    "double_or_take": (shapes_roaming.double_or_take, 0.25),
    "find_and_serve": (shapes_roaming.find_and_serve, 0.6),
    "check_listed": (shapes_roaming.check_listed, 0.5),
    "repeat": (shapes_roaming.repeat, 0.4),
    "joined": (shapes_joined.joined, 1.2),
}
#: Task shapes that training never sees, with the share each has in their test.
UNSEEN_FAMILIES: dict[str, tuple[Shape, float]] = {
    "joined": (shapes_joined.joined, 0.6),
    "unseen_swap": (shapes_joined.unseen_swap, 1.0),
    "unseen_collect": (shapes_joined.unseen_collect, 1.0),
    "unseen_serve_if_present": (shapes_joined.unseen_serve_if_present, 1.0),
    "unseen_wait_and_fetch": (shapes_joined.unseen_wait_and_fetch, 1.0),
}


HEAD = "def task_program():\n"


@dataclass(frozen=True)
class Pair:
    """One example: what a person types and the program that does it."""

    family: str
    instruction: str
    program: str

    @property
    def prompt(self) -> str:
        return prompt_for(self.instruction)

    @property
    def completion(self) -> str:
        """The expected completion: the body of the function."""
        return self.program.split("\n", 1)[1]


def prompt_for(instruction: str) -> str:
    """The shipped model's prompt for an instruction (GGUF key roboinstruct.prompt_format)."""
    return f"# Instruction: {instruction}\ndef task_program():\n"


def make_pair(seed: int, index: int, split: Split = Split.TRAIN, family: str | None = None) -> Pair:
    """The pair with this number; the same arguments always give the same pair."""
    rng = random.Random(f"{seed}/{split.value}/{index}")
    return drawn_pair(family or family_of(rng, split), Draw(rng, split))


def family_of(rng: random.Random, split: Split) -> str:
    """A task shape of the split, drawn by the shares."""
    families = families_of(split)
    return rng.choices(tuple(families), tuple(share for _, share in families.values()))[0]


def pair_number(number: int) -> random.Random:
    """The random stream of the pair with this number."""
    return random.Random(f"pair/{number}")


def families_of(split: Split) -> dict[str, tuple[Shape, float]]:
    """The task shapes of a split, by name, with their shares."""
    return UNSEEN_FAMILIES if split is Split.UNSEEN_SHAPES else FAMILIES


def drawn_pair(family: str, draw: Draw) -> Pair:
    """The pair of a family that `draw` chooses."""
    text, lines = families_of(draw.split)[family][0](draw)
    program = "\n".join(["def task_program():", *indent(lines)]) + "\n"
    return Pair(family, finish(draw, text), program)


def pairs(seed: int, split: Split = Split.TRAIN, start: int = 0) -> Iterator[Pair]:
    """Endless pairs with different instructions."""
    seen: set[int] = set()
    index = start
    while True:
        pair = make_pair(seed, index, split)
        index += 1
        key = hash(pair.instruction)
        if key not in seen:
            seen.add(key)
            yield pair
