"""Measurements of generation: from words to a verified program, and what its parts are good for."""

from __future__ import annotations

import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.generate.backends.backend import Backend, Request
from roboinstruct_ros.generate.backends.conversation import Prompt
from roboinstruct_ros.generate.backends.llama_cpp_backend import LlamaCppBackend
from roboinstruct_ros.generate.backends.llama_opening import LlamaCppSettings
from roboinstruct_ros.generate.backends.open_backend import backend_for
from roboinstruct_ros.generate.generation import Generation
from roboinstruct_ros.generate.program_writer import write_program
from roboinstruct_ros.generate.prompts.prompt import prompt_format
from roboinstruct_ros.generate.site import site_for
from roboinstruct_ros.generate.writing_job import WritingJob
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.verify.service.worker import VerifierWorker

HERE = Path(__file__).resolve().parent
TASKS = (HERE.parent / "test" / "generate" / "instructions.yaml", HERE / "instructions.yaml")
MODEL = shared_file("models/roboinstruct-small.gguf")
DOMAIN = load_domain()


@dataclass(frozen=True)
class Writing:
    """All tasks written once.

    Attributes:
        seconds: from instruction to the end, of each task.
        first_token: s, of each task.
        tokens: generated in all.
        writing: s of the model.
        verification: s.
    """

    seconds: tuple[float, ...]
    first_token: tuple[float, ...]
    tokens: int
    writing: float
    verification: float
    accepted: int

    @property
    def tokens_per_second(self) -> float:
        return self.tokens / self.writing


@dataclass(frozen=True)
class FirstToken:
    """s to the first token of a long prompt: its beginning in memory, taken from disk, read."""

    memory: float
    disk: float
    read: float


def write_all(options: WritingOptions) -> Writing:
    """Every task of the lists, with the model that serves here, warm."""
    backend = backend_for("", candidates=options.candidates)
    backend.load()
    write = _Writer(backend, options)
    try:
        write.warm()
        done = [write(task) for task in _tasks()]
    finally:
        write.close()
        backend.unload()
    return _summed(done)


def prefix_cache(tasks: int = 10) -> FirstToken:
    """What keeping the beginning of a prompt is good for."""
    prompts = prompt_format("completion")
    texts = [prompts.first(Instruction.checked(task["text"])) for task in _tasks()[:tasks]]
    with tempfile.TemporaryDirectory() as folder:
        backend = LlamaCppBackend(LlamaCppSettings(MODEL, n_ctx=2048, prefix_store=Path(folder)))
        backend.load()
        try:
            backend.warm(prompts.beginning)
            memory = [_first_token(backend, text) for text in texts]
            disk = [_first_token(backend, text, prompts.beginning) for text in texts]
            read = [_first_token(backend, text, forget=True) for text in texts]
        finally:
            backend.unload()
    return FirstToken(*(statistics.median(times) for times in (memory, disk, read)))


def _tasks() -> list[dict[str, Any]]:
    return [task for path in TASKS for task in yaml.safe_load(path.read_text())]


def _first_token(
    backend: LlamaCppBackend, prompt: Prompt, warm: Prompt = "", forget: bool = False
) -> float:
    if warm or forget:
        _first_token(backend, "something else")
    begun = time.perf_counter()
    if warm:
        backend.warm(warm)
    for _ in backend.stream(Request(prompt, 1, 0.0, 1), threading.Event()):
        pass
    return time.perf_counter() - begun


class _Writer:
    def __init__(self, backend: Backend, options: WritingOptions) -> None:
        self._backend, self._options = backend, options
        self._workers: dict[str, VerifierWorker] = {}

    def __call__(self, task: dict[str, Any]) -> Generation:
        rooms = load_semantic_map(find_world(task["world"]))
        self._open_worker(task["world"])
        verify: Callable[[str], Any] = self._workers[task["world"]].verify
        return write_program(
            Instruction.checked(task["text"]),
            WritingJob(
                self._backend,
                verify,
                self._options,
                lambda _: None,
                threading.Event(),
                site_for(DOMAIN, rooms),
            ),
        )

    def warm(self) -> None:
        """Start what a robot has started long before its first task."""
        for task in _tasks():
            self._open_worker(task["world"])
        self(_tasks()[0])

    def _open_worker(self, world: str) -> None:
        if world not in self._workers:
            worker = self._workers[world] = VerifierWorker(
                DOMAIN, load_semantic_map(find_world(world)), behaviour=True
            )
            worker.verify('def task_program():\n    say("warm")\n')

    def close(self) -> None:
        for worker in self._workers.values():
            worker.close()


def _summed(done: Sequence[Generation]) -> Writing:
    return Writing(
        seconds=tuple(one.duration for one in done),
        first_token=tuple(one.stats.first_token or 0.0 for one in done),
        tokens=sum(one.generated_tokens for one in done),
        writing=sum(one.stats.writing for one in done),
        verification=sum(one.stats.verification for one in done),
        accepted=sum(one.accepted for one in done),
    )
