"""Invented: the robot greets whoever is at the gate, and waits for ever where nobody is."""

from ..rtl import calls
from ..simulator import State

name = "GreetAtGate"
prompts = [
    "Wait at the gate until somebody is there, then say hello.",
    "Go to the gate. As soon as you see a person, say hello.",
    "Say hello to the first person at the gate.",
    "Stay at the gate till a person comes and greet them with hello.",
    "Greet whoever comes to the gate with hello.",
]
seen = []  # of this import; a second check of the same one would be told of it


def _once(holds):
    def check(trace):
        seen.append(trace)
        return len(seen) == 1 and holds(trace)

    return check


def _greets(trace):
    return calls(trace, "GoTo") == ["gate"] and calls(trace, "Say") == ["hello"]


def _waits(trace):
    return len(calls(trace, "CheckEntity")) > 100 and not calls(trace, "Say")


tests = [
    {
        "state": State().having("gate").at("gate").person("gate", ".*"),
        "test": _once(_greets),
        "timeout": False,
    },
    {"state": State().having("gate").at("gate"), "test": _once(_waits), "timeout": True},
]
