"""The one file that says what a pipeline does."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, create_model

from roboinstruct_ros.domain.configuration import FieldFault, Strict, load_yaml
from roboinstruct_ros.domain.world_names import SERVICE_ROBOT, find_domain, find_world
from roboinstruct_ros.generate.models.model_registry import ModelName
from roboinstruct_ros.learn.pipeline.step import Step, options_of


def _in_order(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    if list(steps) != [step for step in Step if step in steps]:
        order = ", ".join(step.value for step in Step)
        raise FieldFault((), f"each step once, in this order: {order}")
    return steps


class LearnConfig(Strict):
    """What a pipeline does, with the options of each step below the step's name.

    Attributes:
        name: of the run, and of the model that comes of it.
        domain: skills: a YAML file, or service_robot, arm, calendar.
        map: a world's name or YAML file; None is the open world.
        seed: of all that is drawn.
        writer: who writes tasks and programs and judges them, where a step names nobody else: a
            model as `generate --model` takes it, or the address of a server.
        base: what is trained: a name of the registry, a GGUF, or a folder of Hugging Face's format.
        base_gguf: of a base that is a folder, the same as a GGUF, which is served and evaluated.
        steps: those that are done.
    """

    name: ModelName
    domain: str = SERVICE_ROBOT
    map: str | None = None
    seed: int = Field(default=0, ge=0, lt=2**31)
    writer: str = ""
    base: str = ""
    base_gguf: str = ""
    steps: Annotated[tuple[Step, ...], Field(min_length=1), AfterValidator(_in_order)] = tuple(Step)

    def options(self, step: Step) -> Any:
        """Those of one step, in its own model."""
        return getattr(self, step.value)


@cache
def config_model() -> type[LearnConfig]:
    """`LearnConfig` with the options of every step."""
    sections: dict[str, Any] = {}
    for step in Step:
        options = options_of(step)
        sections[step.value] = (options, Field(default_factory=options))
    return create_model("LearnFile", __base__=LearnConfig, **sections)


def read_config(path: Path) -> LearnConfig:
    """What the file says.

    Raises:
        ConfigError: it cannot be read, or says what cannot be; the line and the nearest name.
    """
    config = load_yaml(path, config_model())
    find_domain(config.domain)
    if config.map:
        find_world(config.map)
    return config
