"""Answers of the tests' model server that follow from what it is asked."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any

from model_server import ModelServer, Reply, model_server, models

WORDS = (
    "lantern kettle globe ladder drum mirror basket telescope compass easel attic cellar barn "
    "tower gallery kitchen office library garage studio Ada Bo Cleo Dag Eli Fay Gus Hal Ivy Jo"
).split()


def says(server: ModelServer, answer: Callable[[dict[str, Any]], str]) -> None:
    """Let the server say what `answer` makes of each question."""

    def complete(reply: Reply) -> None:
        reply.begin()
        reply.say(answer(reply.asked))
        reply.say("", "stop")
        reply.done()

    server.answers["GET /v1/models"] = models({"id": "tiny", "max_model_len": 8192})
    server.completes(complete)


def task(asked: dict[str, Any]) -> str:
    """A task, by the seed; now and then one that is none, or one that is always the same."""
    rng = random.Random(asked["seed"])
    new = f"Say {' '.join(rng.sample(WORDS, 9))}."
    texts = (new, new, new, "Count the chairs that are on the roof.", "def task_program():")
    return f" {rng.choice(texts)}\n\nAbout: more"


class Stubborn:
    """Fails so many times, in some way, before it answers.

    Attributes:
        asked: questions so far.
    """

    def __init__(
        self, fails: Callable[[Reply], None], times: int, answer: Callable[[dict[str, Any]], str]
    ) -> None:
        self._fails, self._times, self._answer = fails, times, answer
        self._lock = threading.Lock()
        self.asked = 0

    def __call__(self, reply: Reply) -> None:
        with self._lock:
            self.asked += 1
            fails = self.asked <= self._times
        if fails:
            return self._fails(reply)
        reply.begin()
        reply.say(self._answer(reply.asked))
        reply.say("", "stop")
        return reply.done()


__all__ = ["Stubborn", "model_server", "says", "task"]
