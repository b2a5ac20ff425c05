"""The request and the result of one training, as exchanged with its process."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import Field

from roboinstruct_ros.domain.configuration import InputError, Strict
from roboinstruct_ros.domain.files.world_names import SERVICE_ROBOT
from roboinstruct_ros.generate.models.model_store import known_sha256
from roboinstruct_ros.learn.pipeline.asked import differences
from roboinstruct_ros.learn.training.options import TrainingOptions

ADAPTER, MODEL = "adapter", "model"
CURVE, RESULT = "curve.jsonl", "result.json"
FAULT = ".fault.txt"
"""The traceback of an unexpected error."""

_BEGUN = ".begun.json"

WORDS = "words.json"
"""The vocabulary, if a GGUF of the complete model can be written."""


class TrainingJob(Strict):
    """One training.

    Attributes:
        out: its folder: checkpoints, CURVE, RESULT, and finally ADAPTER or MODEL.
        base: a GGUF, or a folder in the Hugging Face format; None trains a new model.
        examples: lines of prompt and completion; for method grpo the completion is the reference.
        held_out: lines used for evaluation only.
        domain, map: as in `LearnConfig`; for the verifier of method grpo.
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
    """The result of a training.

    Attributes:
        seconds: wall-clock time, summed over all attempts.
        loss, held_out_loss: mean of the last steps, and of the best evaluation; None if there is
            none.
        left_out: examples that were too long.
        base_sha256: of the file to which the adapter belongs; "" for none.
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


def take(job: TrainingJob) -> None:
    """Assign the job's folder to this training.

    Raises:
        InputError: its checkpoints are of another training, or a file cannot be read.
    """
    now = job.options.model_dump(mode="json", exclude={"threads"})
    now |= {"seed": job.seed, "domain": job.domain, "map": job.map}
    for name in ("base", "examples", "held_out"):
        path = getattr(job, name)
        now[name] = known_sha256(path) if path and not path.is_dir() else path and str(path)
    begun = job.out / _BEGUN
    if begun.exists() and any(job.out.glob("checkpoint-*")):
        changed = "; ".join(differences(json.loads(begun.read_text()), now))
        if changed:
            raise InputError(f"{job.out}: was begun otherwise: {changed}; give another --out")
    else:
        begun.write_text(json.dumps(now))
