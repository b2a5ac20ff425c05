"""The options of a training, for a stand-alone training and for a step of a run alike."""

from __future__ import annotations

from enum import Enum
from typing import Literal

from pydantic import Field

from roboinstruct_ros.domain.configuration import Strict


class Method(str, Enum):
    """What is learned from: given programs, or the verifier's judgement of the model's programs."""

    SFT = "sft"
    GRPO = "grpo"


class Schedule(str, Enum):
    """The learning rate after the warm-up."""

    CONSTANT = "constant"
    COSINE = "cosine"


class NewModel(Strict):
    """Sizes of a new llama model."""

    vocabulary: int = Field(default=2048, ge=300, description="tokens")
    width: int = Field(default=256, ge=32)
    layers: int = Field(default=6, ge=1)
    heads: int = Field(default=8, ge=1)
    feed_forward: int = Field(default=768, ge=32)
    context: int = Field(default=1024, ge=128, description="tokens")


class GrpoOptions(Strict):
    """Reinforcement learning: several programs are drawn for each prompt and compared."""

    drawn: int = Field(default=8, ge=2, description="programs of a prompt, held against each other")
    temperature: float = Field(default=0.9, gt=0, le=2)
    longest: int = Field(default=160, ge=8, description="tokens of a program")
    keep_near: float = Field(
        default=0.0, ge=0, description="weight of the distance from the beginning"
    )


class TrainingOptions(Strict):
    """The options of a training. The defaults are those of ROBO-INSTRUCT, 3.1, except for the
    rank, which the paper does not give."""

    method: Method = Method.SFT
    begin: str = Field(default="", description="adapter to go on with: a GGUF, or peft's folder")
    new: NewModel = Field(default=NewModel(), description="what is made where there is no base")
    rank: int = Field(default=32, ge=0, le=512, description="of the adapter; 0 trains every weight")
    alpha: float | None = Field(
        default=None, gt=0, description="of the adapter; as its rank if none"
    )
    first_layer: int = Field(
        default=0, ge=0, description="0-based; those below it stay as they are"
    )
    bits: Literal[4, 16] = Field(
        default=16, description="of the base's weights; 4 on an NVIDIA GPU alone"
    )
    rate: float = Field(default=3e-5, gt=0, lt=1, description="highest learning rate")
    schedule: Schedule = Schedule.CONSTANT
    warmup: float = Field(default=0.03, ge=0, lt=1, description="share of the training")
    batch: int = Field(default=8, ge=1, description="examples of a process at a time")
    accumulate: int = Field(default=1, ge=1, description="batches of a step")
    epochs: float = Field(default=5, gt=0, description="times that each example is seen")
    steps: int | None = Field(default=None, ge=1, description="in all, in the place of epochs")
    minutes: float | None = Field(
        default=None, gt=0, description="of the clock, in the place of epochs"
    )
    longest: int = Field(
        default=2048, ge=16, description="tokens of an example; longer ones are left out"
    )
    packing: bool = Field(
        default=False, description="examples end to end; needs FlashAttention on a GPU"
    )
    look_every: int = Field(
        default=100, ge=1, description="steps between two looks at what is held out"
    )
    patience: int = Field(
        default=0, ge=0, description="looks without gain that end it early; 0 never does"
    )
    save_every: int = Field(default=50, ge=1, description="steps between two checkpoints")
    processes: int = Field(default=1, ge=1, le=64, description="on this machine; on GPUs one each")
    threads: int = Field(default=0, ge=0, description="of a process; 0 shares the cores")
    grpo: GrpoOptions = GrpoOptions()
