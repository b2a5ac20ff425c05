"""Invented: the robot says which workshops have a ladder."""

from benchmark.rtl import calls
from benchmark.simulator import State

name = "TellLadders"
prompts = [
    "Tell me which workshops have a ladder.",
    "In which workshops is there a ladder? Look and come back.",
    "Check each workshop for a ladder, then tell me where you saw one.",
    "Look for ladders in all workshops and report to me.",
    "Go through the workshops and say which of them have ladders.",
]


def _state(*having):
    state = State().having("hall", "workshop 1", "workshop 2").at("hall")
    for workshop in having:
        state.thing(workshop, "ladders?")
    return state


def _names(*having):
    def check(trace):
        said = " ".join(calls(trace, "Say"))
        told = [one for one in ("workshop 1", "workshop 2") if one in said]
        return told == list(having) and calls(trace, "GoTo")[-1] == "hall"

    return check


tests = [
    {"state": _state(*some), "test": _names(*some), "timeout": False}
    for some in ((), ("workshop 1",), ("workshop 1", "workshop 2"))
]
