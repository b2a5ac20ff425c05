"""The generator's parameters; `docs/interfaces.md` lists them."""

from __future__ import annotations

from enum import Enum
from typing import Any

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.lifecycle import LifecycleNode

from roboinstruct_ros.generate.backends.candidate_batch import MOST_CANDIDATES
from roboinstruct_ros.generate.backends.prefix_store import default_folder
from roboinstruct_ros.generate.choice import Choice
from roboinstruct_ros.generate.models.model_options import MODEL_OPTIONS
from roboinstruct_ros.generate.prompts.prompt import FeedbackDesign
from roboinstruct_ros.generate.rounds.rounds import Progressive
from roboinstruct_ros.generate.writing_options import Retry, WritingOptions

DEFAULTS = WritingOptions()


def declare_parameters(node: LifecycleNode) -> None:
    """Declare all that the node itself reads."""

    def text(name: str, default: Any, told: str, **limits: Any) -> None:
        node.declare_parameter(name, default, ParameterDescriptor(description=told, **limits))

    def whole(name: str, default: int, low: int, high: int, told: str) -> None:
        limits = IntegerRange(from_value=low, to_value=high, step=1)
        text(name, default, told, integer_range=[limits])

    def real(name: str, default: float, low: float, high: float, told: str) -> None:
        limits = FloatingPointRange(from_value=low, to_value=high)
        text(name, default, told, floating_point_range=[limits])

    text("model", "", "name of a model, path, or address of an OpenAI-compatible server like "
         "http://host:8000/v1, read on configure; empty is the shipped model")  # fmt: skip
    text("map", "", "world or map YAML, path or shipped name, read on configure; programs may "
         "then name its rooms only; empty allows any room")  # fmt: skip
    text("policies", "", "policies YAML that every program must keep, read on configure; empty "
         "is the shipped one")  # fmt: skip
    text("autostart", True, "configure and activate without a lifecycle manager")
    for one in MODEL_OPTIONS:
        facts, told = one.metadata, f"read on configure: {one.metadata['told']}"
        if "low" in facts:
            whole(one.name, one.default, facts["low"], facts["high"], told)
        else:
            limit = "one of " + ", ".join(facts["choices"]) if facts["choices"] else ""
            text(one.name, one.default, told, additional_constraints=limit)
    whole("max_attempts", DEFAULTS.max_attempts, 1, 100, "programs verified at the most")
    whole("max_tokens", DEFAULTS.max_tokens, 16, 8192, "tokens of one program at the most")
    real("temperature", DEFAULTS.temperature, 0.0, 2.0, "of attempts after the first")
    text("grammar", DEFAULTS.grammar, "let the model write task programs only")
    text("map_in_prompt", DEFAULTS.map_in_prompt, "tell a model that can read it what is there")
    whole("examples", DEFAULTS.examples, 0, 20, "tasks done before that a model is shown, at most")
    text("library", "", "file of the tasks and their versions; empty is the user's own, "
         "'none' keeps them until the node ends", read_only=True)  # fmt: skip
    text("feedback", DEFAULTS.feedback.value, "what a model is told of a rejected program, "
         "read on configure", additional_constraints=names_of(FeedbackDesign))  # fmt: skip
    whole("candidates", DEFAULTS.candidates, 1, MOST_CANDIDATES, "texts drawn side by side for "
          "one prompt; their room is made on configure")  # fmt: skip
    text("choice", DEFAULTS.choice.value, "first or best text, read on configure",
         additional_constraints=names_of(Choice))  # fmt: skip
    whole("votes", DEFAULTS.votes, 1, MOST_CANDIDATES, "texts drawn where the model is not sure "
          "of its likeliest, with choice at best")  # fmt: skip
    real("ask_below", DEFAULTS.ask_below, 0.0, 1.0, "confidence below which a person is asked "
         "which of two programs is meant, with choice at best; 0 never asks")  # fmt: skip
    text("retry", DEFAULTS.retry.value, "what follows a rejected program first, read on "
         "configure", additional_constraints=names_of(Retry))  # fmt: skip
    text("prefix_store", str(default_folder()), "folder for what a GGUF has read of the "
         "beginning of all prompts, read on configure; empty keeps nothing")  # fmt: skip
    text("progressive", Progressive.CUES.value, "whether a task that depends on what is not "
         "known yet is split into rounds, read on configure",
         additional_constraints=names_of(Progressive))  # fmt: skip
    text("back_translate", DEFAULTS.back_translate, "let a model that can read say what its "
         "program does, and compare that with the instruction")  # fmt: skip
    real("time_limit", DEFAULTS.time_limit, 0.1, 3600.0, "wall clock of one request, s")


def names_of(choices: type[Enum]) -> str:
    """The values of a closed list, for a person."""
    return "one of " + ", ".join(choice.value for choice in choices)
