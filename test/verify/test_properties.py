"""Properties of the verifier over generated programs."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.verify.verifier import replay, verify

DOMAIN = load_domain()
OBJECTS = ("apple", "cup")
ROOMS = ("kitchen", "study")


def _statements(depth: int) -> st.SearchStrategy[list[str]]:
    simple = st.one_of(
        st.sampled_from([f'go_to("{room}")' for room in ROOMS]),
        st.sampled_from([f'pick("{thing}")' for thing in OBJECTS]),
        st.sampled_from([f'place("{thing}")' for thing in OBJECTS]),
    ).map(lambda line: [line])
    if depth == 0:
        return st.lists(simple, min_size=1, max_size=3).map(_joined)
    branch = st.tuples(
        st.sampled_from(OBJECTS), st.booleans(), _statements(depth - 1), _statements(depth - 1)
    ).map(_branch)
    return st.lists(st.one_of(simple, simple, branch), min_size=1, max_size=4).map(_joined)


def _joined(parts: list[list[str]]) -> list[str]:
    return [line for part in parts for line in part]


def _branch(parts: tuple[str, bool, list[str], list[str]]) -> list[str]:
    thing, negated, yes, no = parts
    word = "not " if negated else ""
    indented = [f"    {line}" for line in yes], [f"    {line}" for line in no]
    return [f'if {word}is_in_room("{thing}"):', *indented[0], "else:", *indented[1]]


# The start room is fixed, so that the brute force below need not guess it.
programs = _statements(2).map(
    lambda lines: (
        "def task_program():\n"
        + "\n".join(f"    {line}" for line in ['go_to("kitchen")', *lines])
        + "\n"
    )
)


@given(programs)
@settings(max_examples=80)
def test_counterexamples_replay(source: str) -> None:
    for violation in verify(source, DOMAIN).violations:
        assert violation.counterexample is not None
        (again,) = replay(source, violation.counterexample.choices, DOMAIN)
        assert (again.code, again.line) == (violation.code, violation.line)


@given(programs)
@settings(max_examples=80)
def test_renaming_objects_keeps_the_verdict(source: str) -> None:
    renamed = source.replace("apple", "red marker").replace("cup", "Zebra")
    before, after = verify(source, DOMAIN), verify(renamed, DOMAIN)
    assert (before.status, before.paths) == (after.status, after.paths)
    assert [(v.code, v.line) for v in before.violations] == [
        (v.code, v.line) for v in after.violations
    ]


@given(programs)
@settings(max_examples=80)
def test_the_verdict_is_that_of_brute_force(source: str) -> None:
    verdict = verify(source, DOMAIN)
    assert verdict.exhaustive
    assert verdict.accepted == _never_fails(source)


class _Fails(Exception):
    pass


def _never_fails(source: str) -> bool:
    """Every sequence of answers to `is_in_room`, through another, simpler model of the world."""
    for answers in itertools.product((True, False), repeat=source.count("is_in_room")):
        try:
            _run(source, list(answers))
        except _Fails:
            return False
    return True


def _run(source: str, answers: list[bool]) -> None:
    here, held, known = "", "", {}  # type: ignore[var-annotated]

    def go_to(room: str) -> None:
        nonlocal here
        here = room

    def is_in_room(thing: str) -> bool:
        return known.setdefault((thing, here), answers.pop())

    def pick(thing: str) -> None:
        nonlocal held
        if held or not known.get((thing, here), True):
            raise _Fails
        held = thing
        known.pop((thing, here), None)

    def place(thing: str) -> None:
        nonlocal held
        if held != thing:
            raise _Fails
        held = ""
        known[thing, here] = True

    skills: dict[str, Callable[..., Any]] = {
        "go_to": go_to, "is_in_room": is_in_room, "pick": pick, "place": place,
    }  # fmt: skip
    namespace: dict[str, Any] = {**skills}
    exec(source, namespace)
    namespace["task_program"]()
