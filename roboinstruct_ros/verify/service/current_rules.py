"""The map and the policies in force, and verdicts under them.

The files are checked before each verdict. A changed file is reloaded once two checks find the same
content. While a file is invalid, no verdict is made: neither the file nor the old rules are used.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.files.rule_files import RuleFiles
from roboinstruct_ros.domain.policies import Policies
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.service.worker import VerifierWorker, sha256_of_rules
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.world.remains import Remains

_SETTLE = 0.1  # s between the two checks of a changed file
_TRIES = 20


@dataclass(frozen=True)
class Rules:
    """The rules by which programs are judged.

    Attributes:
        semantic_map: None leaves the rooms open.
        sha256: `rules_sha256` of the verdicts made under these rules.
    """

    semantic_map: SemanticMap | None
    policies: Policies
    sha256: str


Tell = Callable[[Rules, "ConfigError | None"], None]
"""Called with new rules, or with the old ones and the reason why the files are invalid."""


class CurrentRules:
    """Follows the rule files; safe to call from any thread.

    Args:
        tell: called once for every change, not for the initial rules.
        wait: sleeps for a number of seconds.
        behaviour: see `VerifierWorker`.

    Attributes:
        last: the rules that were read last.
        fault: why the current files are invalid; None if they are valid.

    Raises:
        ConfigError: the files are invalid at the start.
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
        """Names of the active confinement layers."""
        return self._worker.layers

    @property
    def rules_sha256(self) -> str:
        """Hash of the rules in force. Raises ConfigError, as `look` does."""
        return self.look().sha256

    def look(self) -> Rules:
        """The rules in force; reads the files.

        Raises:
            ConfigError: a file has changed and is invalid.
        """
        with self._lock:
            if self._files.fingerprint() != self._seen:
                self._take()
            if self.fault is not None:
                old = self.fault
                raise ConfigError(old.path, old.line, old.field, old.message, old.nearest)
            return self.last

    def verify(self, source: str, remains: Remains = ()) -> Verdict:
        """The verdict on one program text under the current rules. Raises ConfigError."""
        return self.verify_from((), source, remains)

    def verify_from(
        self, calls: Sequence[SkillCall], source: str, remains: Remains = ()
    ) -> Verdict:
        """The verdict on the rest of a program under the current rules.

        Raises:
            ConfigError: a file has changed and is invalid.
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
        """As `verify_from`, under the rules read last, without checking the files again."""
        return self._verdict(self.last, calls, source, remains)

    def close(self) -> None:
        """End the verifier's process, even during a verification."""
        self._worker.close()

    def _verdict(
        self, rules: Rules, calls: Sequence[SkillCall], source: str, remains: Remains
    ) -> Verdict:
        if self._worker.rules_sha256 != rules.sha256:
            self._worker.renew(rules.semantic_map, rules.policies)
        return self._worker.verify_from(calls, source, remains)

    def _take(self) -> None:
        """Read the files once nobody is writing them."""
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
