"""What recording a run costs, and what replaying and showing the bags does."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
from graph import own_graph
from idle import node_times
from rich.console import Console
from rich.table import Table
from whole_stack import whole_stack

from roboinstruct_ros.trace.bag import read_messages
from roboinstruct_ros.trace.compared import Depth
from roboinstruct_ros.trace.document import document_of
from roboinstruct_ros.trace.regression import replay_all
from roboinstruct_ros.trace.replay import replay_calls
from roboinstruct_ros.trace.run_trace import bags_under
from roboinstruct_ros.web.kept.run_page import run_page

COUNTS = (100, 200, 400)
"""Bags replayed at a time."""

_SHIPPED = Path(__file__).resolve().parents[1] / "test" / "bags"
_DRIVE = """\
def task_program():
    for room in get_all_rooms()[:7]:
        go_to(room)
        is_in_room("apple")
"""
_REPEATED = 600.0  # s of the run whose page is measured


@dataclass(frozen=True)
class Recording:
    """Of a run at real speed.

    Attributes:
        seconds: that it took.
        share: of a core, which the recorder computed meanwhile.
        megabytes: of its bag.
        page: s to make a page of a run of ten minutes that drives all the time.
        page_size: MB.
    """

    seconds: float
    share: float
    megabytes: float
    page: float
    page_size: float


def record() -> Recording:
    """A drive through seven rooms, with all that is recorded of it."""
    with own_graph() as processes, whole_stack(processes) as stack:
        program = stack.folder / "drive.py"
        program.write_text(_DRIVE)
        before = node_times(stack.supervisor)["recorder"]
        begun = time.monotonic()
        command = ("-m", "roboinstruct_ros.cli", "run", "--yes", "--program", str(program))
        subprocess.run([sys.executable, *command], check=True, capture_output=True)
        seconds = time.monotonic() - begun
        computed = node_times(stack.supervisor)["recorder"] - before
        (bag,) = bags_under(stack.folder / ".ros" / "roboinstruct" / "runs")
        stamps = [stamp for _, stamp, _ in read_messages(bag, ("roboinstruct/events",))]
        ran = (stamps[-1] - stamps[0]) / 1e9
        size = sum(path.stat().st_size for path in bag.iterdir()) / 1e6
        page, page_size = _page_of_ten_minutes(bag, ran)
    return Recording(ran, computed / seconds, size, page, page_size)


def _page_of_ten_minutes(bag: Path, ran: float) -> tuple[float, float]:
    """s and MB; the run is read as often as ten minutes hold it, and shown once with all of it."""
    times = max(round(_REPEATED / ran), 1)
    begin = time.process_time()
    documents = [document_of(bag) for _ in range(times)]
    whole = documents[0]
    for layer in ("calls", "poses", "worlds"):
        whole[layer] = [one for document in documents for one in document[layer]]
    text = run_page(whole)
    return time.process_time() - begin, len(text.encode()) / 1e6


def replay_times(counts: Sequence[int] = COUNTS) -> list[tuple[float, float]]:
    """For so many bags at depth calls, on all cores: s, and s of all cores that are computed."""
    taken: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        shipped = bags_under(_SHIPPED)
        for number in range(max(counts)):
            shutil.copytree(shipped[number % len(shipped)], Path(folder) / f"{number:05}")
        bags = bags_under(Path(folder))
        for count in counts:
            begin, computed = time.monotonic(), _computed()
            results = list(
                replay_all(bags[:count], {Depth.CALLS: replay_calls}, psutil.cpu_count() or 1)
            )
            taken.append((time.monotonic() - begin, _computed() - computed))
            assert all(not one.told for one in results)
    return taken


def _computed() -> float:
    """s, by this process and those that it has had."""
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


def print_recording(console: Console) -> None:
    """Measure and print; some minutes."""
    with console.status("recording a drive"):
        run = record()
    with console.status("replaying bags"):
        times = replay_times()
    table = Table(title="recorded runs")
    for column in ("what", "measured", "goal"):
        table.add_column(column)
    minutes = run.seconds / 60
    rows = [
        (f"recorder, of a core, in a drive of {run.seconds:.0f} s", f"{run.share:.1%}", "2 %"),
        ("its bag, a minute", f"{run.megabytes / minutes:.2f} MB", "1 MB"),
        ("page of a run of ten minutes, computing", f"{run.page:.2f} s", "2 s"),
        ("its size", f"{run.page_size:.2f} MB", "2 MB"),
    ]
    for count, (seconds, computed) in zip(COUNTS, times, strict=True):
        goal = "5 s" if count == COUNTS[0] else f"{count / COUNTS[0] * 5:g} s"
        what = f"{count} bags replayed, calls, {psutil.cpu_count()} cores"
        rows.append(
            (what, f"{seconds:.1f} s (computing: {computed / count * 1e3:.0f} ms a bag)", goal)
        )
    for row in rows:
        table.add_row(*row)
    console.print(table)


if __name__ == "__main__":
    print_recording(Console())
