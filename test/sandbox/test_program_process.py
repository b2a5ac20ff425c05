"""Programs that attack their process; all are given to it raw, past the allow-list."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from given_time import GivenTime
from waiting import LIMIT, until

from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.sandbox.program_process import (
    EndKind,
    ProgramEnd,
    ProgramHooks,
    ProgramProcess,
    SkillReply,
)

SKILLS = ("say", "go_to")
# From a plain value to the real builtins, without one name that the namespace withholds.
ESCAPE = """
    for kind in ().__class__.__base__.__subclasses__():
        if kind.__name__ == "_wrap_close":
            os = kind.__init__.__globals__
            real = os["__builtins__"]
            break
"""


class Heard:
    """Plays the skills; keeps what the program did."""

    def __init__(self, reply: Callable[[str], SkillReply] = lambda name: SkillReply()) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.printed: list[str] = []
        self.slept: list[float] = []
        self.called = threading.Event()
        self._reply = reply

    @property
    def hooks(self) -> ProgramHooks:
        return ProgramHooks(
            call=self._call,
            sleep=lambda seconds, line: self.slept.append(seconds),
            print=lambda text, line: self.printed.append(text),
        )

    def _call(
        self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], line: int
    ) -> SkillReply:
        self.calls.append((name, args, kwargs, line))
        self.called.set()
        return self._reply(name)


def program(body: str) -> str:
    return "def task_program():\n" + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")


def run(body: str, heard: Heard | None = None, limits: Limits | None = None) -> ProgramEnd:
    process = ProgramProcess(program(body), SKILLS, limits or Limits())
    return process.run((heard or Heard()).hooks)


def escaped(statement: str) -> tuple[ProgramEnd, list[str]]:
    """Runs a statement with the real builtins in `real` and the module `os` as a dict."""
    heard = Heard()
    body = textwrap.dedent(ESCAPE).strip("\n") + "\nprint('out')\n" + statement
    end = run(body, heard)
    assert heard.printed[:1] == ["out\n"], end  # else the test shows nothing
    return end, heard.printed[1:]


@pytest.fixture
def endless() -> Iterator[tuple[ProgramProcess, Heard, threading.Thread, list[ProgramEnd]]]:
    """A program that has begun to compute for ever."""
    heard, ends = Heard(), []  # type: ignore[var-annotated]
    process = ProgramProcess(program("say('begun')\nwhile True:\n    pass"), SKILLS)
    thread = threading.Thread(target=lambda: ends.append(process.run(heard.hooks)))
    thread.start()
    assert heard.called.wait(LIMIT)
    yield process, heard, thread, ends
    process.kill()
    thread.join(LIMIT)


def test_calls_cross_with_arguments_and_lines() -> None:
    heard = Heard(lambda name: SkillReply("there"))
    end = run("x = go_to('kitchen')\nsay(message=x)\nprint(x)\ntime.sleep(0.5)", heard)
    assert end.kind is EndKind.FINISHED
    assert heard.calls == [("go_to", ("kitchen",), {}, 2), ("say", (), {"message": "there"}, 3)]
    assert (heard.printed, heard.slept) == (["there\n"], [0.5])


def test_an_endless_loop_is_killed_at_once(endless: Any) -> None:
    process, _, thread, ends = endless
    given = GivenTime(process.pid)
    process.kill()
    thread.join(LIMIT)
    assert given.until(time.time()) < 0.5
    assert [end.kind for end in ends] == [EndKind.KILLED]


def test_a_child_killed_from_outside_is_lost(endless: Any) -> None:
    process, _, thread, ends = endless
    os.kill(process.pid, signal.SIGKILL)
    thread.join(LIMIT)
    assert [end.kind for end in ends] == [EndKind.LOST]


def test_a_flood_of_text_meets_its_limit() -> None:
    heard = Heard()
    end = run("while True:\n    print('x' * 1000)", heard)
    assert end.kind is EndKind.LIMIT
    assert "64 KiB" in end.message
    assert sum(map(len, heard.printed)) <= 64 * 1024


@pytest.mark.parametrize("bomb", ["x = 'a' * 10 ** 12", "x = [0]\nwhile True:\n    x = x + x"])
def test_a_memory_bomb_meets_its_limit(bomb: str) -> None:
    end = run(bomb)
    assert (end.kind, "memory" in end.message) == (EndKind.LIMIT, True)


def test_computing_meets_its_limit() -> None:
    end = run("while True:\n    pass", limits=Limits(cpu_seconds=1))
    assert end.kind is EndKind.LIMIT
    assert "1 s" in end.message


def test_a_gigabyte_printed_at_once_meets_its_limit() -> None:
    heard = Heard()
    assert run("print('a' * 10 ** 9)", heard).kind is EndKind.LIMIT
    assert heard.printed == []


def test_a_python_error_names_its_line() -> None:
    end = run("x = 1\ny = x / 0")
    assert (end.kind, end.line) == (EndKind.ERROR, 3)
    assert "ZeroDivisionError" in end.message


@pytest.mark.parametrize(
    "error",
    [
        "ValueError(nested)",
        "ValueError(10 ** 5000)",
        "SkillError(5, ['x'])",
        "SkillError('a', nested)",
        "SkillError('a' * 5_000_000, 'x' * 5_000_000)",
    ],
)
def test_an_error_of_any_value_names_its_line(error: str) -> None:
    end = run(f"nested = []\nfor _ in range(100_000):\n    nested = [nested]\nraise {error}")
    kind = EndKind.SKILL_ERROR if error.startswith("Skill") else EndKind.ERROR
    assert (end.kind, end.line) == (kind, 5)
    assert 0 < len(end.message) <= 1000 and len(end.skill_error) <= 1000


def test_a_call_longer_than_a_message_is_an_error_with_its_line() -> None:
    heard = Heard()
    end = run("say('x')\nsay('x' * 5_000_000)", heard)
    assert (end.kind, end.line, len(heard.calls)) == (EndKind.ERROR, 3, 1)
    assert "longer than" in end.message


def test_a_program_that_prints_for_ever_is_killed() -> None:
    heard, ends = Heard(), []  # type: ignore[var-annotated]
    process = ProgramProcess(program("say('x')\nwhile True:\n    print('', end='')"), SKILLS)
    thread = threading.Thread(target=lambda: ends.append(process.run(heard.hooks)))
    thread.start()
    assert heard.called.wait(LIMIT)
    process.kill()
    thread.join(LIMIT)
    assert [end.kind for end in ends] == [EndKind.KILLED]
    assert not _lives(process.pid)


def test_deep_recursion_is_an_error_with_its_line() -> None:
    end = run("def f():\n    f()\nf()")
    assert (end.kind, end.line) == (EndKind.ERROR, 3)
    assert "RecursionError" in end.message


@pytest.mark.parametrize(
    "statement",
    [
        "real['open']('/etc/passwd')",
        "real['open']('stolen.txt', 'w').write('x')",
        "os['open']('stolen.txt', os['O_CREAT'] | os['O_WRONLY'])",
        "os['fork']()",
        "os['execv']('/bin/sh', ['sh'])",
        "os['system']('true') == 0 or [][0]",
        "os['kill'](os['getppid'](), 0)",
        "os['listdir']('/')",
    ],
)
def test_an_escaped_program_finds_every_door_closed(statement: str) -> None:
    end, printed = escaped(f"{statement}\nprint('through')")
    assert (end.kind, printed) == (EndKind.ERROR, [])
    assert end.message.startswith(("PermissionError", "IndexError: list index")), end


def test_an_escaped_program_has_no_descriptor_but_those_of_its_wire() -> None:
    tried = "for fd in range(16):\n    try:\n        os['fstat'](fd)\n        print(fd, end=' ')"
    _, printed = escaped(tried + "\n    except OSError:\n        pass")
    assert "".join(printed).split() == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize(
    "statement",
    [
        "libc.mmap(None, 4096, 7, 0x22, -1, 0)",
        "libc.mprotect(libc.mmap(None, 4096, 3, 0x22, -1, 0), 4096, 5)",
        "libc.personality(0x0400000)",
    ],
)
def test_an_escaped_program_runs_no_machine_code_of_its_own(statement: str) -> None:
    begin = "c = real['__import__']('ctypes')\nlibc = c.CDLL(None)\nlibc.mmap.restype = c.c_void_p"
    begin += "\nlibc.mmap.argtypes = [c.c_void_p, c.c_size_t, *[c.c_int] * 3, c.c_long]"
    begin += "\nlibc.mprotect.argtypes = [c.c_void_p, c.c_size_t, c.c_int]"
    end, printed = escaped(f"{begin}\nprint({statement})")
    assert end.kind is EndKind.FINISHED, end
    assert printed in (["-1\n"], [f"{2**64 - 1}\n"])


@pytest.mark.parametrize(
    "statement",
    [
        "fcntl(3, 8, os['getppid']())",  # F_SETOWN
        "fcntl(3, 10, 9)",  # F_SETSIG
        "fcntl(3, 15, c.byref((c.c_int * 2)(1, os['getppid']())))",  # F_SETOWN_EX
        "syscall(72, 3, c.c_long(8 + 2**32), os['getppid']())",
        "prctl(1, 0, 0, 0, 0)",  # PR_SET_PDEATHSIG
        "syscall(157, c.c_long(1 + 2**32), 0, 0, 0, 0)",
    ],
)
def test_an_escaped_program_can_neither_signal_its_parent_nor_outlive_it(statement: str) -> None:
    end, printed = escaped(f"c = real['__import__']('ctypes')\nprint(c.CDLL(None).{statement})")
    assert (end.kind, printed) == (EndKind.FINISHED, ["-1\n"]), end


def test_an_escaped_program_shares_no_memory_by_a_number_that_it_guesses() -> None:
    libc = ctypes.CDLL(None)
    segment = libc.shmget(0, 4096, 0o600)
    if segment < 0:
        pytest.skip("this system has no such memory")
    use = f"libc.shmat({segment}, None, 0), libc.shmctl({segment}, 0, None)"
    try:
        end, printed = escaped(f"libc = real['__import__']('ctypes').CDLL(None)\nprint({use})")
    finally:
        libc.shmctl(segment, 0, None)  # IPC_RMID
    assert (end.kind, printed) == (EndKind.FINISHED, ["-1 -1\n"]), end


def test_an_escaped_program_gets_no_socket() -> None:
    end, printed = escaped("real['__import__']('_socket').socket()\nprint('through')")
    assert (end.kind, printed) == (EndKind.ERROR, [])


def test_the_environment_is_empty() -> None:
    os.environ["ROBOINSTRUCT_TEST_SECRET"] = "secret"
    try:
        _, printed = escaped("print(sorted(os['environ']))")
    finally:
        del os.environ["ROBOINSTRUCT_TEST_SECRET"]
    assert "SECRET" not in "".join(printed)


@pytest.mark.parametrize("name", ["open", "eval", "exec", "getattr", "__import__", "BaseException"])
def test_the_namespace_withholds(name: str) -> None:
    end = run(f"{name}")
    assert (end.kind, "NameError" in end.message) == (EndKind.ERROR, True)


def failing(name: str) -> SkillReply:
    if name == "go_to":
        return SkillReply(error="navigation_blocked", message="a door is shut")
    return SkillReply()


def test_a_skill_error_can_be_caught() -> None:
    heard = Heard(failing)
    body = "try:\n    go_to('a')\nexcept SkillError as e:\n    say(e.code + ': ' + e.message)"
    assert run(body, heard).kind is EndKind.FINISHED
    assert heard.calls[-1][1] == ("navigation_blocked: a door is shut",)


def test_a_skill_error_that_is_not_caught_ends_the_program() -> None:
    end = run("say('x')\ngo_to('a')", Heard(failing))
    assert (end.kind, end.skill_error, end.line) == (EndKind.SKILL_ERROR, "navigation_blocked", 3)


def test_the_layers_that_hold_are_named() -> None:
    process = ProgramProcess(program("pass"), SKILLS)
    assert {"parent_death_signal", "no_new_privileges", "resource_limits"} <= set(process.layers)
    assert process.run(Heard().hooks).kind is EndKind.FINISHED


def test_a_program_stands_back_for_what_moves_the_robot() -> None:
    process = ProgramProcess(program("pass"), SKILLS)
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, process.pid) > ours
    assert process.run(Heard().hooks).kind is EndKind.FINISHED


PARENT = """
import sys
from roboinstruct_ros.sandbox.program_process import ProgramHooks, ProgramProcess, SkillReply
process = ProgramProcess(sys.argv[1], ("say",))
def printed(text, line):  # needs no reply: the child computes on when the parent is killed
    print(process.pid, flush=True)
