"""Takes rights away from the current process. Called in a child, before it handles untrusted text.

Each layer is applied if the system offers it; `confine` returns those that are active.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import resource
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_PR_SET_PDEATHSIG = 1
_PR_SET_NO_NEW_PRIVS = 38
_PROT_EXEC = 4
_SIGNALLING = (8, 10, 15)
"""F_SETOWN, F_SETSIG and F_SETOWN_EX: commands of `fcntl`."""
_INT = 0xFFFF_FFFF
"""The bits of an argument that the kernel reads as an int; a program may set the others."""

DENIED_CALLS = (
    # networks and shared memory
    "socket", "socketpair", "connect", "bind", "io_uring_setup", "memfd_create", "shmget", "shmat",
    "shmctl", "msgget", "msgsnd", "msgrcv", "msgctl", "semget", "semop", "semtimedop", "semctl",
    "mq_open", "mq_unlink", "keyctl", "add_key", "request_key",
    # other programs and processes
    "execve", "execveat", "fork", "vfork", "clone", "clone3", "ptrace", "process_vm_readv",
    "process_vm_writev", "kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo",
    "pidfd_open", "pidfd_send_signal", "setpriority", "sched_setaffinity", "sched_setscheduler",
    "sched_setparam", "sched_setattr", "ioprio_set", "migrate_pages", "move_pages",
    # file access that landlock does not cover, more of it on older kernels
    "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "truncate",
    "utime", "utimes", "utimensat", "futimesat", "setxattr", "lsetxattr", "fsetxattr",
    "removexattr", "lremovexattr", "fremovexattr", "unlink", "unlinkat", "rmdir", "rename",
    "renameat", "renameat2", "mkdir", "mkdirat", "mknod", "mknodat", "link", "linkat", "symlink",
    "symlinkat", "creat", "flock", "open_by_handle_at", "inotify_init1", "fanotify_init",
    # machine administration, for a process of root
    "mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "bpf", "perf_event_open",
    "userfaultfd", "reboot", "kexec_load", "kexec_file_load", "init_module", "finit_module",
    "delete_module", "swapon", "swapoff", "settimeofday", "clock_settime", "adjtimex",
    "personality", "clock_adjtime", "sethostname", "setdomainname", "iopl", "ioperm", "acct",
    "quotactl", "syslog",
)  # fmt: skip
"""System calls that a task program does not need; they fail with EPERM."""


@dataclass(frozen=True)
class Limits:
    """Resource limits of a confined process.

    Attributes:
        cpu_seconds: CPU time, s; 0 for no limit (the parent then limits it).
        memory_bytes: address space. At least that of the verifier: a program that fits there must
            fit here, or its handlers meet a MemoryError that no tried world has shown.
        output_bytes: text that a program may print.
        code_folders: folders that may be read and loaded as code, for processes that import
            third-party packages; none for a task program.
    """

    cpu_seconds: int = 60
    memory_bytes: int = 1024 * 1024 * 1024
    output_bytes: int = 64 * 1024
    code_folders: tuple[str, ...] = ()


_APPLY: dict[str, Callable[[Limits], None]] = {
    "parent_death_signal": lambda limits: die_with_parent(),
    "no_new_privileges": lambda limits: _prctl(_PR_SET_NO_NEW_PRIVS, 1),
    # seccomp before landlock: its library must still be read from disk
    "seccomp": lambda limits: _deny_system_calls(bool(limits.code_folders)),
    "landlock": lambda limits: _deny_files(limits.code_folders),
    "resource_limits": lambda limits: _limit_resources(limits),
}

LAYERS = tuple(_APPLY)
"""All layers that `confine` applies where available."""


def confine(limits: Limits) -> tuple[str, ...]:
    """Apply every layer that this system offers.

    Returns:
        Names of the active layers, in order of application.
    """
    held = []
    for name, apply in _APPLY.items():
        try:
            apply(limits)
        except Exception:
            continue  # older kernel or missing library; the caller learns which
        held.append(name)
    return tuple(held)


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl failed")


def die_with_parent() -> None:
    """Have the kernel end this process when its parent ends."""
    parent = os.getppid()
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # the parent died in between
        os._exit(1)


def _limit_resources(limits: Limits) -> None:
    if limits.cpu_seconds:
        # exceeding the soft limit gives a signal that names the cause; the hard limit only kills
        resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_seconds, limits.cpu_seconds + 1))
    _limit(resource.RLIMIT_AS, limits.memory_bytes)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_NPROC, 0)
    _limit(resource.RLIMIT_NOFILE, 16)


def _limit(kind: int, value: int) -> None:
    resource.setrlimit(kind, (value, value))


def _deny_files(but_read: Sequence[str]) -> None:
    import landlock

    rules = landlock.Ruleset()
    for folder in but_read:
        rules.allow(folder, rules=landlock.FSAccess.READ_FILE | landlock.FSAccess.READ_DIR)
    rules.apply()


def _deny_system_calls(loads_code: bool) -> None:
    import pyseccomp

    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    denied = pyseccomp.ERRNO(errno.EPERM)
    for name in DENIED_CALLS:
        with contextlib.suppress(
            ValueError, OSError
        ):  # not on this machine, or newer than the library
            rules.add_rule(denied, name)
    # a file's owner receives a signal, also SIGKILL, when there is something to read
    for command in _SIGNALLING:
        rules.add_rule(denied, "fcntl", pyseccomp.Arg(1, pyseccomp.MASKED_EQ, _INT, command))
    # the process must neither outlive its parent nor change the parent's limits
    option = pyseccomp.Arg(0, pyseccomp.MASKED_EQ, _INT, _PR_SET_PDEATHSIG)
    rules.add_rule(denied, "prctl", option)
    rules.add_rule(denied, "prlimit64", pyseccomp.Arg(0, pyseccomp.NE, 0))
    # all code is loaded by now: machine code written by a program must never run
    for name in () if loads_code else ("mmap", "mprotect", "pkey_mprotect"):
        rules.add_rule(denied, name, pyseccomp.Arg(2, pyseccomp.MASKED_EQ, _PROT_EXEC, _PROT_EXEC))
    rules.load()
