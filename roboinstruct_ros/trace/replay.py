"""Runs a recorded program again with the robot's recorded answers: it must make the same calls.

The program runs in the real sandbox under the real task runner, with the recorded policies and
recovery. Nothing waits and nothing moves: the recording takes the place of the skills. Source:
ROBO-INSTRUCT, 3.4 (recorded runs as regression tests).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.domain.stop_number import NO_STOP, Admission
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.clocks import Clocks
from roboinstruct_ros.execute.hazard import OnHazard
from roboinstruct_ros.execute.recorded_calls import plain
from roboinstruct_ros.execute.run_report import MOST_READINGS, RunnerHooks
from roboinstruct_ros.execute.run_setting import RunSetting
from roboinstruct_ros.execute.runner_options import RunnerOptions, VerifyFrom
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.execute.task_run import TaskOrder
from roboinstruct_ros.execute.task_runner import TaskRunner
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.sandbox.namespace import LONGEST_SLEEP
from roboinstruct_ros.trace.compared import Difference, told
from roboinstruct_ros.trace.run_trace import RunTrace, TracedCall
from roboinstruct_ros.verify.service.current_rules import Rules
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Status, Verdict
from roboinstruct_ros.verify.world.remains import Remains

CUT_SHORT = (SkillErrorCode.CANCELED, SkillErrorCode.STOPPED)


class CannotReplay(Exception):
    """The bag lacks what a replay needs; `str()` is one line."""


class Skipped(CannotReplay):
    """The depth is not for such runs, by intention; `str()` is one line."""


def replay_calls(trace: RunTrace) -> Difference | None:
    """Run the recorded program on the recorded answers; None if all goes as recorded.

    Raises:
        CannotReplay: the bag lacks the program, or begins in the middle of a run.
    """
    setting = setting_of(trace)
    port, digest = _RecordedSkills(trace), sha256_of(trace.source)
    rules = _RecordedRules(trace, setting, port)
    with _monitor_of(trace, setting, rules) as verify_rest:
        runner = _runner(trace, setting, port, rules, verify_rest)
        order = TaskOrder(trace.task_id, trace.instruction, trace.source, digest, "replay")
        run = runner.run(order, _Unwaiting(NO_STOP))
    return (
        port.difference
        or port.left_over()
        or other_end(trace, run.outcome.value, int(run.error_code), run.message)
    )


def setting_of(trace: RunTrace) -> RunSetting:
    """The conditions of the run. Raises CannotReplay."""
    if trace.setting is None:
        raise CannotReplay(f"{trace.folder}: the bag does not hold the program of its run")
    if trace.resumed:
        raise CannotReplay(
            f"{trace.folder}: the run went on where another was interrupted; "
            f"its first {trace.resumed} calls are in the bag of that one"
        )
    return trace.setting


@contextmanager
def _monitor_of(
    trace: RunTrace, setting: RunSetting, rules: _RecordedRules
) -> Iterator[VerifyFrom | None]:
    """A verifier for the rest of the running program, if a hazard was seen in the run: it then
    went on with calls that are refused elsewhere, or was ended."""
    if not trace.hazards:
        yield None
        return
    judged = rules.last
    with closing(VerifierWorker(setting.domain, judged.semantic_map, judged.policies)) as worker:

        def verify_rest(calls: Sequence[SkillCall], source: str, remains: Remains) -> Verdict:
            nonlocal judged
            if judged is not rules.last:
                judged = rules.last
                worker.renew(judged.semantic_map, judged.policies)
            return worker.verify_from(calls, source, remains)

        yield verify_rest


def _runner(
    trace: RunTrace,
    setting: RunSetting,
    port: _RecordedSkills,
    rules: _RecordedRules,
    verify_rest: VerifyFrom | None,
) -> TaskRunner:
    ended = trace.error_code == TaskErrorCode.HAZARD_AHEAD
    options = RunnerOptions(
        recovery=setting.recovery,
        verify_rest=verify_rest,
        remains=lambda: setting.remains,
        on_hazard=OnHazard.STOP if ended else OnHazard.WARN,
        most_calls=setting.most_calls,
        rules=rules,
        seed=lambda: trace.seed,
        # by this clock, every sleep of the program is over at the next look
        clocks=Clocks(read=port.clock, passing=count(0.0, 2 * LONGEST_SLEEP).__next__),
    )
    hooks = RunnerHooks(lambda *_: None, lambda *_: None, lambda _: None)
    runner = TaskRunner(setting.domain, lambda *_: _verdict_of(trace), port, hooks, options)
    port.end = lambda: runner.stop("replay", "as recorded")
    return runner


def _verdict_of(trace: RunTrace) -> Verdict:
    """The verdict that admitted the run; `replay_verdict` computes the current one."""
    digest = sha256_of(trace.source)
    accepted = Verdict(status=Status.ACCEPTED, program_sha256=digest, paths=1)
    return (trace.verdict or accepted).model_copy(update={"program_sha256": digest})


def was_ended(trace: RunTrace) -> bool:
    """Whether the run was stopped, cancelled or cut off, rather than ended by its program."""
    return trace.outcome in ("", TaskState.CANCELLED.value)


def other_end(trace: RunTrace, outcome: str, code: int, message: str) -> Difference | None:
    """A different end of the run, or None; after an end from outside, any end counts as equal."""
    if was_ended(trace) or (trace.outcome, trace.error_code) == (outcome, code):
        return None
    recorded = _told_end(trace.outcome, trace.error_code, trace.message)
    return Difference(0, recorded, _told_end(outcome, code, message))


def _told_end(outcome: str, code: int, message: str) -> str:
    return f"{outcome} ({TaskErrorCode(code).name}: {message})" if code else outcome


class _Unwaiting(Admission):
    """Admits everything and never waits, so that a recovery tries again at once."""

    def wait(self, timeout: float | None = None) -> bool:
        return self.is_set()


class _RecordedRules:
    """The rules of the run, which change after the same calls as they did."""

    def __init__(self, trace: RunTrace, setting: RunSetting, port: _RecordedSkills) -> None:
        self.last = Rules(setting.semantic_map, setting.policies, "")
        self._later, self._port = deque(enumerate(trace.later, 1)), port

    def look(self) -> Rules:
        while self._later and self._later[0][1][0] <= self._port.made:
            number, (_, setting) = self._later.popleft()
            self.last = Rules(setting.semantic_map, setting.policies, str(number))
        return self.last


class _RecordedSkills:
    """A `SkillPort` with the robot's recorded answers, which notes the first different call."""

    def __init__(self, trace: RunTrace) -> None:
        self._trace = trace
        self._asks_start = bool(trace.setting and trace.setting.policies.mention_start)
        self._waiting = deque(answers(trace))
        self._readings = [*(call.clock for call in trace.calls), trace.clock]
        self._until = [*(call.call.start for call in trace.calls), trace.ended]
        self._begin_after(0)
        self.difference: Difference | None = None
        self.end: Callable[[], object] = lambda: None

    def call(self, skill: str, arguments: Mapping[str, Any], cancel: Admission) -> SkillOutcome:
        values = tuple(arguments.values())
        if self._asks_start:  # precedes the program; recorded only if it was answered
            self._asks_start = False
            return SkillOutcome(self._trace.start) if self._trace.start else _UNTOLD
        if not self._waiting:
            return self._beyond(skill, values)
        answer = self._waiting.popleft()
        if answer.skill != skill or plain(answer.arguments) != plain(values):
            self._differs(answer.number, told(answer.skill, answer.arguments), skill, values)
            return _ENDED
        cut_short = answer.outcome is None or answer.outcome.error_code in CUT_SHORT
        if answer.outcome is None or (cut_short and was_ended(self._trace)):
            self.end()
            return _ENDED
        self._begin_after(answer.number)
        return answer.outcome

    def _begin_after(self, number: int) -> None:
        """Select the clock readings of the program after `number` calls."""
        self.made, self._clock = number, deque(self._readings[number])

    def clock(self) -> float:
        """The next recorded clock reading, s since the epoch.

        For readings not recorded individually, the latest possible time.
        """
        if self._clock:
            return self._clock.popleft()
        if was_ended(self._trace) and self.made == len(self._trace.calls):
            self.end()
        elif len(self._readings[self.made]) <= MOST_READINGS:
            self.difference = self.difference or Difference(
                self.made, "the last look at the clock", "more"
            )
            self.end()
        return self._until[self.made]

    def left_over(self) -> Difference | None:
        """The difference if the program ended before the recorded calls did."""
        if not self._waiting or _was_not_made(self._trace, self._waiting[0]):
            return None
        answer = self._waiting[0]
        return Difference(answer.number, told(answer.skill, answer.arguments), "the end")

    def _beyond(self, skill: str, values: tuple[Any, ...]) -> SkillOutcome:
        """A call beyond the recorded ones; correct if the run was ended from outside."""
        if not was_ended(self._trace):
            self._differs(len(self._trace.calls) + 1, "the end", skill, values)
        self.end()
        return _ENDED

    def _differs(self, number: int, recorded: str, skill: str, values: tuple[Any, ...]) -> None:
        self.difference = self.difference or Difference(number, recorded, told(skill, values))
        self.end()


