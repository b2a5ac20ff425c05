"""The results of a replay for machines."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from roboinstruct_ros.trace.compared import Depth
from roboinstruct_ros.trace.regression import Outcome, Replayed
from roboinstruct_ros.trace.replay_results import junit


def test_whatever_a_program_says_is_read_back_from_the_file() -> None:
    told = "call 3: say('\x07\x1b[31mhi \U0001f600')"
    suite = ElementTree.fromstring(
        junit([Replayed(Path("bag"), Depth.CALLS, Outcome.DIFFERENT, told)])
    )
    [failure] = suite.iter("failure")
    assert failure.get("message") == "call 3: say('\ufffd\ufffd[31mhi \U0001f600')"
