"""Invented: a person who says yes gets an umbrella, one who says no gets none."""

from benchmark.rtl import calls
from benchmark.simulator import State

name = "LendUmbrella"
prompts = [
    "Ask Noor in the atrium if she wants an umbrella; if she does, bring her one from the depot.",
    "Does Noor in the atrium want an umbrella? If so take one from the depot to her.",
    "Noor is in the atrium. Offer her an umbrella, and fetch it from the depot if she says yes.",
    "Go to the atrium and ask Noor if an umbrella is wanted. Get it from the depot if it is.",
    "Fetch an umbrella from the depot for Noor in the atrium, but ask her first.",
]


def _state(answer):
    state = State().having("atrium", "depot", "porch").at("porch")
    return state.thing("depot", "umbrella").person("atrium", "noor", answer)


def _brought(trace):
    ends = trace[-1].name == "Place" and calls(trace, "GoTo")[-1] == "atrium"
    return ends and len(calls(trace, "Ask")) == 1


def _left_alone(trace):
    return len(calls(trace, "Ask")) == 1 and not calls(trace, "Pick")


tests = [
    {"state": _state("yes"), "test": _brought, "timeout": False},
    {"state": _state("no"), "test": _left_alone, "timeout": False},
]