# an error that no recovery tries again
_UNTOLD = SkillOutcome(error_code=SkillErrorCode.CANCELED, message="not told in the recording")
_ENDED = SkillOutcome(error_code=SkillErrorCode.CANCELED, message="the replay ends here")


@dataclass(frozen=True)
class Answer:
    """The robot's answer to one call, or to what recovery said between two tries.

    Attributes:
        outcome: None if the recording ends before the call.
    """

    number: int
    skill: str
    arguments: tuple[Any, ...]
    outcome: SkillOutcome | None


def answers(trace: RunTrace) -> list[Answer]:
    """The robot's answers to each call and each of its tries, in order."""
    found = []
    for traced in trace.calls:
        call = traced.call
        number = call.index + 1
        for step in traced.tries:
            failed = SkillOutcome(error_code=step.error, message="as recorded")
            found.append(Answer(number, call.skill, call.arguments, failed))
            if step.say:
                found.append(Answer(number, "say", (step.say,), SkillOutcome()))
        found.append(Answer(number, call.skill, call.arguments, _end_of(traced)))
    return found


def _was_not_made(trace: RunTrace, answer: Answer) -> bool:
    """Whether the rules that came during its pause forbade the call; here they come before it."""
    canceled = answer.outcome and answer.outcome.error_code is SkillErrorCode.CANCELED
    return bool(canceled and trace.later and answer.number == len(trace.calls))


def _end_of(traced: TracedCall) -> SkillOutcome | None:
    call = traced.call
    if not call.end:
        return None
    code = SkillErrorCode(call.error_code)
    return SkillOutcome(call.result, code, call.error_msg, traced.lost_node)
