"""What a model that was not trained for a robot is told of it: its functions, and tasks they do.

Source: ROBO-INSTRUCT, A.5.2, for the words and the order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from roboinstruct_ros.domain.instruction import one_line
from roboinstruct_ros.domain.simulation import Example
from roboinstruct_ros.domain.skills import Domain, Parameter, Skill
from roboinstruct_ros.domain.world_names import SERVICE_ROBOT
from roboinstruct_ros.generate.prompts.examples import EXAMPLES

API = """\
# You are a helpful assistant. Here is a robot that has the following capabilities:
# - def get_current_location() -> str:
# - def get_all_rooms() -> list[str]:
# - def is_in_room(object : str) -> bool:
# - def go_to(location : str) -> None:
# - def ask(person : str, question : str, options: list[str]) -> str:
# - def say(message : str) -> None:
# - def pick(obj: str) -> None:
# - def place(obj: str) -> None:
# Write a Python function for each robot task that can be accomplished using the above
# capabilities.
"""

_TYPES = {"number": "float", "options": "list[str]"}
_ANSWERS = {"nothing": "None", "all_locations": "list[str]", "current_location": "str",
            "one_of_options": "str"}  # fmt: skip


@dataclass(frozen=True)
class RobotWords:
    """The beginning of a prompt.

    Attributes:
        name: of the domain.
        api: the functions, as comments.
        examples: tasks as comments, each with its program.
    """

    name: str = SERVICE_ROBOT
    api: str = API
    examples: tuple[str, ...] = EXAMPLES


SERVICE_ROBOT_WORDS = RobotWords()


def robot_words(domain: Domain) -> RobotWords:
    """The words for a domain, from its file alone; those for the shipped robot are the paper's."""
    if domain.is_service_robot:
        return SERVICE_ROBOT_WORDS
    head, *_, task, end = API.splitlines()
    lines = [head, *_functions(domain), task, end]
    return RobotWords(
        domain.name, "".join(f"{line}\n" for line in lines), tuple(map(_text, domain.examples))
    )


def _functions(domain: Domain) -> Iterator[str]:
    for skill in domain.skills:
        does = f"  # {one_line(skill.description)}" if skill.description else ""
        yield f"# - {signature(skill)}:{does}"
    for kind, known in domain.entities.items():
        yield f"# {kind} = {list(known)}"
    for quantity in domain.quantities:
        of = f" of each {quantity.arguments[0]}" if quantity.arguments else ""
        yield (
            f"# The {quantity.name}{of} stays between {quantity.low:.3g} and {quantity.high:.3g} "
            f"{quantity.unit}".rstrip()
        )
    for timeline in domain.timelines:
        yield f"# Nothing overlaps on the {timeline}."


def signature(skill: Skill) -> str:
    """The head of the skill as a Python function."""
    given = ", ".join(f"{one.name}: {_type(one)}" for one in skill.parameters)
    answer = "bool" if skill.answer else _ANSWERS[skill.returns]
    return f"def {skill.name}({given}) -> {answer}"


def _type(parameter: Parameter) -> str:
    return _TYPES.get(parameter.type, "str")


def _text(example: Example) -> str:
    return f"# Instruction: {one_line(example.instruction)}\n{example.program.rstrip()}\n"
