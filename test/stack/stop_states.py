"""How a task is brought into each of the states in which it is stopped.

Every way in is a function of a `StopStack`; it raises `Unreached` when the state does not come.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from stop_load import LOOKED_AT
from stop_stack import THING, Goal, StopStack, Unreached
from waiting import LIMIT, until

from roboinstruct_msgs.msg import Answer
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.execute.journal import RunJournal
from roboinstruct_ros.execute.task_run import TaskOrder
from roboinstruct_ros.program.task_program import sha256_of

DRIVE = 'for i in range(40):\n    go_to("kitchen")\n    go_to("garage")'
SAY = 'for i in range(30):\n    say("step " + str(i))\n    go_to("hallway")\n    go_to("kitchen")'
LOOK = (
    'for i in range(40):\n    go_to("hallway")\n    for j in range(20):\n'
    '        is_in_room("cup")\n    go_to("kitchen")'
)
ASK = f'go_to("study")\nask("Bob", "Coffee?", ["yes", "no"])\n{DRIVE}'
COMPUTE = (
    'for i in range(3):\n    go_to("kitchen")\n    n = sum(range(3000000))\n    go_to("garage")\n'
    "    n = sum(range(3000000))"
)
PRINT = (
    'for i in range(20):\n    go_to("kitchen")\n    for j in range(20):\n        print("x" * 100)\n'
    '    go_to("garage")'
)
FLOOD = (
    'for i in range(20):\n    go_to("hallway")\n    for j in range(30):\n        get_all_rooms()\n'
    '        get_current_location()\n    go_to("garage")'
)
PICK = f'go_to("kitchen")\npick("{THING}")\n{DRIVE}'
PLACE = f'go_to("kitchen")\nplace("{THING}")\n{DRIVE}'
ROUNDS = "In two steps: go to the kitchen; drive between the garage and the hallway"
PROGRAMS = {
    "Go to the kitchen": '    go_to("kitchen")\n',
    "Drive between the garage and the hallway": "    for i in range(20):\n"
    '        go_to("garage")\n        go_to("hallway")\n',
}
"""What the model writes for the two steps."""

_BUSY = ("writing", "running", "paused", "stopping")


@dataclass
class Reached:
    """A task is where it is to be stopped.

    Attributes:
        within: s in which the stop is to be sent, at some moment.
        goals: that were sent, and end with the stop.
        meanwhile: done at about the moment of the stop.
        watched: s after the stop in which nothing may move, at least.
        after: put right again when all is over.
    """

    within: float
    goals: list[Goal] = field(default_factory=list)
    meanwhile: Callable[[], None] | None = None
    watched: float = 0.3
    after: Callable[[], None] = lambda: None


def just_sent(stack: StopStack, draw: random.Random) -> Reached:
    return Reached(0.03, [stack.send(DRIVE)])


def verifying(stack: StopStack, draw: random.Random) -> Reached:
    goal = stack.send(_slow(draw))
    _wait_state(stack, goal, "verifying")
    return Reached(0.4, [goal])


def queued(stack: StopStack, draw: random.Random) -> Reached:
    first = _drive(stack)
    return Reached(0.15, [first, stack.send(DRIVE, queue=True), stack.send(LOOK, queue=True)])


def preempting(stack: StopStack, draw: random.Random) -> Reached:
    first = _drive(stack)
    return Reached(0.8, [first, stack.send(_slow(draw), preempt=True)])


def driving(stack: StopStack, draw: random.Random) -> Reached:
    return Reached(0.4, [_drive(stack)])


def picking(stack: StopStack, draw: random.Random) -> Reached:
    if stack.seen.held:
        _whole(stack, f'go_to("kitchen")\nplace("{THING}")')
    return Reached(0.35, [_until_call(stack, PICK, "pick")])


def placing(stack: StopStack, draw: random.Random) -> Reached:
    if not stack.seen.held:
        _whole(stack, f'go_to("kitchen")\npick("{THING}")')
    return Reached(0.3, [_until_call(stack, PLACE, "place")])


def saying(stack: StopStack, draw: random.Random) -> Reached:
    return Reached(0.25, [_until_call(stack, SAY, "say")])


def looking(stack: StopStack, draw: random.Random) -> Reached:
    return Reached(0.3, [_until_call(stack, LOOK, "is_in_room")])


def waiting(stack: StopStack, draw: random.Random) -> Reached:
    """For a person's answer, which comes at about the moment of the stop."""
    goal = stack.send(ASK)
    _wait_state(stack, goal, "waiting")
    said = Answer(question="Coffee?", answer="yes")
    answers = draw.random() < 0.5
    return Reached(0.1, [goal], (lambda: stack.answer.publish(said)) if answers else None)


def paused(stack: StopStack, draw: random.Random) -> Reached:
    goal = _drive(stack)
    stack.pause(True)
    _wait_state(stack, goal, "paused")
    return Reached(0.1, [goal])


def resuming(stack: StopStack, draw: random.Random) -> Reached:
    """The word to go on is sent at about the moment of the stop."""
    reached = paused(stack, draw)
    reached.meanwhile, reached.within = (lambda: stack.pause(False)), 0.03
    return reached


def recovering(stack: StopStack, draw: random.Random) -> Reached:
    stack.block(1.0)
    reached = Reached(0.5, after=lambda: stack.block(0.0))
    try:
        goal = stack.send(DRIVE)
        _wait_state(stack, goal, "recovering")
    except Unreached:
        reached.after()
        raise
    reached.goals.append(goal)
    return reached


