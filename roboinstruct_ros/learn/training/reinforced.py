"""Reinforcement learning by `trl`'s GRPO: several programs of a prompt are drawn, and each is worth
what verifier and behaviour say. Source: Shao et al. 2024 (GRPO)."""

from __future__ import annotations

from typing import Any

from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.evaluate.behaviour import same_behaviour
from roboinstruct_ros.generate.program_text import HEAD, answer_of
from roboinstruct_ros.learn.training.base import Base
from roboinstruct_ros.learn.training.examples import Text
from roboinstruct_ros.learn.training.job import TrainingJob
from roboinstruct_ros.verify.service.worker import VerifierWorker

ACCEPTED, RIGHT = 0.2, 1.0
"""What a program is worth that the verifier accepts, and one that also does what the reference
does. An answer in words is worth RIGHT where the reference is one of the same kind."""


class Reward:
    """What programs are worth; `trl` calls it with a column of references."""

    __name__ = "program"

    def __init__(self, worlds: int) -> None:
        self._worlds = worlds
        self._verifier = VerifierWorker(load_domain())

    def __call__(self, completions: list[str], reference: list[str], **_: Any) -> list[float]:
        """Of each completion."""
        return [self._of(*pair) for pair in zip(completions, reference, strict=True)]

    def _of(self, completion: str, reference: str) -> float:
        source, wanted = (HEAD + body.rstrip("\n") + "\n" for body in (completion, reference))
        said, meant = answer_of(completion), answer_of(reference)
        if said or meant:
            return RIGHT if said and meant and said.kind is meant.kind else 0.0
        if not self._verifier.verify(source).accepted:
            return 0.0
        return RIGHT if same_behaviour(source, wanted, self._worlds) else ACCEPTED


class Reinforced(GRPOTrainer):  # type: ignore[misc]
    """trl's trainer; our card is made of the manifest."""

    def create_model_card(self, *_: Any, **__: Any) -> None:
        """Nothing."""


def reinforced(
    job: TrainingJob, base: Base, texts: list[Text], common: dict[str, Any],
    callbacks: list[Any], more: dict[str, Any],
) -> GRPOTrainer:  # fmt: skip
    """The trainer of a job.

    Raises:
        InputError: a batch does not hold whole groups of programs.
    """
    options = job.options
    drawn = options.grpo.drawn
    if options.batch * options.accumulate % drawn:
        raise InputError(
            f"batch {options.batch} x accumulate {options.accumulate}: holds no whole number of "
            f"groups of {drawn} programs (grpo.drawn); give batch: {drawn}"
        )
    begin = "" if base.begin is None else base.tokenizer.convert_ids_to_tokens(base.begin)
    rows = {"prompt": [begin + text.prompt for text in texts]}
    return Reinforced(
        reward_funcs=[Reward(options.grpo.worlds)],
        args=GRPOConfig(
            **common,
            num_generations=drawn,
            max_completion_length=options.grpo.longest,
            temperature=options.grpo.temperature,
            beta=options.grpo.keep_near,
        ),
        train_dataset=Dataset.from_dict({**rows, "reference": [one.completion for one in texts]}),
        callbacks=callbacks,
        **more,
    )
