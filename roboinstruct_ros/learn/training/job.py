"""What one training is asked to do, as its process is told it."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from roboinstruct_ros.domain.configuration import Strict
from roboinstruct_ros.domain.world_names import SERVICE_ROBOT
from roboinstruct_ros.learn.training.options import TrainingOptions

ADAPTER, MODEL = "adapter", "model"
CURVE, RESULT = "curve.jsonl", "result.json"
FAULT = ".fault.txt"
"""What ended a training that nobody foresaw."""

WORDS = "words.json"
"""The vocabulary, where a GGUF of the whole model can be written."""


class TrainingJob(Strict):
    """One training.

    Attributes:
        out: its folder: checkpoints, CURVE, RESULT, and ADAPTER or MODEL in the end.
        base: a GGUF, or a folder in the format of Hugging Face; None begins with nothing.
        examples: lines of prompt and completion; of method grpo the completion is the reference.
        held_out: lines that are only looked at.
        domain, map: as `LearnConfig` has them; method grpo verifies there.
    """

    out: Path
    base: Path | None = None
    examples: Path
    held_out: Path | None = None
    seed: int = 0
    domain: str = SERVICE_ROBOT
    map: str | None = None
    options: TrainingOptions = TrainingOptions()


class TrainingResult(Strict):
    """What came of it.

    Attributes:
        seconds: on the clock, of all times it was begun.
        loss, held_out_loss: mean of the last steps, and at the best look; None where there is none.
        left_out: examples that were too long.
        base_sha256: of the file that the adapter belongs to; "" for none.
    """

    steps: int
    seconds: float
    examples: int
    left_out: int
    trained_parameters: int
    loss: float | None = None
    held_out_loss: float | None = None
    base_sha256: str = ""
    versions: dict[str, str] = Field(default_factory=dict)
