"""Parameters of the generator node."""

from __future__ import annotations

from dataclasses import dataclass, field

from roboinstruct_ros.domain.files.world_names import SERVICE_ROBOT
from roboinstruct_ros.domain.option import option
from roboinstruct_ros.generate.backends.prefix_store import default_folder
from roboinstruct_ros.generate.models.model_options import ModelOptions
from roboinstruct_ros.generate.rounds.rounds import Progressive
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.nodes.rule_options import DOMAIN, LIBRARY, MAP, POLICIES


@dataclass(frozen=True, kw_only=True)
class GeneratorOptions(ModelOptions):
    """Options that apply to the stack as a whole."""

    domain: str = option(SERVICE_ROBOT, DOMAIN)
    policies: str = option("", POLICIES, on_configure=True)
    model: str = option(
        "", "name or path of a model, or address of an OpenAI-compatible server such as "
        "http://host:8000/v1; empty: the shipped model",
        on_configure=True,
    )  # fmt: skip
    library: str = option("", LIBRARY)


@dataclass(frozen=True, kw_only=True)
class GeneratorParameters(GeneratorOptions):
    map: str = option("", MAP, on_configure=True)
    autostart: bool = option(True, "configure and activate without a lifecycle manager")
    prefix_store: str = option(
        lambda: str(default_folder()), "folder for the cached state of a GGUF after the common "
        "prompt prefix; empty: no cache", on_configure=True,
    )  # fmt: skip
    writing: WritingOptions = field(
        default_factory=lambda: WritingOptions(progressive=Progressive.CUES)
    )
