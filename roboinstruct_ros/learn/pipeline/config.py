"""The configuration file of a pipeline."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, create_model

from roboinstruct_ros.domain.configuration import FieldFault, Strict, load_yaml
from roboinstruct_ros.domain.files.world_names import SERVICE_ROBOT, find_domain, find_world
from roboinstruct_ros.generate.models.model_registry import ModelName
from roboinstruct_ros.learn.pipeline.step import Step, options_of


def _in_order(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    if list(steps) != [step for step in Step if step in steps]:
        order = ", ".join(step.value for step in Step)
        raise FieldFault((), f"each step once, in this order: {order}")
    return steps


class LearnConfig(Strict):
    """What a pipeline does; the options of each step are in a section with the step's name.

    Attributes:
        name: of the run, and of the resulting model.
        domain: skills: a YAML file, or service_robot, arm, calendar.
        map: a world's name or YAML file; None is the open world.
        seed: of everything random.
        writer: the default model for writing tasks and programs and for judging them: a model as
            for `generate --model`, or the address of a server.
        base: the model to train: a name in the registry, a GGUF, or a folder in the Hugging Face
            format.
        base_gguf: for a base that is a folder, the same model as a GGUF, for serving and
            evaluation.
        steps: the steps to do.
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
        """The options of one step, in its own model."""
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
    """Read the file.

    Raises:
        ConfigError: it cannot be read, or is invalid; names the line and the nearest valid name.
    """
    config = load_yaml(path, config_model())
    find_domain(config.domain)
    if config.map:
        find_world(config.map)
    return config
