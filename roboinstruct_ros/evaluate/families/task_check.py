"""Decides whether a variation of a task is a valid task."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.evaluate.families.task import Task
from roboinstruct_ros.evaluate.runs.place_verifier import PlaceVerifier
from roboinstruct_ros.evaluate.suite import suite_file
from roboinstruct_ros.evaluate.suite.case import Case
from roboinstruct_ros.evaluate.suite.judge import program_fault
from roboinstruct_ros.evaluate.suite.mutants import mutants_of
from roboinstruct_ros.evaluate.suite.names_in_tasks import suite_domain
from roboinstruct_ros.evaluate.worlds.trials import Trials

NO_TASK, REJECTED, WRONG, TOOTHLESS = (
    "its file would be at fault",
    "the verifier rejects its reference",
    "its reference is wrong in a world",
    "its conditions let every mutant pass",
)


class TaskCheck:
    """Admits tasks whose reference is accepted by the verifier and right in every world, and that
    have a mutant that is not right.

    Args:
        places: the suite's own places, in the form of its YAML.
    """

    def __init__(self, places: Mapping[str, Any]) -> None:
        self._places = places
        self._verifier, self._trials = PlaceVerifier(suite_domain(), behaviour=False), Trials()
        self._folder = tempfile.TemporaryDirectory()

    def __call__(self, task: Task) -> str:
        """Why the task is not admitted; "" if it is."""
        try:
            case = self._case(task)
        except ConfigError:
            return NO_TASK
        if not self._verifier.at(case.place)(case.reference).accepted:
            return REJECTED
        if program_fault(case, case.reference, self._trials):
            return WRONG
        mutants = mutants_of(case, random.Random(0))
        caught = any(program_fault(case, one.source, self._trials) for one in mutants)
        return "" if caught else TOOTHLESS

    def is_right(self, task: Task) -> bool:
        """Whether the reference is right in all worlds of the task."""
        try:
            case = self._case(task)
        except ConfigError:
            return False
        return not program_fault(case, case.reference, self._trials)

    def close(self) -> None:
        """End the children."""
        self._verifier.close()
        self._trials.close()
        self._folder.cleanup()

    def _case(self, task: Task) -> Case:
        """The case of the task's first phrasing. Raises ConfigError."""
        file = Path(self._folder.name) / "task.yaml"
        told = {"suite": "one", "places": dict(self._places), "tasks": [task]}
        file.write_text(yaml.safe_dump(told, sort_keys=False, allow_unicode=True), encoding="utf-8")
        return suite_file.read(file).cases[0]
