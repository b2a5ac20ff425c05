"""Aborts a running llama.cpp call on cancellation."""

from __future__ import annotations

import ctypes
import threading
from typing import Any

from roboinstruct_ros.generate.backends.backend import StopSignal

CANCEL_POLL = 0.01  # s


class Abort:
    """Ends a running `llama_decode` soon after `cancel` is set.

    A long prompt on a CPU is one C call that takes seconds. llama.cpp asks a callback after every
    node of its graph whether to abort. A Python callback would wait for the interpreter lock each
    time, so the callback is C's own `strlen` on a two-byte flag: "" continues, "x" aborts.
    """

    def __init__(self, llama: Any, cancel: StopSignal) -> None:
        self.cancel = cancel
        self._llama = llama
        self._flag = ctypes.create_string_buffer(2)
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="cancel watcher", daemon=True)

    def __enter__(self) -> Abort:
        import llama_cpp

        strlen = ctypes.cast(ctypes.CDLL(None).strlen, llama_cpp.llama_cpp.ggml_abort_callback)
        llama_cpp.llama_set_abort_callback(self._llama.ctx, strlen, ctypes.addressof(self._flag))
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        import llama_cpp

        self._over.set()
        self._watcher.join()
        nothing = llama_cpp.llama_cpp.ggml_abort_callback()
        llama_cpp.llama_set_abort_callback(self._llama.ctx, nothing, None)

    def _watch(self) -> None:
        while not self._over.wait(CANCEL_POLL):
            if self.cancel.is_set():
                self._flag[0] = b"x"
                return
