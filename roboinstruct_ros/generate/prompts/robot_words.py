"""The description of a robot for a model that was not trained for it: functions and examples.

Source: ROBO-INSTRUCT, A.5.2, for the words and the order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from roboinstruct_ros.domain.files.world_names import SERVICE_ROBOT
from roboinstruct_ros.domain.instruction import one_line
from roboinstruct_ros.domain.simulation import Example
from roboinstruct_ros.domain.skills import Domain, Parameter, Skill, load_domain
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
    """The parts of a prompt that describe one robot.

    Attributes:
        domain: None is the shipped robot, whose file is read when needed.
    """

    domain: Domain | None = None

    @property
    def name(self) -> str:
        """The name of the domain."""
        return self.domain.name if self.domain else SERVICE_ROBOT

    @property
    def api(self) -> str:
        """The functions as comments, for a completion model; for the shipped robot, the paper's."""
        if self._is_the_papers:
            return API
        head, *_, task, end = API.splitlines()
        functions = (f"# {line}" for line in _functions(self._file))
        return "".join(f"{line}\n" for line in (head, *functions, task, end))

    @property
    def examples(self) -> tuple[str, ...]:
        """Tasks as comments, each with its program; for the shipped robot, the paper's."""
        if self._is_the_papers:
            return EXAMPLES
        return tuple(example_text(one) for one in self._file.examples if not one.is_answer)

    @property
    def functions(self) -> str:
        """The functions and what they do, a line each, for a chat model."""
        return "\n".join(_functions(self._file))

    @property
    def shown(self) -> tuple[Example, ...]:
        """Examples for a chat model: tasks with their programs, and answers in words."""
        return self._file.examples

    @property
    def _is_the_papers(self) -> bool:
        return self.domain is None or self.domain.is_service_robot

    @property
    def _file(self) -> Domain:
        return self.domain or _service_robot()


SERVICE_ROBOT_WORDS = RobotWords()


@cache
def _service_robot() -> Domain:
    return load_domain()


def _functions(domain: Domain) -> Iterator[str]:
    for skill in domain.skills:
        does = f"  # {one_line(skill.description)}" if skill.description else ""
        yield f"- {signature(skill)}:{does}"
    for kind, known in domain.entities.items():
        yield f"{kind} = {list(known)}"
    for quantity in domain.quantities:
        of = f" of each {quantity.arguments[0]}" if quantity.arguments else ""
        yield (
            f"The {quantity.name}{of} stays between {quantity.low:.3g} and {quantity.high:.3g} "
            f"{quantity.unit}".rstrip()
        )
    for timeline in domain.timelines:
        yield f"Nothing overlaps on the {timeline}."


def signature(skill: Skill) -> str:
    """The head of the skill as a Python function."""
    given = ", ".join(f"{one.name}: {_type(one)}" for one in skill.parameters)
    answer = "bool" if skill.answer else _ANSWERS[skill.returns]
    return f"def {skill.name}({given}) -> {answer}"


def _type(parameter: Parameter) -> str:
    return _TYPES.get(parameter.type, "str")


def example_text(example: Example) -> str:
    """The task as a comment, then its program."""
    return f"# Instruction: {one_line(example.instruction)}\n{example.program.rstrip()}\n"
