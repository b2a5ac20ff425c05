"""Ways out of a Python sandbox: each is rejected or contained, and the next request is answered."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from escape_corpus import MARKER, TEXT_TRICKS, Trick
from escape_corpus_running import RUNNING_TRICKS
from escape_corpus_spelling import SPELLING_TRICKS

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.sandbox.program_process import (
    EndKind,
    ProgramEnd,
    ProgramHooks,
    ProgramProcess,
    SkillReply,
)
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Status

ALL = [*TEXT_TRICKS, *SPELLING_TRICKS, *RUNNING_TRICKS]
GOOD = 'def task_program():\n    go_to("kitchen")\n    say({!r})\n'

RUN_ANYWAY = {
    "open a file to write": f"open({MARKER!r}, 'w')",
    "open by the real open": "{real}['open']({marker!r}, 'w').write('x')",
    "open by os": "{os}['open']({marker!r}, 65, 511)",
    "read a file": "{print}({real}['open']('/etc/passwd').read())",
    "list the files": "{print}({os}['listdir']('/'))",
    "remove a file": "{os}['unlink']('/tmp')",
    "another program": "{os}['execv']('/bin/true', ['true'])",
    "a shell": "{os}['system']('touch ' + {marker!r})",
    "a fork": "{print}({os}['fork']())",
    "a fork bomb": "while True:\n    {os}['fork']()",
    "a network socket": "{real}['__import__']('socket').socket()",
    "a library": "{real}['__import__']('ctypes').CDLL(None)",
    "a signal to everybody": "{os}['kill'](-1, 9)",
    "a signal to the parent": "{os}['kill']({os}['getppid'](), 9)",
    "the environment": "{print}({os}['environ']['HOME'])",
    "out at once": "{os}['_exit'](0)",
    "abort": "{os}['abort']()",
    "another user": "{os}['setuid'](0)",
    "a nicer process": "{os}['nice'](-20)",
    "another directory": "{os}['chdir']('/')",
    "a thread": "{real}['__import__']('_thread').start_new_thread(print, ())",
    "a broken stack": "{real}['__import__']('sys').setrecursionlimit(10 ** 9)\n"
    "def f():\n    f()\nf()",
    "memory": "x = 'a' * 10 ** 12",
    "time": "while True:\n    pass",
    "a message of the runner's": "{real}['print']('{{}}')",
}
_WAY_OUT = """
    real = os = None
    for kind in ().__class__.__base__.__subclasses__():
        if kind.__name__ == "_wrap_close":
            os = kind.__init__.__globals__
            real = os["__builtins__"]
"""
_SECRETS = ("root:", "/root", "etc", "uid")


@pytest.fixture(scope="module")
def worker() -> Iterator[VerifierWorker]:
    home = load_semantic_map(find_world("home"))
    with_little = Budget(seconds=0.3, memory_bytes=512 * 1024 * 1024)
    worker = VerifierWorker(load_domain(), home, budget=with_little)
    yield worker
    worker.close()


@pytest.mark.parametrize("trick", ALL, ids=str)
def test_a_trick_costs_a_verdict(worker: VerifierWorker, trick: Trick) -> None:
    verdict = worker.verify(trick.source)
    if trick.harmless:
        assert verdict.accepted, verdict
    else:
        assert verdict.status is not Status.ACCEPTED
    if trick.code:
        assert trick.code in [violation.code.value for violation in verdict.violations]
    if trick.by_text:
        assert verdict.paths == 0
    assert worker.verify(GOOD.format(str(trick))).accepted
    assert not Path(MARKER).exists()


@pytest.mark.parametrize("name", RUN_ANYWAY)
def test_a_trick_that_runs_reaches_nothing(name: str) -> None:
    """As if no verifier had looked at the text."""
    printed: list[str] = []
    end = _run(RUN_ANYWAY[name], printed)
    assert end.kind is not EndKind.FINISHED or not printed, (end, printed)
    assert not [text for text in printed if any(secret in text for secret in _SECRETS)]
    assert not Path(MARKER).exists()
    assert _run("print('well')", printed).kind is EndKind.FINISHED
    assert printed[-1] == "well\n"


def test_the_corpus_is_wide() -> None:
    names = Counter(str(trick) for trick in ALL)
    assert [name for name, times in names.items() if times > 1] == []
    assert len(ALL) >= 120


def _run(text: str, printed: list[str]) -> ProgramEnd:
    text = text.replace("{real}", "real").replace("{os}", "os").replace("{print}", "print")
    text = text.replace("{marker!r}", repr(MARKER)).replace("{{}}", "{}")
    body = textwrap.dedent(_WAY_OUT).strip("\n") + "\n" + text
    source = "def task_program():\n" + textwrap.indent(body, "    ") + "\n"
    hooks = ProgramHooks(
        call=lambda name, args, kwargs, line: SkillReply(),
        sleep=lambda seconds, line: None,
        print=lambda text, line: printed.append(text),
    )
    limits = Limits(cpu_seconds=1, memory_bytes=512 * 1024 * 1024)
    return ProgramProcess(source, ("say",), limits).run(hooks)
