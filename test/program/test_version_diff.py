"""The difference of two programs names every line once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from roboinstruct_ros.program.version_diff import changed_lines

LINES = st.lists(st.sampled_from(["a", "    b", "c", "? d"]), max_size=6).map("\n".join)


@given(LINES, LINES)
def test_both_programs_can_be_read_from_it(old: str, new: str) -> None:
    lines = changed_lines(old, new)
    if not lines:
        assert old.strip() == new.strip()
        return
    assert [text for mark, text in lines if mark != "+"] == old.strip("\n").splitlines()
    assert [text for mark, text in lines if mark != "-"] == new.strip("\n").splitlines()
