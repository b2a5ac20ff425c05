"""The folder of a run, in which one process at a time works."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.learn.pipeline.config import LearnConfig
from roboinstruct_ros.learn.pipeline.manifest import (
    MANIFEST,
    Manifest,
    StepEntry,
    read_manifest,
    write_manifest,
)
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.pipeline.work import LearnError

_LOCK, LOG, ASIDE = "lock", "log.txt", "before"


class RunFolder:
    """A run that is open for work; use it as a context manager.

    Attributes:
        manifest: as last read or changed; `save` writes it to disk.
    """

    def __init__(self, path: Path) -> None:
        """Open or create it.

        Raises:
            LearnError: another process is using it.
            InputError: it cannot be written, or holds something else.
        """
        self.path = path
        self._lock = _locked(path)
        known = (path / MANIFEST).exists()
        try:
            self.manifest = read_manifest(path) if known else Manifest(config={})
        except InputError:
            os.close(self._lock)
            raise

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._lock)

    def take(self, config: LearnConfig) -> None:
        """Assign the run to this configuration. Raises InputError."""
        self.manifest.config = config.model_dump(mode="json")
        self.save()

    def save(self) -> None:
        """Write the manifest. Raises InputError."""
        write_manifest(self.path, self.manifest)

    def begin(self, step: Step, entry: StepEntry) -> Path:
        """Create the step's folder, and save its entry in the manifest. Raises LearnError."""
        folder = self.path / step.value
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            raise LearnError(f"{folder}: cannot be made: {error.strerror}") from None
        self.manifest.steps[step] = entry
        self.save()
        return folder

    def put_aside(self, step: Step) -> Path:
        """Move the results of a step to a backup folder; returns its path."""
        folder, below = self.path / step.value, self.path / ASIDE
        below.mkdir(exist_ok=True)
        number = sum(1 for one in below.glob(f"{step.value}-*")) + 1
        aside = below / f"{step.value}-{number}"
        if folder.exists():
            folder.rename(aside)
        self.manifest.steps.pop(step, None)
        self.save()
        return aside

    def log(self, text: str) -> None:
        """Append a line with a timestamp to the log."""
        with (self.path / LOG).open("a", encoding="utf-8") as lines:
            lines.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S%z')} {text}\n")


def _locked(path: Path) -> int:
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = os.open(path / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise LearnError(f"{path}: cannot be written: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        pid = os.read(lock, 20).decode(errors="replace").strip() or "unknown"
        os.close(lock)
        raise LearnError(f"{path}: process {pid} is at it; wait for it, or give --to DIR") from None
    with suppress(OSError):  # of a full disk; the content only identifies the process
        os.ftruncate(lock, 0)
        os.pwrite(lock, str(os.getpid()).encode(), 0)
    return lock
