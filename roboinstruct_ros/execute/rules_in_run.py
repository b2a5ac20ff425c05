"""Holds a running program to the map and the policies of now, which may change under it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.execute.policy_guard import PolicyGuard
from roboinstruct_ros.execute.run_monitor import Hazard, RunMonitor
from roboinstruct_ros.verify.service.current_rules import Rules
from roboinstruct_ros.verify.verdict import Verdict

UNREADABLE = "rules_unreadable"
"""Code of the hazard that the files of the rules cannot be used."""


class RulesSource(Protocol):
    """Where the rules of now come from; `CurrentRules` is one."""

    last: Rules

    def look(self) -> Rules:
        """The rules that hold now. Raises ConfigError: they cannot be read."""


class RulesInRun:
    """Compares the rules of now with those that the run was judged by last.

    Args:
        source: None for rules that never change.
        changed: told of new rules before anything goes on under them.
    """

    def __init__(
        self,
        source: RulesSource | None,
        guard: PolicyGuard,
        monitor: RunMonitor,
        changed: Callable[[Rules], None],
    ) -> None:
        self._source, self._guard, self._monitor = source, guard, monitor
        self._changed = changed
        self._sha256 = self._fault = ""

    def begin(self, verdict: Verdict) -> None:
        """A run begins under the verdict that lets it."""
        self._sha256 = verdict.rules_sha256
        if self._source is not None:
            self._guard.follow(self._source.last, ())

    def look(self, calls: Sequence[SkillCall]) -> Hazard | None:
        """Follow the rules of now; the monitor then verifies the rest before anything goes on.

        Args:
            calls: made so far, all of them ended.

        Returns:
            That they cannot be read, told once; the run is then under the old ones.
        """
        if self._source is None:
            return None
        try:
            rules = self._source.look()
        except ConfigError as error:
            told, self._fault = self._fault, str(error)
            message = f"the map and the policies of now cannot be used: {error}"
            return Hazard(UNREADABLE, message) if self._fault != told else None
        self._fault = ""
        if rules.sha256 != self._sha256:
            self._sha256 = rules.sha256
            self._changed(rules)
            self._guard.follow(rules, calls)
            self._monitor.doubt()
        return None
