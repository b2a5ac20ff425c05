"""Takes rights away from the process it runs in. Called inside a child, before untrusted text.

Each layer is used where the system offers it; `confine` says which ones hold.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import signal
from collections.abc import Callable
from dataclasses import asdict, dataclass

_PR_SET_PDEATHSIG = 1
_PR_SET_NO_NEW_PRIVS = 38

DENIED_CALLS = (
    "socket", "socketpair", "connect", "bind", "execve", "execveat", "fork", "vfork", "clone",
    "clone3", "ptrace", "process_vm_readv", "process_vm_writev", "kill", "tkill", "pidfd_open",
    "mount", "unshare", "setns", "bpf", "io_uring_setup", "memfd_create", "shmget",
)  # fmt: skip
"""System calls that a task program has no use for; they fail with EPERM."""


@dataclass(frozen=True)
class Limits:
    """What a confined process may use.

    Attributes:
        cpu_seconds: s of processor time; 0 sets no limit (a watcher outside does).
        memory_bytes: address space.
        output_bytes: text that a program may print.
    """

    cpu_seconds: int = 60
    memory_bytes: int = 512 * 1024 * 1024
    output_bytes: int = 64 * 1024

    def as_dict(self) -> dict[str, int]:
        return asdict(self)


def confine(limits: Limits) -> tuple[str, ...]:
    """Apply every layer that this system has.

    Returns:
        Names of the layers that hold, in the order of application.
    """
    layers: dict[str, Callable[[], None]] = {
        "parent_death_signal": _die_with_parent,
        "no_new_privileges": _no_new_privileges,
        # seccomp before landlock: its library has still to be read from disk
        "seccomp": _deny_system_calls,
        "landlock": _deny_files,
        "resource_limits": lambda: _limit_resources(limits),
    }
    held = []
    for name, apply in layers.items():
        try:
            apply()
        except Exception:
            continue  # an older kernel, or the library is not installed; the caller is told
        held.append(name)
    return tuple(held)


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl failed")


def _die_with_parent() -> None:
    parent = os.getppid()
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died in between
        os._exit(1)


def _no_new_privileges() -> None:
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def _limit_resources(limits: Limits) -> None:
    if limits.cpu_seconds:
        # the soft limit's signal says why the process ended, the hard one only kills
        resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_seconds, limits.cpu_seconds + 1))
    _limit(resource.RLIMIT_AS, limits.memory_bytes)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_NPROC, 0)
    _limit(resource.RLIMIT_NOFILE, 16)


def _limit(kind: int, value: int) -> None:
    resource.setrlimit(kind, (value, value))


def _deny_files() -> None:
    import landlock

    landlock.Ruleset().apply()


def _deny_system_calls() -> None:
    import pyseccomp

    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for name in DENIED_CALLS:
        rules.add_rule(pyseccomp.ERRNO(errno.EPERM), name)
    rules.load()