process.run(ProgramHooks(lambda *given: SkillReply(), lambda s, l: None, printed))
"""


def test_the_child_dies_with_its_parent() -> None:
    source = program("print('begun')\nwhile True:\n    pass")
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, source], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    until(lambda: not _lives(child), "the child ends with its parent")


def _lives(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("half", ["'%c' % 0xD800", "f'{0xD800:c}'", "'\\ud800'"])
def test_what_leaves_the_process_can_be_stored_and_sent(half: str) -> None:
    heard = Heard()
    end = run(f"print({half} + 'a')\nprint('b', end={half})\nraise ValueError({half})", heard)
    assert heard.printed == ["?a\n", "b?"]
    assert end.message == "ValueError: ?"


DOWN = """
def down(n, said):
    return {call} if n == 0 else down(n - 1, said)

def task_program():
    for n in range(960, 1520):
        try:
            if down(n, n) != n:
                say("out of step")
        except RuntimeError:
            say("too deep")
"""


@pytest.mark.parametrize("call", ["go_to(said)", "time.time() and said", "print(said) or said"])
def test_a_call_at_any_depth_is_made_or_an_error(call: str) -> None:
    said: list[Any] = []

    def answer(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], line: int) -> SkillReply:
        said.append((name, args[0]))
        return SkillReply(args[0])

    hooks = ProgramHooks(call=answer, sleep=lambda *_: None, print=lambda *_: None)
    end = ProgramProcess(DOWN.replace("{call}", call), SKILLS).run(hooks)
    assert end.kind is EndKind.FINISHED, end
    assert ("say", "too deep") in said and ("say", "out of step") not in said


@pytest.mark.parametrize(
    "forged",
    [
        '{"call": "open_the_door", "args": [], "kwargs": {}, "line": 1}',
        '{"call": "say", "args": "all", "kwargs": {}, "line": 1}',
        '{"sleep": -1, "line": 1}',
        '{"sleep": 1e99, "line": 1}',
        '{"end": "promoted", "line": 1}',
        '{"end": "finished"}',
        '{"end": "finished", "line": -1, "message": ""}',
        '{"call": "say", "args": ["x"], "kwargs": {}, "line": 10000000000}',
        '{"something": "else", "line": 1}',
        "[" * 100000,
    ],
    ids=lambda text: text[:30],
)
def test_a_message_that_our_side_would_not_send_ends_the_program(forged: str) -> None:
    heard = Heard()
    out = f"for pipe in range(3, 12):\n    try:\n        os['write'](pipe, {forged!r}.encode()"
    out += " + b'\\n')\n    except Exception:\n        pass\nwhile True:\n    pass"
    body = textwrap.dedent(ESCAPE).strip("\n") + "\n" + out
    end = run(body, heard, Limits(cpu_seconds=5))
    assert end.kind is EndKind.LOST, end
    assert (heard.calls, heard.slept) == ([], [])
