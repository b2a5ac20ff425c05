"""A question on the kiosk's page, and the answer touched there, as their topics have them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from roboinstruct_ros.domain.arrival import read_object
from roboinstruct_ros.domain.semantic_map import folded


def shown(asked: Any, live: bool = True) -> str:
    """The JSON of `names.QUESTION_TOPIC`.

    Args:
        asked: an `Ask.Goal`, or anything with its fields.
        live: the answer must come on `names.ANSWER_TOPIC`.
    """
    options = list(asked.options)
    question = {"person": asked.person, "question": asked.question, "options": options}
    return json.dumps({**question, "live": live})


def chosen(text: str, question: str, options: Sequence[str]) -> str | None:
    """Gives the option that a text on `names.ANSWER_TOPIC` chooses, if it answers this question."""
    try:
        said = read_object(text, "an answer")
    except ValueError:
        return None
    if said.get("question", question) != question:
        return None
    answer = said.get("answer")
    if not isinstance(answer, str):
        return None
    wanted = folded(answer)
    return next((option for option in options if folded(option) == wanted), None)
