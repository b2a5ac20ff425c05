"""A journal that holds anything at all is told of in one line, and hides no other."""

from __future__ import annotations

import copy
import json
import tempfile
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_journal import written

from roboinstruct_ros.execute.journal import SUFFIX
from roboinstruct_ros.execute.journal_folder import interrupted_runs
from roboinstruct_ros.nodes.conversions import interrupted_run_to_msg, skill_call_to_msg

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from([10**400, -1, 2**31, 1e300, "", "\ud800", "a\0b", "x" * 9999])
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


def records() -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        journal = written(Path(folder))
        journal.rules_changed("b" * 64)
        lines = journal.path.read_text().splitlines()
        journal.close()
    found = [json.loads(line[9:]) for line in lines]
    found[0]["remains"] = [[["holding", "cup"], True]]
    return [*found, {"go_on": found[0]["begin"], "at": 1.0, "rules": ""}]


RECORDS = records()


def places(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = [above]
    for key, part in inner if isinstance(value, (dict, list)) else ():
        found += places(part, (*above, key)) if isinstance(part, (dict, list)) else [(*above, key)]
    return found


def changed(records: list[Any], place: tuple[Any, ...], value: Any) -> list[Any]:
    records = copy.deepcopy(records)
    parent: Any = records
    for key in place[:-1]:
        parent = parent[key]
    parent[place[-1]] = value
    return records


def stored(folder: Path, records: list[Any]) -> None:
    lines = (json.dumps(record).encode() for record in records)
    whole = b"".join(b"%08x %s\n" % (zlib.crc32(line), line) for line in lines)
    (folder / f"bad{SUFFIX}").write_bytes(whole)


def offered(folder: Path) -> list[str]:
    """Runs that can be told of in messages; what cannot be read is told in one line each."""
    runs, faults = interrupted_runs(folder)
    for run in runs:
        interrupted_run_to_msg(run)
        for call in run.calls:
            skill_call_to_msg(call)
    assert all(f"bad{SUFFIX}: " in fault and "\n" not in fault for fault in faults)
    return [run.order.task_id for run in runs] + faults


@given(st.sampled_from(places(RECORDS)[1:]), VALUES)
@settings(max_examples=400, deadline=None)
def test_any_value_in_any_place_hides_no_other_run(place: tuple[Any, ...], value: Any) -> None:
    with tempfile.TemporaryDirectory() as name:
        written(Path(name), "good").close()
        stored(Path(name), changed(RECORDS, place, value))
        assert "good" in offered(Path(name))


@pytest.mark.parametrize("text", ["[]", "5", '"end"', "null", "[" * 100_000 + "]" * 100_000])
@pytest.mark.parametrize("first", [True, False])
def test_a_record_that_is_no_object_is_told_in_one_line(
    tmp_path: Path, text: str, first: bool
) -> None:
    written(tmp_path, "good").close()
    written(tmp_path, "bad").close()
    line = b"%08x %s\n" % (zlib.crc32(text.encode()), text.encode())
    path = tmp_path / f"bad{SUFFIX}"
    path.write_bytes(line + path.read_bytes() if first else path.read_bytes() + line)
    assert offered(tmp_path) == ["good", f"{path}: not a journal of a run"]
