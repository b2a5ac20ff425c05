"""Writing stops where no continuation can save the program, and nowhere else."""

from __future__ import annotations

import pytest
from test_verdicts import ALL

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.generate import prefix_check
from roboinstruct_ros.generate.prefix_check import PrefixCheck
from roboinstruct_ros.generate.program_text import HEAD
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.verifier import verify

DOMAIN = load_domain()
HOME = load_semantic_map(find_world("home"))
# written by programs of one function, as models do
ACCEPTED = [case for case in ALL if not case.code and case.source.startswith(HEAD)]


@pytest.fixture(autouse=True)
def _checked_at_every_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefix_check, "SHARE", float("inf"))


def stopped_at(source: str, closed: bool = True) -> str:
    """What had been written when writing was stopped; empty when it never was."""

    def judge(text: str) -> Verdict:
        return verify(text, DOMAIN, HOME if closed else None)

    check = PrefixCheck(judge)
    body = source.removeprefix(HEAD)
    for end in range(1, len(body) + 1):
        if body[end - 1] == "\n":
            doomed = check.doomed(body[:end])
            if doomed:
                return doomed
    return ""


def test_the_second_pick_ends_it() -> None:
    begun = HEAD + '    go_to("kitchen")\n    pick("cup")\n    pick("plate")\n'
    assert stopped_at(begun + '    say("never written")\n') == begun


def test_a_block_is_waited_for_until_it_is_complete() -> None:
    block = HEAD + '    if is_in_room("a"):\n        pick("a")\n        pick("b")\n'
    assert stopped_at(block) == ""
    assert stopped_at(block + '    else:\n        say("x")\n') == ""
    assert stopped_at(block + '    for r in ["a"]:\n') == block
    assert stopped_at(block + '    say("x")\n') == block + '    say("x")\n'


def test_a_loop_may_still_put_down_what_it_picks() -> None:
    loop = HEAD + '    for _ in range(2):\n        pick("a")\n'
    assert stopped_at(loop) == ""
    assert stopped_at(loop + '        place("a")\n    say("done")\n') == ""


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case.name)
def test_no_accepted_program_is_stopped(case: object) -> None:
    assert stopped_at(case.source, case.closed) == ""  # type: ignore[attr-defined]


def test_a_fast_model_is_not_slowed_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefix_check, "SHARE", 0.05)
    now = [0.0]
    monkeypatch.setattr(prefix_check.time, "monotonic", lambda: now[0])
    judged: list[str] = []

    def slow(text: str) -> Verdict:
        judged.append(text)
        now[0] += 1.0
        return verify(text, DOMAIN)

    check = PrefixCheck(slow)
    for lines in range(1, 40):
        now[0] += 1.0  # s that the model takes for a line
        check.doomed('    say("x")\n' * lines)
    assert 1 <= len(judged) <= 4