def between_rounds(stack: StopStack, draw: random.Random) -> Reached:
    """A task of the kiosk's: its second program is written, and runs, by itself."""
    task = (stack.ask("/api/v1/tasks", {"text": ROUNDS}) or {}).get("id", "")
    stack.seen.wait(lambda: stack.seen.has_event(task, "generation_finished"), "it is written")
    try:
        shown = until(
            lambda: (now := _shown(stack, task)).get("phase") == "ready" and now,
            lambda: f"{_shown(stack, task)}",
        )
    except AssertionError as never:
        raise Unreached(f"the kiosk shows no program: {never}") from never
    stack.ask(f"/api/v1/tasks/{task}/approve", {"sha256": shown["sha256"]})
    stack.seen.wait(lambda: stack.seen.has_event(task, "run_finished"), "the first round is over")
    if draw.random() < 0.5:
        over = time.time()
        stack.seen.wait(lambda: stack.seen.last_moved > over, "the second round drives")
    return Reached(0.8, watched=1.0, after=lambda: _wait_kiosk(stack, task))


def computing(stack: StopStack, draw: random.Random) -> Reached:
    goal = stack.send(COMPUTE)
    _wait_event(stack, goal, "skill_finished")
    return Reached(0.3, [goal])


def printing(stack: StopStack, draw: random.Random) -> Reached:
    goal = stack.send(PRINT)
    _wait_event(stack, goal, "program_printed")
    return Reached(0.3, [goal])


def flooding(stack: StopStack, draw: random.Random) -> Reached:
    return Reached(0.4, [_until_call(stack, FLOOD, "get_all_rooms")])


def just_ended(stack: StopStack, draw: random.Random) -> Reached:
    """And the next task that waits has its turn."""
    first = stack.send('go_to("kitchen")\nsay("done")')
    goals = [first]
    _wait_state(stack, first, "verifying")  # two that are sent at once may come in any order
    if draw.random() < 0.7:
        goals.append(stack.send(DRIVE, queue=True))
    stack.seen.wait(lambda: stack.seen.has_event(first.task_id, "run_finished"), "its end")
    return Reached(0.15, goals)


def gone_on_with(stack: StopStack, draw: random.Random) -> Reached:
    """An interrupted run is approved again: what it had done is played back, then it goes on."""
    task = f"interrupted{draw.randrange(2**40):x}"
    source = "def task_program():\n" + "".join(f"    {line}\n" for line in DRIVE.split("\n"))
    order = TaskOrder(task, "a task", source, sha256_of(source), "test")
    journal = RunJournal.begin(stack.journals / f"{task}.journal", order, 1, time.time())
    for index, room in enumerate(("kitchen", "garage", "kitchen")):
        call = SkillCall(index, "go_to", (room,), 3 + index % 2, start=time.time())
        journal.call_begun(call)
        if index < 2:
            journal.call_ended(call)
    journal.close()
    return Reached(0.5, [stack.send(DRIVE, task_id=task, resume=True)])


STATES: dict[str, Callable[[StopStack, random.Random], Reached]] = {
    "goal just sent": just_sent,
    "verifying": verifying,
    "queued": queued,
    "preempting": preempting,
    "driving": driving,
    "picking": picking,
    "placing": placing,
    "saying": saying,
    "looking": looking,
    "waiting for an answer": waiting,
    "paused": paused,
    "resuming": resuming,
    "recovering": recovering,
    "between rounds": between_rounds,
    "program computes": computing,
    "program prints": printing,
    "program floods": flooding,
    "just ended": just_ended,
    "interrupted run": gone_on_with,
}


def _slow(draw: random.Random) -> str:
    """A program that takes the verifier a while, and drives."""
    lines = LOOKED_AT.format(draw.randrange(2**40)).splitlines()[1:]
    return "\n".join(line[4:] for line in lines)


def _drive(stack: StopStack) -> Goal:
    begun = time.time()
    goal = stack.send(DRIVE)
    stack.seen.wait(lambda: stack.seen.last_moved > begun, "the robot drives")
    return goal


def _until_call(stack: StopStack, body: str, skill: str) -> Goal:
    goal = stack.send(body)
    _wait_event(stack, goal, "skill_started", skill)
    return goal


def _whole(stack: StopStack, body: str) -> None:
    goal = stack.send(body)
    if not goal.over.wait(LIMIT) or goal.outcome != "succeeded":
        raise Unreached(f"a task before has {goal.outcome or 'not ended'}: {body!r}")


def _wait_event(stack: StopStack, goal: Goal, kind: str, skill: str = "") -> None:
    def there() -> bool:
        return stack.seen.has_event(goal.task_id, kind, skill) or goal.over.is_set()

    stack.seen.wait(there, f"{kind} {skill}")
    if not stack.seen.has_event(goal.task_id, kind, skill):
        raise Unreached(f"the task has {goal.outcome} before {kind} {skill}")


def _wait_state(stack: StopStack, goal: Goal, state: str) -> None:
    wanted: Any = (goal.task_id, state)
    stack.seen.wait(lambda: wanted in stack.seen.states or goal.over.is_set(), state)
    if wanted not in stack.seen.states:
        raise Unreached(f"the task has {goal.outcome} and was never {state}")


def _wait_kiosk(stack: StopStack, task: str) -> None:
    """Until the kiosk may begin another task."""
    until(
        lambda: _shown(stack, task).get("phase") not in (*_BUSY, None),
        "the kiosk's task ends with the stop",
    )


def _shown(stack: StopStack, task: str) -> dict[str, Any]:
    return stack.ask(f"/api/v1/tasks/{task}") or {}
