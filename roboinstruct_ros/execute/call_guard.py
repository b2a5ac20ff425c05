"""Decides whether a running program may make its next call under the current map and policies.

While everything that happens was in some world of an exhaustive verdict, that verdict holds. It no
longer does after a failed skill or a change of rules. From then on the rest of the program is
verified before each call from what has really happened, with the clock readings and the random seed
that the program was given. Source: ProgPrompt (assertions).
"""

from __future__ import annotations

from collections.abc import Sequence

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.policies import Policy
from roboinstruct_ros.domain.skill_call import SkillCall, clock_read, seeded
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.domain.task_error import TaskError, TaskErrorCode
from roboinstruct_ros.execute.assumptions import disproved, handles_failures
from roboinstruct_ros.execute.hazard import Hazard, OnHazard
from roboinstruct_ros.execute.policy_guard import PolicyGuard
from roboinstruct_ros.execute.run_report import RunReport
from roboinstruct_ros.execute.runner_options import RunnerOptions
from roboinstruct_ros.execute.task_run import AskedCall
from roboinstruct_ros.verify.verdict import Status, Verdict

UNREADABLE = "rules_unreadable"
"""Hazard code: the map or policy files cannot be used."""

_NO_VERDICT = Hazard("not_verified", str(phrase("told.no_verdict")))


