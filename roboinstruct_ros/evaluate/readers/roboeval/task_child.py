"""Imports one task module of a RoboEval checkout and calls its checks, in a separate process.

Foreign code runs only here. It can read its checkout and Python's own files; it cannot write, use
the network or start processes, and its output is discarded.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from roboinstruct_ros.sandbox.confined_child import serve
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.sandbox.wire import Wire, WireClosed

_ALIKE = (str, re.Pattern)


class WrongForm(Exception):
    """The module does not have the benchmark's interface."""


def main() -> None:
    os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
    sys.dont_write_bytecode = True
    serve(_answer)


def _answer(wire: Wire, _: Limits) -> None:
    setup = wire.receive()
    sys.path[:0] = setup["roots"]
    task = _Task(setup["module"], setup["roots"])
    while True:
        request = wire.receive()
        try:
            answer: Any = task.told() if "told" in request else task.holds(**request)
        except WireClosed:
            raise
        except BaseException as error:  # foreign code may raise anything, and may try to exit
            wire.send({"error": f"{type(error).__name__}: {error}"[:300]})
        else:
            wire.send({"answer": answer})


class _Task:
    """A task module, imported afresh for every request: what a check has changed is gone."""

    def __init__(self, module: str, roots: Sequence[str]) -> None:
        self._name, self._roots = module, tuple(roots)

    def told(self) -> dict[str, Any]:
        """The task in plain values."""
        module = self._fresh()
        for name in ("name", "prompts", "tests"):
            if not hasattr(module, name):
                raise WrongForm(f"it has no `{name}`")
        return {
            "name": _text(module.name, "name"),
            "prompts": [_text(prompt, "prompts") for prompt in module.prompts],
            "tests": [_test(test) for test in module.tests],
        }

    def holds(self, test: int, trace: Sequence[Sequence[Any]]) -> bool:
        """Whether the check of test `test` passes for a trace."""
        module = self._fresh()
        element = _trace_element(self._name)
        return bool(module.tests[test]["test"]([element(*values) for values in trace]))

    def _fresh(self) -> ModuleType:
        known = sys.modules.items()
        for name in [name for name, module in known if self._is_of_the_checkout(module)]:
            del sys.modules[name]
        return import_module(self._name)

    def _is_of_the_checkout(self, module: Any) -> bool:
        places = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
        return any(str(place).startswith(self._roots) for place in places if place)


def _test(test: Any) -> dict[str, Any]:
    state = test["state"]
    if not callable(test["test"]):
        raise WrongForm("a `test` cannot be called")
    agents = {
        _text(place, "agents"): [(_text(name, "agents"), _texts(said)) for name, said in some]
        for place, some in dict(state.agents).items()
    }
    return {
        "timeout": bool(test["timeout"]),
        "state": {
            "locations": _texts(state.locations),
            "objects": {_text(at, "objects"): _texts(some) for at, some in state.objects.items()},
            "agents": agents,
            "robot_location": _text(state.robot_location, "robot_location"),
        },
    }


def _trace_element(task: str) -> Any:
    """`TraceElement` from the task's imported `rtl` module, else from the checkout's own."""
    loaded = [sys.modules[name] for name in list(sys.modules) if name.split(".")[-1] == "rtl"]
    parents = [task.rsplit(".", count)[0] for count in range(1, task.count(".") + 1)]
    for module in loaded or _imported([*(f"{parent}.rtl" for parent in parents), "rtl"]):
        if hasattr(module, "TraceElement"):
            return module.TraceElement
    raise WrongForm("the checkout has no module `rtl` with a `TraceElement`")


def _imported(names: Iterable[str]) -> Iterator[ModuleType]:
    for name in names:
        try:
            yield import_module(name)
        except ModuleNotFoundError:
            continue


def _texts(values: Any) -> list[str]:
    if isinstance(values, _ALIKE):
        raise WrongForm(f"{values!r} is no list")
    return [_text(value, "a list") for value in values]


def _text(value: Any, what: str) -> str:
    if isinstance(value, re.Pattern):
        return str(value.pattern)
    if not isinstance(value, str):
        raise WrongForm(f"{what} has a {type(value).__name__} where a text belongs")
    return str(value)
