"""Stops in every state of a task: nothing that was let in before moves any more."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, Reply, model_server, models, words
from stop_stack import StopStack
from stop_states import PROGRAMS, STATES
from stop_trials import StopTrials, Trial, note_to, summary, table

pytestmark = [pytest.mark.stack, pytest.mark.timeout(6 * 3600)]

SHORT = 3  # of each state
LONG = 10_000
EVERY = 100  # trials from one line about them to the next


@pytest.fixture
def model() -> Iterator[ModelServer]:
    def answer(reply: Reply) -> None:
        asked = reply.asked["prompt"].rpartition("# Instruction: ")[2].partition("\n")[0]
        words([PROGRAMS.get(asked, "I do not know.")])(reply)

    with model_server() as server:
        server.answers["GET /v1/models"] = models({"id": "tiny", "max_model_len": 8192})
        server.completes(answer)
        yield server


def test_a_stop_stops_in_every_state(
    stack_process: Any,
    ros_domain: int,
    tmp_path: Path,
    model: ModelServer,
    seed: int,
    long: bool,
    request: pytest.FixtureRequest,
) -> None:
    count = request.config.getoption("--trials") or (LONG if long else SHORT * len(STATES))
    draw = random.Random(seed)
    rounds = -(-count // len(STATES))
    states = [state for _ in range(rounds) for state in draw.sample(list(STATES), len(STATES))]
    made: list[Trial] = []
    keep, begun = note_to(tmp_path / "trials.jsonl"), time.monotonic()

    def note(trial: Trial) -> None:
        made.append(trial)
        keep(trial)
        if not trial.good:
            print(f"{len(made)}: {trial}", flush=True)
        if len(made) % EVERY == 0:
            each = (time.monotonic() - begun) / len(made)
            late = sum(one.late for one in made)
            missed = len(trials.unreached)
            told = f"{each:.2f} s each, {late} late, {missed} not reached"
            print(f"{len(made)} trials, {told}", flush=True)

    with StopStack(stack_process, ros_domain, tmp_path, model.address) as stack:
        trials = StopTrials(stack, seed)
        trials.run(states[:count], note)
    print(f"\n{table(made)}\n{summary(made)}")
    print("\n".join(["not reached:", *trials.unreached]))
    assert not [one for one in made if not one.good]
    assert len(trials.unreached) <= count // 20, trials.unreached
    assert len(Counter(one.state for one in made)) == len(STATES)
