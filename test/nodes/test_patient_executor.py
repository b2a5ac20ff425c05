"""The end of an executor: what has begun ends, what comes later is silent."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import rclpy
from rclpy.context import Context
from rclpy.task import Future
from waiting import LIMIT, until
from wakes import wakes_in

from roboinstruct_ros.nodes.patient_executor import PatientExecutor

pytestmark = pytest.mark.stack


@contextmanager
def spinning(domain: int) -> Iterator[PatientExecutor]:
    context = Context()
    rclpy.init(context=context, domain_id=domain)
    executor = PatientExecutor(2, context=context)
    thread = threading.Thread(target=executor.spin, daemon=True)
    thread.start()
    try:
        yield executor
    finally:
        executor.shutdown(2.0)
        thread.join(LIMIT)
        assert not thread.is_alive()
        rclpy.shutdown(context=context)


def test_the_end_waits_for_what_a_thread_has_taken(ros_domain: int) -> None:
    with spinning(ros_domain) as executor:
        begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()

        def work() -> None:
            begun.set()
            go_on.wait(LIMIT)
            ended.set()

        executor.create_task(work)
        assert begun.wait(LIMIT)
        assert not executor.shutdown(0.05) and not ended.is_set()
        go_on.set()
        assert executor.shutdown(LIMIT) and ended.is_set()


def test_what_comes_after_the_end_is_silent(ros_domain: int) -> None:
    async def work() -> None:
        raise AssertionError("begun after the end")

    with spinning(ros_domain) as executor, warnings.catch_warnings():
        warnings.simplefilter("error")
        assert executor.shutdown(LIMIT)
        task = executor.create_task(work)
        assert task.cancelled()
        del task


def test_a_task_is_taken_once_however_long_it_waits_for_a_thread(ros_domain: int) -> None:
    with spinning(ros_domain) as executor:
        go_on = threading.Event()
        submitted = []
        submit = executor._executor.submit
        executor._executor.submit = lambda *a: (submitted.append(a), submit(*a))[1]
        blocked = [executor.create_task(go_on.wait, LIMIT) for _ in range(2)]
        waiting = executor.create_task(lambda: "done")
        for count in range(4, 24):  # each is a look at what there is to do
            executor.create_task(lambda: None)
            until(lambda count=count: len(submitted) >= count)
        go_on.set()
        ended = threading.Event()
        waiting.add_done_callback(lambda _: ended.set())
        assert ended.wait(LIMIT) and waiting.result() == "done"
        taken = [args[1] for args in submitted]
        assert len(set(map(id, taken))) == len(taken) and all(task in taken for task in blocked)


def test_it_sleeps_while_a_task_waits_for_a_thread(ros_domain: int) -> None:
    """A loop that computes meanwhile keeps the thread from the processor on a busy machine."""
    with spinning(ros_domain) as executor:
        go_on, looks = threading.Event(), []
        nodes = executor.get_nodes
        executor.get_nodes = lambda: (looks.append(0), nodes())[1]  # type: ignore[method-assign]
        for _ in range(3):  # one more than there are threads
            executor.create_task(go_on.wait, LIMIT)

        def looks_in(seconds: float) -> int:
            before = len(looks)
            go_on.wait(seconds)
            return len(looks) - before

        quiet = any(looks_in(0.1) < 3 for _ in range(20))
        go_on.set()
        assert quiet and len(looks) > 0


def test_a_task_that_awaits_another_goes_on_when_that_has_ended(ros_domain: int) -> None:
    with spinning(ros_domain) as executor:
        awaited, begun, go_on, ended = Future(), *(threading.Event() for _ in range(3))

        async def awaits() -> None:
            await awaited
            ended.set()

        def ends() -> None:
            begun.set()
            go_on.wait(LIMIT)
            awaited.set_result(None)

        executor.create_task(ends)
        assert begun.wait(LIMIT)
        waiting = executor.create_task(awaits)
        until(lambda: waiting in executor._left and waiting not in executor._taken)
        go_on.set()
        assert ended.wait(LIMIT)


NODE = """
import os, sys, threading
from rclpy.node import Node
from std_msgs.msg import String
from roboinstruct_ros.nodes.node_process import run_node

class Made(Node):
    def __init__(self):
        super().__init__("made")
        self.timer = self.create_timer(0.01, self.beat)
    def beat(self):
        os.write(1, b"beat\\n")
        if "once" in sys.argv:
            self.timer.cancel()
        if "fail" in sys.argv:
            raise ValueError("broken")
    def halt(self):
        os.write(1, b"halted\\n")
    def close(self):
        if "hang" in sys.argv:
            threading.Event().wait()
        os.write(1, b"closed\\n")

sys.exit(run_node(Made))
"""


def test_a_callback_that_fails_ends_the_node_in_order_and_with_a_code(ros_domain: int) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", NODE, "fail"], capture_output=True, text=True, timeout=60
    )
    words = ended.stdout.split()
    assert ended.returncode == 1 and words.index("halted") < words.index("closed")
    assert ended.stderr.count("ValueError: broken") == 1


def test_a_signal_ends_it_in_order_and_silently(ros_domain: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", NODE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    while process.stdout.readline() != "beat\n":  # DDS may say something first
        continue
    process.send_signal(signal.SIGINT)
    words, err = process.stdout.read().split(), process.stderr.read()  # type: ignore[union-attr]
    process.wait(60)
    assert process.returncode == 0 and words.index("halted") < words.index("closed") and err == ""


def test_an_end_that_hangs_has_a_code_and_says_where(ros_domain: int) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", NODE, "fail", "hang"], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 1 and "closed" not in ended.stdout
    assert " in close\n" in ended.stderr
    assert ended.stderr.splitlines()[-1].startswith("made: its end hangs")


def test_a_node_that_does_nothing_sleeps_and_hears_a_signal_all_the_same(ros_domain: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", NODE, "once"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    while process.stdout.readline() != "beat\n":  # DDS may say something first
        continue
    assert any(wakes_in(0.5, process.pid) < 3 for _ in range(20))
    process.send_signal(signal.SIGTERM)
    words = process.communicate(timeout=60)[0].split()
    assert process.returncode == 0 and words == ["halted", "closed"]