class CallGuard:
    """Checks each call of one run.

    Args:
        verdict: the verdict that admitted the run.
        policies: guard for the operator's policies; it follows rule changes.
        seed: of the program's random numbers.
    """

    def __init__(
        self,
        domain: Domain,
        verdict: Verdict,
        policies: PolicyGuard,
        report: RunReport,
        options: RunnerOptions,
        seed: int,
    ) -> None:
        self.policies, self._report = policies, report
        self._rules, self._sha256, self._unreadable = options.rules, verdict.rules_sha256, ""
        self._on_hazard, self._verify_rest = options.on_hazard, options.verify_rest
        self._domain, self._assumptions = domain, verdict.assumptions
        self._source, self._seed = report.order.source, seed
        # everything so far is covered by an exhaustive verdict
        self._proven = verdict.exhaustive
        self._readings: dict[int, list[float]] = {}  # of the clock, by number of calls before
        # (code, line) of the hazards that were reported, so that on_hazard has been applied to them
        self._told: set[tuple[str, int]] = set()
        if options.rules is not None:
            policies.follow(options.rules.last, ())

    def check(self, asked: AskedCall, made: Sequence[SkillCall]) -> bool:
        """Check a call before it is made.

        Args:
            made: the calls before it, all of them ended.

        Returns:
            Whether a person must let the run continue first.

        Raises:
            TaskError: the call must not be made; the run ends.
            JournalError: a change of rules cannot be recorded.
        """
        hazard = self._follow_rules(made)
        broken = _broken(self.policies.would_break(asked.call.skill, asked.arguments))
        if broken is not None:
            raise broken
        if hazard is None and self._verify_rest is not None and not self._proven:
            happened = self._happened(made)
            hazard = self._hazard_in(
                self._verify_rest(happened, self._source, self.policies.begun_with)
            )
        self._check_values(asked)
        return hazard is not None and self._met(hazard)

    def clock_read(self, made: int, reading: float) -> None:
        """Record that after `made` calls the program read this time (s since the epoch)."""
        self._readings.setdefault(made, []).append(reading)

    def note(self, call: SkillCall) -> TaskError | None:
        """Record a call that has ended. Returns why it ends the run, or None."""
        if call.error_code or self._lists_other_rooms(call):
            self._proven = False
        return _broken(self.policies.note(call))

    def _lists_other_rooms(self, call: SkillCall) -> bool:
        """Whether it lists fewer rooms than the map, or in another order: no world of the verdict
        did."""
        rooms = self.policies.semantic_map
        lists = self._domain.skill(call.skill).returns == "all_locations"
        return lists and rooms is not None and tuple(call.result) != tuple(rooms.room_names)

    def mistake(self, calls: Sequence[SkillCall]) -> TaskError | None:
        """The fault, if the last of these calls disproves an assumption and the program has a
        handler that sees it first.

        Raises:
            TaskError: the program has no handler; not even a `finally:` block runs on.
        """
        if not self._assumptions or not calls[-1].error_code:
            return None
        assumption = disproved(self._assumptions, calls, self._domain)
        if assumption is None:
            return None
        told = phrase("told.mistaken", why=assumption.clause, n=calls[-1].line)
        fault = TaskError(TaskErrorCode.ASSUMPTION_FAILED, str(told))
        if not handles_failures(self._source, self._domain):
            raise fault
        return fault

    def end(self) -> TaskError | None:
        """Why the program must not end here, or None."""
        return _broken(self.policies.end())

    def _follow_rules(self, made: Sequence[SkillCall]) -> Hazard | None:
        """Adopt changed rules. If they cannot be read, keep the old ones and report that once."""
        if self._rules is None:
            return None
        try:
            rules = self._rules.look()
        except ConfigError as error:
            told, self._unreadable = self._unreadable, str(error)
            message = str(phrase("told.rules_unreadable", reason=error))
            return Hazard(UNREADABLE, message) if self._unreadable != told else None
        self._unreadable = ""
        if rules.sha256 != self._sha256:
            self._sha256 = rules.sha256
            self._report.rules_changed(rules.sha256)
            self.policies.follow(rules, made)
            self._proven = False
            self._told.clear()
        return None

    def _hazard_in(self, verdict: Verdict) -> Hazard | None:
        """A hazard in the rest of the program that is not yet reported, or None.

        A rest that cannot be decided is a hazard too.
        """
        if verdict.status is Status.REJECTED and verdict.paths:
            found = [Hazard(v.code.value, v.message, v.line) for v in verdict.violations]
        elif verdict.accepted and verdict.paths:
            self._proven, found = verdict.exhaustive, []
        else:
            found = [_NO_VERDICT]
        new = next((one for one in found if (one.code, one.line) not in self._told), None)
        if new is not None:
            self._told.add((new.code, new.line))
        return new

    def _happened(self, calls: Sequence[SkillCall]) -> list[SkillCall]:
        """All inputs of the program in order: seed, clock readings, call results."""
        happened = [seeded(self._seed)]
        for made, call in enumerate(calls):
            happened += [clock_read(self._readings[made])] if made in self._readings else []
            happened.append(call)
        rest = self._readings.get(len(calls))
        return [*happened, clock_read(rest)] if rest else happened

    def _check_values(self, asked: AskedCall) -> None:
        """Raises TaskError for a call that the verifier would reject and nobody was asked about."""
        fault = self.policies.refusal(asked.call.skill, asked.args, asked.kwargs)
        if fault is None:
            return
        if fault.of_arguments or (fault.code.value, asked.call.line) not in self._told:
            made = asked.call
            told = phrase("told.not_called", n=made.line, skill=made.skill, why=fault.message)
            raise TaskError(TaskErrorCode.CALL_REFUSED, str(told))

    def _met(self, hazard: Hazard) -> bool:
        self._report.tell(EventKind.HAZARD_SEEN, **vars(hazard), reaction=self._on_hazard.value)
        if self._on_hazard is OnHazard.STOP:
            told = phrase("told.at_line", n=hazard.line, why=hazard.message)
            message = str(told) if hazard.line else hazard.message
            raise TaskError(TaskErrorCode.HAZARD_AHEAD, message)
        return self._on_hazard is OnHazard.PAUSE


def _broken(policy: Policy | None) -> TaskError | None:
    if policy is None:
        return None
    told = phrase("told.broken", name=policy.name, reason=policy.because or policy.text)
    return TaskError(TaskErrorCode.POLICY_BROKEN, str(told))
