"""Asks the model how a follow-up is meant if its words do not say.

Source: RoboPlayground, A8.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol, runtime_checkable

from roboinstruct_ros.domain.task_version import Steering
from roboinstruct_ros.generate.backends.backend import Backend, Request, StopSignal
from roboinstruct_ros.generate.backends.conversation import Prompt
from roboinstruct_ros.generate.prompts.prompt import prompt_format
from roboinstruct_ros.generate.rounds.steering import FollowUp, read_as

ANSWER_TOKENS = 6


@runtime_checkable
class _ReadsKinds(Protocol):
    def kind_question(self, instruction: str, follow_up: str) -> Prompt:
        """The prompt after which the model names the kind of the follow-up."""


def settled(follow_up: FollowUp, backend: Backend, cancel: StopSignal) -> FollowUp:
    """The follow-up as the model reads it; unchanged if words decided or the model cannot say.

    Raises:
        BackendError: The model failed.
    """
    ask = _question_of(backend)
    if follow_up.sure or ask is None:
        return follow_up
    prompt = ask(follow_up.current.words, follow_up.said)
    if backend.count_tokens(prompt) + ANSWER_TOKENS > backend.describe().context:
        return follow_up
    answer = "".join(token.text for token in backend.stream(Request(prompt, ANSWER_TOKENS), cancel))
    kinds = {kind.value: kind for kind in Steering if kind is not Steering.RETURN}
    line = answer.strip().partition("\n")[0]
    named = [kinds[word] for word in re.findall(r"[a-z]+", line.lower()) if word in kinds]
    return read_as(follow_up, named[0]) if len(named) == 1 else follow_up


def _question_of(backend: Backend) -> Callable[[str, str], Prompt] | None:
    form = prompt_format(backend.describe().prompt_format)
    return form.kind_question if isinstance(form, _ReadsKinds) else None
