"""`verify --jsonl` while it is ended."""

from __future__ import annotations

import io
import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from roboinstruct_ros.commands import verify


def test_no_program_is_begun_after_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    ended = threading.Event()

    def judge(source: str) -> None:
        begun.append(source)
        if source != "0":
            ended.wait()

    class Threads(ThreadPoolExecutor):
        def shutdown(self, wait: bool = True, **how: Any) -> None:
            super().shutdown(False, **how)
            ended.set()
            super().shutdown(wait)

    worker = SimpleNamespace(verify=judge, close=lambda: None)
    monkeypatch.setattr(verify, "VerifierWorker", lambda *rules: worker)
    monkeypatch.setattr(verify, "ThreadPoolExecutor", Threads)
    lines = "".join(json.dumps({"program": str(number)}) + "\n" for number in range(1000))
    verdicts = verify._verdicts((), io.StringIO(lines))  # type: ignore[arg-type]
    next(verdicts)
    verdicts.close()  # type: ignore[attr-defined]
    assert len(begun) <= 1 + len(os.sched_getaffinity(0))
