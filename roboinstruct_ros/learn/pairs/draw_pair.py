"""Pairs by number: each is a pure function of (seed, split, index)."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace

import roboinstruct_ros.learn.pairs.parts  # noqa: F401 - they register themselves
from roboinstruct_ros.learn.draw import Draw, Split, until
from roboinstruct_ros.learn.pairs.buildings import draw_scene
from roboinstruct_ros.learn.pairs.compose import Composed, Part, a_lead, composed, is_held_out
from roboinstruct_ros.learn.pairs.flow import program_of, quoted
from roboinstruct_ros.learn.pairs.from_written import written_pair
from roboinstruct_ros.learn.pairs.furniture import on_furniture
from roboinstruct_ros.learn.pairs.pair import Pair
from roboinstruct_ros.learn.pairs.refusals import draw_answer
from roboinstruct_ros.learn.pairs.scene import Scene
from roboinstruct_ros.learn.pairs.styles import typed

LONG = 640, 760, 760, 900, 1000, 1100
"""Characters of a program with so many parts beyond which most are redrawn: training time grows
with the tokens."""
_WORDS = 38
"""Words of an instruction beyond which most are redrawn: people type less."""
_COUNTS = (1, 2, 3, 4, 5), (6, 7, 8, 4, 1)
"""Numbers of parts of the other composed tasks, and their relative frequencies."""
_BRIEF, _FEW = 0.4, 9
"""Share of the composed tasks that are one order of at most so many words."""
_PLAIN = 0.2
"""Share of the other composed tasks without a leading part, mostly of plain orders."""
_SCENES = 60
"""Scenes that are tried before another leading part is drawn."""
_MANY = 50
"""Words beyond which nobody gives a task at once."""

#: Where pairs come from, with the share of each.
SOURCES: dict[str, tuple[Callable[[Draw], Pair], float]] = {
    "composed": (lambda draw: composed_pair(draw), 0.45),
    "answers": (lambda draw: Pair(*draw_answer(draw)), 0.2),
    "written": (written_pair, 0.35),
}


def make_pair(seed: int, index: int, split: Split = Split.TRAIN, source: str = "") -> Pair:
    """The pair with this number; the same arguments always give the same pair.

    Args:
        source: One of SOURCES; empty for any, by the shares.
    """
    rng = random.Random(f"pairs/{seed}/{split.value}/{index}")
    sources = ("composed",) if split is Split.UNSEEN_SHAPES else tuple(SOURCES)
    drawn = rng.choices(sources, [SOURCES[name][1] for name in sources])[0]
    return SOURCES[source or drawn][0](Draw(rng, split))


def composed_pair(draw: Draw) -> Pair:
    """A task composed of one to five parts; some combinations of three or more are held out."""
    held_out = draw.split is Split.UNSEEN_SHAPES
    brief = not held_out and draw.chance(_BRIEF)
    count = 3 if held_out else 1 if brief else draw.rng.choices(*_COUNTS)[0]

    def fits(drawn: tuple[Scene, Composed]) -> bool:
        task = drawn[1]
        too_long = len(program_of(task.steps)) > LONG[count] and draw.chance(0.8)
        words = len(task.text.split())
        too_long = too_long or (words > _WORDS and draw.chance(0.7))
        too_long = too_long or words > (_FEW if brief else _MANY)
        return is_held_out(task.parts) == held_out and not too_long

    def drawn() -> tuple[Scene, Composed]:
        if brief or draw.chance(_PLAIN):
            return until(lambda: _in_a_scene(draw, count), fits)
        lead = a_lead(draw, count)
        return until(lambda: _in_a_scene(draw, count, lead), fits, _SCENES)

    return _written(draw, *until(drawn))


def _in_a_scene(draw: Draw, count: int, lead: Part | None = None) -> tuple[Scene, Composed]:
    scene = draw_scene(draw)
    return scene, composed(draw, scene, count, lead)


def _written(draw: Draw, scene: Scene, task: Composed) -> Pair:
    text, program, *messages = (
        on_furniture(scene, said) for said in (task.text, program_of(task.steps), *task.messages)
    )
    if "pick(" in program and scene.holding:
        if scene.told and quoted(scene.holding) not in program:
            # the hand is needed, so the robot first puts down what it holds
            program = program_of((f"place({quoted(scene.holding)})", *task.steps))
        else:
            scene = replace(scene, holding="")
    keep = (*messages, *_copied(scene))
    return Pair("+".join(task.parts), scene, typed(draw, _sentences(text), keep), program)


def _sentences(text: str) -> str:
    """The text with capitals and final punctuation."""
    text = re.sub(r"(^|[.?!] )([a-z])", lambda found: found[1] + found[2].upper(), text)
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _copied(scene: Scene) -> tuple[str, ...]:
    """The names that the program copies from the instruction; all names without a map."""
    return () if scene.told else (*scene.rooms, *scene.people, *scene.things)
