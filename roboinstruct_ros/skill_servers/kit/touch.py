"""The answer that a person touches on the kiosk's page."""

from __future__ import annotations

from typing import Any

from roboinstruct_msgs.msg import Answer
from roboinstruct_ros.domain.semantic_map import folded

LONGEST_SHOWN = 80
"""Characters of somebody's answer in a log."""


def chosen(said: Answer, asked: Any) -> str:
    """The option that an answer chooses; one without a question answers what is asked now.

    Args:
        asked: the `Ask.Goal` that waits for an answer; None when nobody is asked anything.

    Raises:
        ValueError: it is not an answer to that; one line.
    """
    answer = said.answer[:LONGEST_SHOWN]
    if asked is None:
        raise ValueError(f"nobody is asked anything; ignored '{answer}'")
    matching = (option for option in asked.options if folded(option) == folded(said.answer))
    option = next(matching, None) if said.question in ("", asked.question) else None
    if option is None:
        wanted = ", ".join(asked.options)
        raise ValueError(f"not an answer to '{asked.question}' ({wanted}): '{answer}'")
    return option
