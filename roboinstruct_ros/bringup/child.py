"""Runs a node's module in a process that ends with its parent.

`python -m roboinstruct_ros.bringup.child PARENT_PID NICENESS MODULE [ARGUMENT ...]`
"""

from __future__ import annotations

import ctypes
import os
import runpy
import signal
import sys

_PR_SET_PDEATHSIG = 1
_INTERRUPTED = 128 + signal.SIGINT


def main() -> None:
    """Bind this process to its parent, then become the module."""
    parent, niceness, module = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    os.nice(niceness)
    # Started by nohup, cron or a background script, the process would ignore SIGINT.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # the parent died before the call above
        os._exit(1)
    sys.argv[:] = [module, *sys.argv[4:]]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except KeyboardInterrupt:  # during imports, when there is nothing to shut down
        sys.exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
