"""A confined child process, kept warm, that verifies; an attack on it costs only a verdict."""

from __future__ import annotations

import hashlib
import json
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from roboinstruct_ros.domain.policies import NO_POLICIES, Policies
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.program.violation import Violation
from roboinstruct_ros.sandbox.confined_child import START_LIMIT, ConfinedChild
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.sandbox.wire import WireClosed, WireTimeout
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.explore.tree import Tree
from roboinstruct_ros.verify.service.worker_child import GRACE, setup_message
from roboinstruct_ros.verify.verdict import Caution, Status, Verdict, WarningCode
from roboinstruct_ros.verify.world.remains import Remains

_CHILD = "roboinstruct_ros.verify.service.worker_child"
_LOADED = 10.0
"""How much slower the child may be on a loaded processor."""

_CACHED = 256  # verdicts kept


class VerifierWorker:
    """Verifies programs under one domain, map and set of policies. Safe to call from any thread.

    The child is killed when a program keeps it from answering, and restarted for the next one.

    Args:
        behaviour: whether verdicts on accepted programs have `behaviour`.

    Attributes:
        rules_sha256: hash of the domain, map, policies and budget on which the verdicts depend.
    """

    def __init__(
        self,
        domain: Domain,
        semantic_map: SemanticMap | None = None,
        policies: Policies = NO_POLICIES,
        budget: Budget | None = None,
        behaviour: bool = False,
    ) -> None:
        self._domain = domain
        self._budget = budget or Budget()
        self._behaviour = behaviour
        self._setup = setup_message(domain, semantic_map, policies, self._budget)
        self.rules_sha256 = _sha256(self._setup)
        self._lock = threading.Lock()
        self._closed = False
        self._cache: OrderedDict[str, Verdict] = OrderedDict()
        self._child: ConfinedChild | None = self._start()

    @property
    def layers(self) -> tuple[str, ...]:
        """Names of the active confinement layers."""
        child = self._child
        return child.layers if child else ()

    def verify(self, source: str, remains: Remains = ()) -> Verdict:
        """The verdict on one program text; an equal text is answered from the cache.

        Args:
            remains: the facts that earlier runs have left, see `RobotPast`.
        """
        return self.verify_from((), source, remains)

    def verify_from(
        self, calls: Sequence[SkillCall], source: str, remains: Remains = ()
    ) -> Verdict:
        """The verdict on what is still possible after the calls made in reality."""
        made = [vars(call) for call in calls]
        behaviour = self._behaviour
        request = dict(source=source, calls=made, remains=remains, behaviour=behaviour)
        # The key omits the rules: `renew` empties the cache when they change.
        key = _sha256(request) if calls or remains else sha256_of(source)
        with self._lock:
            if key in self._cache:
                return self._cache[key]
            verdict = self._explore(request, sha256_of(source))
            verdict = verdict.model_copy(update={"rules_sha256": self.rules_sha256})
            if _is_lasting(verdict):
                self._cache[key] = verdict
            if len(self._cache) > _CACHED:
                self._cache.popitem(last=False)
            return verdict

    def tree(self, source: str, most: int) -> Tree | None:
        """The worlds that a verification of this text explores, as a tree of roughly `most` nodes
        or fewer.

        Returns:
            None if no world is run, or the child does not answer.
        """
        request = {"source": source, "calls": (), "remains": (), "tree": most}
        with self._lock:
            try:
                tree = self._ask(request)["tree"]
            except _Unanswered:
                return None
        return Tree.model_validate(tree) if tree else None

    def renew(self, semantic_map: SemanticMap | None, policies: Policies) -> None:
        """Use another map and other policies, once the current verification has ended."""
        setup = setup_message(self._domain, semantic_map, policies, self._budget)
        with self._lock:
            if setup == self._setup:
                return
            self._setup, self.rules_sha256 = setup, _sha256(setup)
            self._cache.clear()
            if self._child is not None:  # the next request starts a child with the new rules
                self._child.close()
                self._child = None

    def close(self) -> None:
        """End the child, even during a verification."""
        self._closed = True
        child = self._child
        if child is not None:
            child.kill()
        with self._lock:
            if self._child is not None:
                self._child.close()
                self._child = None

    def _start(self) -> ConfinedChild:
        child = ConfinedChild(_CHILD, Limits(cpu_seconds=0, memory_bytes=self._budget.memory_bytes))
        try:
            child.wire.send(self._setup)
            child.wire.receive(START_LIMIT)
        except BaseException:
            child.close()
            raise
        return child

    def _explore(self, request: dict[str, Any], digest: str) -> Verdict:
        begin = time.perf_counter()
        try:
            return Verdict.model_validate(self._ask(request)["verdict"])
        except _Unanswered as end:
            if end.code is not None:
                told = Caution(code=end.code, message=end.message)
                return Verdict(status=Status.UNDECIDED, program_sha256=digest, warnings=(told,))
            violation = Violation(code=ViolationCode.MEMORY_BUDGET, line=0, message=end.message)
            return Verdict(
                status=Status.REJECTED,
                program_sha256=digest,
                violations=(violation,),
                duration=time.perf_counter() - begin,
            )

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send a request to the child, which is started if necessary. Raises _Unanswered."""
        try:
            if self._child is not None and not self._child.alive:
                self._child.close()  # it was killed while idle
                self._child = None
            if self._child is None and not self._closed:
                self._child = self._start()
        except (WireTimeout, WireClosed):
            raise _Unanswered("The verifier could not be started; try again.") from None
        child = self._child
        if child is None or self._closed:  # also while it started
            raise _Unanswered("The verifier is closed.")
        try:
            child.wire.send(request)
            return child.wire.receive(_LOADED * (self._budget.seconds + GRACE))
        except (WireTimeout, WireClosed) as error:
            child.close()
            timeout = isinstance(error, WireTimeout)
            ended_by = int(signal.SIGPROF) if timeout else child.end_signal
        self._child = None
        if self._closed:
            raise _Unanswered("The verifier is closed.")
        if ended_by == signal.SIGPROF:
            reason = "The verifier ran out of time: one step of the program computes for too long."
            raise _Unanswered(reason, WarningCode.OUT_OF_TIME)
        if ended_by == signal.SIGKILL:
            raise _Unanswered("Something ended the verifier's process; try again.")
        if child.out_of_memory:
            raise _Unanswered("The program broke the limits of the verification.", None)
        raise _Unanswered("The verifier's process failed, and not for want of time or memory.")


@dataclass(eq=False)
class _Unanswered(Exception):
    """The child gave no verdict; without a code, the program is at fault."""

    message: str
    code: WarningCode | None = WarningCode.NOT_VERIFIED


def sha256_of_rules(
    domain: Domain, semantic_map: SemanticMap | None, policies: Policies, budget: Budget
) -> str:
    """`rules_sha256` of a worker with these rules."""
    return _sha256(setup_message(domain, semantic_map, policies, budget))


def _is_lasting(verdict: Verdict) -> bool:
    """Whether the verdict depends on the program only, and not on the load of the machine."""
    return verdict.status is not Status.UNDECIDED


def _sha256(message: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(message, sort_keys=True).encode()).hexdigest()
