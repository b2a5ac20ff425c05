"""An attack on the verifier costs the attacker a verdict; the next program is served."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from program_strategies import task_programs
from test_properties import DOMAIN, EVERYTHING, FLAT, QUICK, some, timeless

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.sandbox.confined_child import ConfinedChild
from roboinstruct_ros.sandbox.wire import WireTimeout
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Status
from roboinstruct_ros.verify.verifier import verify

GOOD = 'def task_program():\n    go_to("kitchen")\n'
ATTACKS = [
    "x = 9 ** 9 ** 9",
    'x = "a" * 10 ** 12',
    "x = sum(range(10 ** 12))",
    "x = [0] * 10 ** 11",
    "def f():\n        f()\n    f()",
    "x = max(range(10 ** 12), key=lambda n: n)",
    "while True:\n        ().__class__.__base__.__subclasses__()[0].__init__.__globals__",
    'x = "a"\n    while True:\n        x = x + x',
]


@pytest.fixture(scope="module")
def worker() -> Iterator[VerifierWorker]:
    home = load_semantic_map(find_world("home"))
    worker = VerifierWorker(load_domain(), home, budget=Budget(seconds=0.3))
    yield worker
    worker.close()


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_costs_a_verdict(worker: VerifierWorker, attack: str) -> None:
    assert not worker.verify(f"def task_program():\n    {attack}\n").accepted
    assert worker.verify(GOOD + f"    say({attack[:3]!r})\n").accepted


def test_a_step_that_never_looks_at_the_time_is_undecided(worker: VerifierWorker) -> None:
    verdict = worker.verify("def task_program():\n    x = sum(range(10 ** 12))\n")
    assert verdict.status is Status.UNDECIDED
    assert [warning.code.value for warning in verdict.warnings] == ["out_of_time"]
    assert "computes for too long" in verdict.undecided_because


@pytest.mark.parametrize(("words", "rooms"), [("слово ", 6), ("word  ", 12)])
def test_many_long_stories_make_a_verdict(words: str, rooms: int) -> None:
    body = f"    for i in range(200):\n        say({words!r} * 330 + str(i))\n"
    for room in range(rooms):
        body += f"    if is_in_room('a{room}'):\n        place('x')\n"
    worker = VerifierWorker(load_domain())
    verdict = worker.verify(f"def task_program():\n{body}")
    worker.close()
    assert verdict.status is Status.REJECTED and len(verdict.violations) == rooms
    assert all(one.counterexample and one.counterexample.steps for one in verdict.violations)


def test_a_process_that_somebody_ended_says_nothing_of_the_program(worker: VerifierWorker) -> None:
    worker.verify(GOOD + "    say('begun')\n")
    child = worker._child
    assert child is not None
    threading.Timer(0.3, child.kill).start()
    verdict = worker.verify("def task_program():\n    x = sum(range(10 ** 11))\n")
    assert verdict.status is Status.UNDECIDED
    assert worker.verify(GOOD).accepted


def test_a_process_that_fails_says_nothing_of_the_program(worker: VerifierWorker) -> None:
    no_fact = (("no predicate", "x"), True)
    verdict = worker.verify(GOOD, (no_fact,))
    assert (verdict.status, verdict.violations) == (Status.UNDECIDED, ())
    assert "process failed, and not for want of time or memory" in verdict.undecided_because
    assert worker.verify(GOOD).accepted


BUSY = [
    'for n in range(40):\n        if is_in_room(f"thing {n}"):\n            say("x")',
    'for n in range(300):\n        if is_in_room("Bob"):\n            break\n        time.sleep(9)',
    'while ask("", "Stop?", ["Yes", "No"]) != "Yes":\n        pass\n    place("cup")',
    "n = 0\n    while True:\n        n += 1",
]
"""Where the worlds, the lines, the states that come back, or the lines of one world decide."""


def test_verdicts_are_the_same_beside_busy_processes() -> None:
    home = load_semantic_map(find_world("home"))
    worker = VerifierWorker(load_domain(), home, budget=Budget(work=200_000))

    def verdicts(remark: str) -> list[dict[str, object]]:
        texts = [f"def task_program():\n    {body}\n# {remark}\n" for body in BUSY]
        unlike = {"duration", "program_sha256"}
        return [worker.verify(text).model_dump(exclude=unlike) for text in texts]

    alone = verdicts("alone")
    assert Status.UNDECIDED not in [verdict["status"] for verdict in alone]
    spin = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(spin) for _ in range(4)]
    try:
        assert verdicts("in company") == alone
    finally:
        worker.close()
        for process in busy:
            process.kill()
            process.wait()


def test_the_map_crosses_to_the_child(worker: VerifierWorker) -> None:
    verdict = worker.verify('def task_program():\n    go_to("moon")\n')
    assert [violation.code.value for violation in verdict.violations] == ["unknown_location"]


def test_the_same_text_is_explored_once(worker: VerifierWorker) -> None:
    assert worker.verify(GOOD) is worker.verify(GOOD)


def test_confinement_holds(worker: VerifierWorker) -> None:
    worker.verify(GOOD)
    assert {"no_new_privileges", "resource_limits"} <= set(worker.layers)


def test_every_child_has_the_same_order_of_sets() -> None:
    source = (
        'def task_program():\n    first = list({"a", "b", "c", "d", "e", "f", "g"})[0]\n'
        "    pick(first)\n    place(first + first)\n"
    )
    messages = set()
    for _ in range(3):
        worker = VerifierWorker(load_domain())
        (violation,) = worker.verify(source).violations
        worker.close()
        messages.add(violation.message)
    assert len(messages) == 1


def test_a_worker_that_is_closed_while_it_starts_judges_nothing() -> None:
    worker = VerifierWorker(load_domain())
    start, child = worker._start, worker._child
    assert child is not None
    child.close()

    def closed_meanwhile() -> ConfinedChild:
        child = start()
        worker._closed = True  # as the first step of `close`, which then waits for the lock
        return child

    worker._start = closed_meanwhile  # type: ignore[method-assign]
    verdict = worker.verify(GOOD)
    worker.close()
    assert verdict.undecided_because == "The verifier is closed."


def test_a_process_that_does_not_get_ready_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[ConfinedChild] = []

    def child(*given: Any) -> ConfinedChild:
        begun.append(ConfinedChild(*given))
        return begun[-1]

    monkeypatch.setattr("roboinstruct_ros.verify.service.worker.ConfinedChild", child)
    monkeypatch.setattr("roboinstruct_ros.verify.service.worker.START_LIMIT", 0.0)
    with pytest.raises(WireTimeout):
        VerifierWorker(load_domain())
    assert not begun[0].alive


def test_a_closed_worker_knows_nothing() -> None:
    worker = VerifierWorker(load_domain())
    worker.close()
    assert worker.verify(GOOD).status.value == "undecided"


@pytest.fixture(scope="module")
def workers() -> Iterator[list[VerifierWorker]]:
    started = [VerifierWorker(DOMAIN, FLAT, budget=QUICK) for _ in range(2)]
    yield started
    for worker in started:
        worker.close()


@given(source=task_programs(EVERYTHING))
@some(60)
def test_every_process_gives_the_same_verdict(workers: list[VerifierWorker], source: str) -> None:
    here = timeless(verify(source, DOMAIN, FLAT, budget=QUICK))
    assert [timeless(worker.verify(source)) for worker in workers] == [here, here]
