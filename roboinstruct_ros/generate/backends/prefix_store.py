"""Stores a model's state after the common beginning of all prompts, to speed up a restart.

On a CPU a 7B model evaluates a prompt of 900 tokens in half a minute, and loads its state from a
disk in a second. A file holds the state of one sequence as llama.cpp serialises it, preceded by a
checksum. Its name is a hash of everything on which the state depends, so a wrong state is never
found.
"""

from __future__ import annotations

import ctypes
import hashlib
import logging
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.files.user_folders import cache_folder

MOST_BYTES = 2 * 1024**3
"""Total size of the files; the least recently used are deleted first."""

_DIGEST = 32  # bytes of the checksum in front of the state
_SUFFIX = ".kv"

_logger = logging.getLogger(__name__)


def default_folder() -> Path:
    """`roboinstruct/prefixes` in the user's cache folder."""
    return cache_folder() / "prefixes"


class PrefixStore:
    """States of one loaded model in a folder.

    If the folder cannot be read or written, the log says so and the prompt is evaluated again; the
    robot goes on writing programs.

    Args:
        folder: Created if it does not exist.
        model: The GGUF file.
        settings: A text that contains every setting on which a state depends.
    """

    def __init__(self, folder: Path, model: Path, settings: str) -> None:
        self._folder = folder
        self._model = model
        self._settings = settings

    def restore(self, llama: Any, tokens: Sequence[int]) -> bool:
        """Restore the state after `tokens`. Return whether it was found."""
        import llama_cpp

        path = self._path(tokens)
        try:
            content = path.read_bytes()
            os.utime(path)
        except FileNotFoundError:
            return False
        except OSError as error:
            _logger.warning("the prompt's beginning cannot be read from %s: %s", path, error)
            return False
        state = content[_DIGEST:]
        if not state or _digest(state) != content[:_DIGEST]:
            _logger.warning("%s is damaged; the prompt's beginning is read anew", path)
            path.unlink(missing_ok=True)
            return False
        buffer = (ctypes.c_uint8 * len(state)).from_buffer_copy(state)
        if not llama_cpp.llama_state_seq_set_data(llama.ctx, buffer, len(state), 0):
            _logger.warning("llama.cpp does not take %s; the prompt is read anew", path)
            path.unlink(missing_ok=True)
            llama.reset()
            return False
        llama.input_ids[: len(tokens)] = tokens
        llama.n_tokens = len(tokens)
        llama._requires_eval = True
        return True

    def keep(self, llama: Any, tokens: Sequence[int]) -> None:
        """Write the current state, which must be the one after `tokens`."""
        import llama_cpp

        size = int(llama_cpp.llama_state_seq_get_size(llama.ctx, 0))
        if size > MOST_BYTES // 2:
            _logger.info("the state of the prompt's beginning takes %d bytes; not kept", size)
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if shutil.disk_usage(self._folder).free < 4 * size:
                _logger.warning("too little room in %s to keep the prompt's state", self._folder)
                return
            buffer = (ctypes.c_uint8 * size)()
            written = int(llama_cpp.llama_state_seq_get_data(llama.ctx, buffer, size, 0))
            self._write(self._path(tokens), bytes(buffer[:written]))
            self._make_room()
        except OSError as error:
            _logger.warning("the prompt's state cannot be kept in %s: %s", self._folder, error)

    def _path(self, tokens: Sequence[int]) -> Path:
        import llama_cpp

        file = self._model.stat()
        parts = (
            str(self._model.resolve()),
            file.st_size,
            file.st_mtime_ns,
            llama_cpp.__version__,
            self._settings,
            list(tokens),
        )
        return self._folder / (hashlib.sha256(repr(parts).encode()).hexdigest()[:32] + _SUFFIX)

    def _write(self, path: Path, state: bytes) -> None:
        """Write atomically, even if the power fails."""
        handle, name = tempfile.mkstemp(dir=self._folder, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_digest(state))
                file.write(state)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise

    def _make_room(self) -> None:
        files = sorted(self._folder.glob("*" + _SUFFIX), key=lambda path: path.stat().st_mtime)
        total = sum(path.stat().st_size for path in files)
        while total > MOST_BYTES and len(files) > 1:
            oldest = files.pop(0)
            total -= oldest.stat().st_size
            oldest.unlink(missing_ok=True)


def _digest(state: bytes) -> bytes:
    return hashlib.blake2b(state, digest_size=_DIGEST).digest()
