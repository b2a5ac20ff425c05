"""`roboinstruct verify --jsonl`: verdicts on many programs as JSON lines, on all cores."""

from __future__ import annotations

import json
import os
import sys
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from queue import SimpleQueue
from typing import IO, Any

from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.json_lines import Line, bar, lines_of
from roboinstruct_ros.commands.rules import Rules
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Verdict

_SHAPE = '{"id": ..., "program": "def task_program(): ..."}'
_AHEAD = 8  # lines read ahead for each worker


def verify_standard_input(rules: Rules) -> ExitCode:
    """Verify every line of standard input; write the verdicts to standard output in the same order.

    An unusable line gets an object with `error`, and the exit code is 2.
    """
    unusable = False
    with bar("verifying") as progress:
        shown = progress.add_task("", total=None)
        for line, verdict in _verdicts(rules, sys.stdin):
            unusable |= bool(line.fault)
            sys.stdout.write(json.dumps(_as_object(line, verdict)) + "\n")
            sys.stdout.flush()
            progress.advance(shown)
    return ExitCode.BAD_INPUT if unusable else ExitCode.SUCCESS


def _verdicts(rules: Rules, source: IO[str]) -> Iterator[tuple[Line, Verdict | None]]:
    cores = len(os.sched_getaffinity(0))
    with ExitStack() as stack:
        idle: SimpleQueue[VerifierWorker] = SimpleQueue()
        for _ in range(cores):
            worker = VerifierWorker(*rules)
            stack.callback(worker.close)
            idle.put(worker)
        threads = stack.enter_context(ThreadPoolExecutor(cores))
        waiting: deque[tuple[Line, Future[Verdict | None]]] = deque()
        for line in lines_of(source, "program", _SHAPE):
            waiting.append((line, threads.submit(_verdict, line, idle)))
            if len(waiting) > cores * _AHEAD:
                first, future = waiting.popleft()
                yield first, future.result()
        for line, future in waiting:
            yield line, future.result()


def _verdict(line: Line, idle: SimpleQueue[VerifierWorker]) -> Verdict | None:
    if line.fault:
        return None
    worker = idle.get()
    try:
        return worker.verify(line.text)
    finally:
        idle.put(worker)


def _as_object(line: Line, verdict: Verdict | None) -> dict[str, Any]:
    if verdict is None:
        return {"id": line.id, "error": line.fault}
    return {
        "id": line.id,
        "accepted": verdict.accepted,
        "status": verdict.status.value,
        "exhaustive": verdict.exhaustive,
        "paths": verdict.paths,
        "coverage": verdict.coverage.model_dump(),
        "violations": [
            {
                "code": violation.code.value,
                "line": violation.line,
                "column": violation.column,
                "message": violation.message,
                "counterexample": list(violation.counterexample.steps)
                if violation.counterexample
                else [],
            }
            for violation in verdict.violations
        ],
        "warnings": [warning.model_dump(mode="json") for warning in verdict.warnings],
        "assumptions": [one.model_dump(mode="json") for one in verdict.assumptions],
        "ms": round(verdict.duration * 1e3, 3),
    }
