"""Asks a model for one more task. Source: ROBO-INSTRUCT, A.5.2, in other words."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from roboinstruct_ros.domain.instruction import Instruction, InstructionError
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.learn.question import Kind, Question, Said
from roboinstruct_ros.learn.setting import skill_lines
from roboinstruct_ros.learn.tasks.seed_file import SeedFile

STEADY = 5
"""Seeds in every question; the model evaluates them once."""

_MOST_TOKENS = 80
_WORDS = range(3, 61)
_SENTENCE = re.compile(r"^.*[.?!](?=\s|$)", re.DOTALL)
_NO_TASK = re.compile(
    r"[`{}<>|\[\]_]|\bdef \b|\w\(|^(about|task|robot|note|example|i |sure|here)\b.*:|\\n",
    re.IGNORECASE,
)
_AROUND = " \t*\"'\u201c\u201d-"


def kind_of(domain: Domain, rooms: SemanticMap | None, seeds: SeedFile, seed: int) -> Kind:
    """The common part of all questions of a run."""
    rng = random.Random(f"steady/{seed}")
    shown = rng.sample(seeds.seeds, min(STEADY, len(seeds.seeds)))
    there = f"Its rooms: {', '.join(rooms.room_names)}.\n" if rooms else ""
    rules = (
        "People give tasks to a robot that can do this, and nothing else:\n"
        f"{skill_lines(domain)}{there}"
        "A task is one or two sentences of plain English. It names the places, people and things "
        "that it is about, says whatever the robot has to know, and needs no skill that is not "
        "listed. Write one new task for each line that says what it is to be about. No two tasks "
        "are alike, and each has other names."
    )
    examples = tuple((_about(seeds, one.topics), one.text) for one in shown)
    return Kind(rules, examples, "Task:", _MOST_TOKENS, ends="\n")


def question_for(
    kind: Kind, seeds: SeedFile, written: Sequence[str], rng: random.Random, temperature: float
) -> tuple[str, Question]:
    """The requested topics, joined by `+`, and the question.

    Topics with few tasks are requested most often; an example of each is shown.

    Args:
        written: all existing tasks.
    """
    asked = _topics(seeds, written, rng)
    shown = [_example(seeds, topic, written, rng) for topic in asked]
    told = [f"{_about(seeds, seeds.topics_of(text))}\nTask: {text}" for text in shown if text]
    text = "\n\n".join([*told, _about(seeds, asked)])
    return "+".join(asked), Question(kind, text, temperature, rng.randrange(2**31))


def read_task(said: Said) -> str:
    """The task that a model has written, as one line; "" if there is none."""
    text = " ".join(said.text.split()).strip(_AROUND)
    if not said.whole:
        found = _SENTENCE.match(text)
        text = found[0] if found else ""
    text = re.sub(r"^\d+[.)]\s*", "", text).strip(_AROUND)
    if len(text.split()) not in _WORDS or _NO_TASK.search(text):
        return ""
    try:
        text = Instruction.checked(text).text
    except InstructionError:
        return ""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _topics(seeds: SeedFile, written: Sequence[str], rng: random.Random) -> tuple[str, ...]:
    """At most two; rare topics are more likely."""
    left = {name: 1 / (1 + count) for name, count in seeds.counts(written).items()}
    chosen: list[str] = []
    while left and len(chosen) < 2:
        name = rng.choices(tuple(left), tuple(left.values()))[0]
        chosen.append(name)
        del left[name]
    return tuple(chosen)


def _example(seeds: SeedFile, topic: str, written: Sequence[str], rng: random.Random) -> str:
    fitting = [text for text in rng.sample(written, min(len(written), 40))
               if topic in seeds.topics_of(text)]  # fmt: skip
    return fitting[0] if fitting else ""


def _about(seeds: SeedFile, topics: Sequence[str]) -> str:
    told = [seeds.topics[name].about for name in topics]
    return f"About: a task that {', and '.join(told)}" if told else "About: anything"
