"""The map and the policies that hold now, and verdicts under them.

Their files are looked at before each verdict. A file that has changed is read again once two looks
find it alike; one that cannot be used is neither taken nor passed over: no verdict is made until it
can be read.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.policies import Policies
from roboinstruct_ros.domain.rule_files import RuleFiles
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.service.worker import VerifierWorker, sha256_of_rules
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.world.remains import Remains

_SETTLE = 0.1  # s between two looks that must find a changed file alike
_TRIES = 20


@dataclass(frozen=True)
class Rules:
    """What programs are judged by.

    Attributes:
        semantic_map: None leaves the rooms open.
        sha256: `rules_sha256` of the verdicts that are made under them.
    """

    semantic_map: SemanticMap | None
    policies: Policies
    sha256: str


Tell = Callable[[Rules, "ConfigError | None"], None]
"""Told of new rules, or of the rules that still hold and why the files cannot be used."""


class CurrentRules:
    """Follows the files; safe to call from any thread.

    Args:
        tell: told once of every change, not of the rules at the start.
        wait: waits so many s.
        behaviour: as `VerifierWorker` takes it.

    Attributes:
        last: the rules that were read last.
        fault: why the files of now cannot be used; None when they can.

    Raises:
        ConfigError: the files cannot be used at the start.
    """

    def __init__(
        self,
        files: RuleFiles,
        budget: Budget | None = None,
        tell: Tell = lambda rules, fault: None,
        wait: Callable[[float], None] = time.sleep,
        behaviour: bool = False,
    ) -> None:
        self._files, self._tell, self._wait = files, tell, wait
        self._budget = budget or Budget()
        self._lock = threading.Lock()
        self._seen = files.fingerprint()
        self.fault: ConfigError | None = None
        self.last = self._read()
        self._worker = VerifierWorker(
            files.domain, self.last.semantic_map, self.last.policies, self._budget, behaviour
        )

    @property
    def layers(self) -> tuple[str, ...]:
        """Names of the confinement layers that hold."""
        return self._worker.layers

    @property
    def rules_sha256(self) -> str:
        """Hash of the rules that hold now. Raises ConfigError, as `look` does."""
        return self.look().sha256

    def look(self) -> Rules:
        """The rules that hold now; costs a reading of the files.

        Raises:
            ConfigError: a file has changed and cannot be used.
        """
        with self._lock:
            if self._files.fingerprint() != self._seen:
                self._take()
            if self.fault is not None:
                old = self.fault
                raise ConfigError(old.path, old.line, old.field, old.message, old.nearest)
            return self.last

    def verify(self, source: str, remains: Remains = ()) -> Verdict:
        """The verdict on one program text under the rules of now. Raises ConfigError."""
        return self.verify_from((), source, remains)

    def verify_from(
        self, calls: Sequence[SkillCall], source: str, remains: Remains = ()
    ) -> Verdict:
        """The verdict on the rest of a program under the rules that hold when it is made.

        Raises:
            ConfigError: a file has changed and cannot be used.
        """
        for _ in range(_TRIES):
            rules = self.look()
            verdict = self._verdict(rules, calls, source, remains)
            if self.look().sha256 == verdict.rules_sha256:
                return verdict
        raise self._restless()

    def verify_rest(
        self, calls: Sequence[SkillCall], source: str, remains: Remains = ()
    ) -> Verdict:
        """The same under the rules that were read last, for a run that has looked already."""
        return self._verdict(self.last, calls, source, remains)

    def close(self) -> None:
        """End the verifier's process, also in the middle of a verification."""
        self._worker.close()

    def _verdict(
        self, rules: Rules, calls: Sequence[SkillCall], source: str, remains: Remains
    ) -> Verdict:
        if self._worker.rules_sha256 != rules.sha256:
            self._worker.renew(rules.semantic_map, rules.policies)
        return self._worker.verify_from(calls, source, remains)

    def _take(self) -> None:
        """Read the files once they are no longer being written."""
        before, fault = (self.last.sha256, str(self.fault)), None
        for _ in range(_TRIES):
            self._seen = self._files.fingerprint()
            self._wait(_SETTLE)
            try:
                rules, fault = self._read(), None
            except ConfigError as error:
                rules, fault = self.last, error
            if self._files.fingerprint() == self._seen:
                break
        else:
            rules, fault = self.last, self._restless()
        self.last, self.fault = rules, fault
        if (rules.sha256, str(fault)) != before:
            self._tell(rules, fault)

    def _restless(self) -> ConfigError:
        return ConfigError(
            self._files.paths[-1], 0, "", "the map or the policies do not stop changing"
        )

    def _read(self) -> Rules:
        rooms, policies = self._files.read()
        digest = sha256_of_rules(self._files.domain, rooms, policies, self._budget)
        return Rules(rooms, policies, digest)
