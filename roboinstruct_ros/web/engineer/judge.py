"""Verdicts for an engineer to look at. None of them lets a program run: the executor's own do."""

from __future__ import annotations

import textwrap
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.files.rule_files import RuleFiles
from roboinstruct_ros.domain.policies import Policies, parse_policies
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.web.api_models import Value


class PolicySeen(Value):
    """A rule of the operator: `text` in one line, `because` what a person is told who breaks it."""

    name: str
    text: str
    because: str
    enabled: bool


class PoliciesSeen(Value):
    """The policies as their file has them now; `fault` is why it cannot be used, in one line."""

    path: str
    policies: list[PolicySeen]
    fault: str = ""


class PolicyTrial(Value):
    """What policies say of a program, alone: its verdict, or the fault of their text.

    Attributes:
        line: 1-based, of the fault in the text; 0 for none.
    """

    verdict: Verdict | None = None
    fault: str = ""
    line: int = 0


class Judge:
    """Judges by the files of now; from any thread. Its process starts with the first question.

    Args:
        files: map and policies.
    """

    def __init__(self, files: RuleFiles) -> None:
        self.files = files
        self._lock = threading.Lock()
        self._worker: VerifierWorker | None = None

    def verdict(self, source: str) -> Verdict:
        """The verdict under the map and the policies of now. Raises ConfigError."""
        return self._judge(*self.files.read(), source)

    def trial(self, text: str, source: str) -> PolicyTrial:
        """The verdict under the map of now and the policies of a text, all of them enabled.

        Args:
            text: YAML: the fields of one policy, a list of policies, or a whole file.

        Raises:
            ConfigError: the map cannot be used.
        """
        rooms, _ = self.files.read()
        try:
            policies = policies_in(text, self.files.domain, rooms)
        except ConfigError as error:
            told = ": ".join(filter(None, [error.field, error.message]))
            hint = f"; did you mean '{error.nearest}'?" if error.nearest else ""
            return PolicyTrial(fault=" ".join(f"{told}{hint}".split()), line=error.line)
        return PolicyTrial(verdict=self._judge(rooms, policies, source))

    def policies(self) -> PoliciesSeen:
        """Those of the file, whether they are enabled or not."""
        path = str(self.files.policies_path or "")
        try:
            _, policies = self.files.read()
        except ConfigError as error:
            return PoliciesSeen(path=path, policies=[], fault=str(error))
        seen = [
            PolicySeen(name=one.name, text=one.text, because=one.because, enabled=one.enabled)
            for one in policies.policies
        ]
        return PoliciesSeen(path=path, policies=seen)

    @contextmanager
    def under(self, rooms: SemanticMap | None) -> Iterator[VerifierWorker]:
        """A verifier of its own with another map and the policies of now. Raises ConfigError."""
        _, policies = self.files.read()
        worker = VerifierWorker(self.files.domain, rooms, policies)
        try:
            yield worker
        finally:
            worker.close()

    def close(self) -> None:
        """Ends the process."""
        worker = self._worker
        if worker is not None:
            worker.close()

    def _judge(self, rooms: SemanticMap | None, policies: Policies, source: str) -> Verdict:
        with self._lock:
            if self._worker is None:
                self._worker = VerifierWorker(self.files.domain, rooms, policies)
            self._worker.renew(rooms, policies)
            return self._worker.verify(source)


def policies_in(text: str, domain: Domain, rooms: SemanticMap | None = None) -> Policies:
    """The policies of a text, all of them enabled, as `Judge.trial` takes it.

    Raises:
        ConfigError: it cannot be used; `line` counts in the text.
    """
    whole, more = _whole_file(text)
    try:
        read = parse_policies(whole, "policy", domain, rooms)
    except ConfigError as error:
        line = max(1, error.line - more)
        raise ConfigError("policy", line, error.field, error.message, error.nearest) from None
    return read.switched_on(tuple(policy.name for policy in read.policies))


def _whole_file(text: str) -> tuple[str, int]:
    """The text as a file of policies, and how many lines it is further down in it."""
    first = next((line for line in text.splitlines() if line.strip(" \t#")), "")
    if first.startswith(("policies:", "people:")):
        return text, 0
    if first.lstrip().startswith("-"):
        return f"policies:\n{text}", 1
    return f"policies:\n-\n{textwrap.indent(text, '  ')}", 2
