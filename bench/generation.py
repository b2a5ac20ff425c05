"""Measurements of generation: from words to a verified program, and what its parts are good for."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.shared_files import shared_file
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.world_names import find_world
from roboinstruct_ros.generate.backend import Request
from roboinstruct_ros.generate.generation import Generation
from roboinstruct_ros.generate.llama_cpp_backend import LlamaCppBackend, LlamaCppSettings
from roboinstruct_ros.generate.program_writer import write_program
from roboinstruct_ros.generate.prompt import prompt_format
from roboinstruct_ros.generate.site import site_for
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.verify.worker import VerifierWorker

TASKS = Path(__file__).resolve().parents[1] / "test" / "generate" / "instructions.yaml"
MODEL = shared_file("models/roboinstruct-small.gguf")
DOMAIN = load_domain()


@dataclass(frozen=True)
class Writing:
    """All tasks written once.

    Attributes:
        seconds: from instruction to the end, of each task.
        first_token: s, of each task.
        share: of the time that is not the model's.
    """

    seconds: tuple[float, ...]
    first_token: tuple[float, ...]
    tokens_per_second: float
    accepted: int
    share: float


def write_all(options: WritingOptions) -> Writing:
    """Every task of the test's list, with a warm model."""
    backend = LlamaCppBackend(LlamaCppSettings(MODEL))
    backend.load()
    try:
        write = _Writer(backend, options)
        write(_tasks()[0])
        done = [write(task) for task in _tasks()]
    finally:
        write.close()
        backend.unload()
    return _summed(done)


def prefix_cache(tasks: int = 10) -> tuple[float, float]:
    """s to the first token of a long prompt whose beginning was evaluated before, and was not."""
    backend = LlamaCppBackend(LlamaCppSettings(MODEL, n_ctx=2048))
    backend.load()
    prompts = prompt_format("completion")
    texts = [prompts.first(Instruction.checked(task["text"])) for task in _tasks()[:tasks]]
    try:
        warm = [_first_token(backend, text) for text in texts][1:]
        cold = []
        for text in texts[1:]:
            _first_token(backend, "something else")
            cold.append(_first_token(backend, text))
    finally:
        backend.unload()
    return statistics.median(warm), statistics.median(cold)


def _tasks() -> list[dict[str, Any]]:
    tasks: list[dict[str, Any]] = yaml.safe_load(TASKS.read_text())
    return tasks


def _first_token(backend: LlamaCppBackend, prompt: str) -> float:
    begun = time.perf_counter()
    for _ in backend.stream(Request(prompt, 1, 0.0, 1), threading.Event()):
        pass
    return time.perf_counter() - begun


class _Writer:
    def __init__(self, backend: LlamaCppBackend, options: WritingOptions) -> None:
        self._backend, self._options = backend, options
        self._workers: dict[str, VerifierWorker] = {}

    def __call__(self, task: dict[str, Any]) -> Generation:
        rooms = load_semantic_map(find_world(task["world"]))
        if task["world"] not in self._workers:
            self._workers[task["world"]] = VerifierWorker(DOMAIN, rooms)
        verify: Callable[[str], Any] = self._workers[task["world"]].verify
        return write_program(
            Instruction.checked(task["text"]),
            self._backend,
            verify,
            self._options,
            lambda _: None,
            threading.Event(),
            site_for(DOMAIN, rooms),
        )

    def close(self) -> None:
        for worker in self._workers.values():
            worker.close()


def _summed(done: Sequence[Generation]) -> Writing:
    writing = sum(one.stats.writing for one in done)
    return Writing(
        seconds=tuple(one.duration for one in done),
        first_token=tuple(one.stats.first_token or 0.0 for one in done),
        tokens_per_second=sum(one.generated_tokens for one in done) / writing,
        accepted=sum(one.accepted for one in done),
        share=1.0 - writing / sum(one.duration for one in done),
    )
