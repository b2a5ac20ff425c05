"""Reinforcement learning with `trl`'s GRPO: several programs are drawn for a prompt, and
rewarded by verifier and behaviour. Source: Shao et al. 2024 (GRPO)."""

from __future__ import annotations

from typing import Any

from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.learn.setting import Setting
from roboinstruct_ros.learn.training.base import Base
from roboinstruct_ros.learn.training.examples import Text
from roboinstruct_ros.learn.training.job import TrainingJob
from roboinstruct_ros.learn.training.reward import Reward


class Reinforced(GRPOTrainer):  # type: ignore[misc]
    """trl's trainer, without its model card: ours is made from the manifest."""

    def create_model_card(self, *_: Any, **__: Any) -> None:
        """Nothing."""


def reinforced(
    job: TrainingJob, base: Base, texts: list[Text], common: dict[str, Any],
    callbacks: list[Any], more: dict[str, Any],
) -> GRPOTrainer:  # fmt: skip
    """The trainer of a job.

    Raises:
        InputError: a batch does not consist of complete groups of programs.
    """
    options = job.options
    drawn = options.grpo.drawn
    if options.batch * options.accumulate % drawn:
        raise InputError(
            f"batch {options.batch} x accumulate {options.accumulate}: holds no whole number of "
            f"groups of {drawn} programs (grpo.drawn); give batch: {drawn}"
        )
    begin = first_words(base)
    rows = {"prompt": [begin + text.prompt for text in texts]}
    return Reinforced(
        reward_funcs=[Reward(Setting(job.domain, job.map))],
        args=GRPOConfig(
            **{**common, "include_num_input_tokens_seen": "no"},  # trl counts them itself
            num_generations=drawn,
            max_completion_length=options.grpo.longest,
            temperature=options.grpo.temperature,
            beta=options.grpo.keep_near,
            mask_truncated_completions=True,
        ),
        train_dataset=Dataset.from_dict({**rows, "reference": [one.completion for one in texts]}),
        callbacks=callbacks,
        **more,
    )


def first_words(base: Base) -> str:
    """The text in front of a prompt with which it begins as the base's examples do."""
    if base.begin is None or base.tokenizer("a")["input_ids"][:1] == [base.begin]:
        return ""
    return str(base.tokenizer.convert_ids_to_tokens(base.begin))
