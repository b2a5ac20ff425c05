"""The published benchmark RoboEval, with its own checks (Hu et al., RA-L 2024).

`--suite roboeval:CHECKOUT` reads a checkout of its repository: the task modules in
`benchmark/tasks/` or `roboeval/benchmark/tasks/`. Its prompts become instructions without the names
of rooms. Programs run in our confinement by the rules of `worlds/roboeval_world.py`, and the tasks'
own checks judge the traces. The licence forbids its text as training data: none of it is kept for
learning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.evaluate.readers.roboeval.check import RoboEvalCheck
from roboinstruct_ros.evaluate.readers.roboeval.task_process import (
    TaskFault,
    TaskFile,
    TaskProcess,
    Told,
)
from roboinstruct_ros.evaluate.suite.case import Case, Place, Suite

FOLDERS = ("benchmark/tasks", "roboeval/benchmark/tasks")
ANYWHERE = Place(SemanticMap(()), "")


def read(checkout: Path) -> Suite:
    """All prompts of all tasks; a task that fails by itself is left out, and named.

    Raises:
        OSError: there are no task modules.
    """
    cases: list[Case] = []
    left_out = Counter[str]()
    for task in task_files(checkout):
        try:
            cases += _cases(task, _told(task))
        except TaskFault as fault:
            left_out[f"task, {fault}"] += 1
    return Suite(tuple(cases), left_out)


def task_files(checkout: Path) -> list[TaskFile]:
    """Every task module, by name.

    Raises:
        OSError: there is none.
    """
    found = list(_found(checkout.resolve()))
    if not found:
        named = " or ".join(f"{checkout / folder}" for folder in FOLDERS)
        raise FileNotFoundError(f"there are no task modules in {named}")
    return found


def _found(checkout: Path) -> Iterator[TaskFile]:
    folder = next((one for one in FOLDERS if (checkout / one).is_dir()), FOLDERS[0])
    # the release has its modules one folder down, and imports them by either name
    above = str(checkout / folder.removesuffix(FOLDERS[0]))
    roots = tuple(dict.fromkeys([str(checkout), above.rstrip("/")]))
    for path in sorted((checkout / folder).glob("*.py")):
        if not path.name.startswith("_"):
            module = ".".join([*Path(folder).parts, path.stem])
            yield TaskFile(roots, module, sha256(path.read_bytes()).hexdigest())


def _told(task: TaskFile) -> Told:
    process = TaskProcess(task)
    try:
        return process.told()
    finally:
        process.close()


def _cases(task: TaskFile, told: Told) -> Iterator[Case]:
    check = RoboEvalCheck(task, told.tests)
    for phrasing, prompt in enumerate(told.prompts):
        yield Case(prompt, told.name, ANYWHERE, task=told.name, phrasing=phrasing, check=check)
