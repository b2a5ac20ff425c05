"""Whatever arrives is a bounded value, or a ValueError of one line."""

from __future__ import annotations

import json
import time
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboinstruct_ros.domain.arrival import (
    LONGEST,
    check_texts,
    read_calls,
    read_json,
    read_object,
)
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.skills import load_domain

DOMAIN = load_domain()
DEEP = 100_000


def message(**fields: Any) -> SimpleNamespace:
    plain = {"index": 0, "skill": "say", "arguments": ['"hello"'], "result": "", "line": 2}
    return SimpleNamespace(**{**plain, "error_code": 0, "error_msg": "", **fields})


def fault_of(happens: Any) -> str:
    begin = time.process_time()
    with pytest.raises(ValueError) as told:
        happens()
    assert time.process_time() - begin < 1.0
    assert "\n" not in str(told.value) and len(str(told.value)) < 400
    str(told.value).encode()
    return str(told.value)


def test_what_is_as_it_should_be_is_read() -> None:
    made = message(result='["a", {"b": [1.5, true, null]}]', error_msg="well", line=7)
    (call,) = read_calls([made], DOMAIN)
    assert call == SkillCall(0, "say", ("hello",), 7, ["a", {"b": [1.5, True, None]}], 0, "well")
    check_texts(SimpleNamespace(source="x" * LONGEST["source"], task_id="t", found=["a"]))
    check_texts(SimpleNamespace())
    assert read_json(json.dumps(["[" * 1000]), "x") == ["[" * 1000], "brackets in texts nest not"


@pytest.mark.parametrize("field", LONGEST)
def test_a_text_that_is_too_long_or_broken_is_refused(field: str) -> None:
    long = SimpleNamespace(**{field: "x" * (LONGEST[field] + 1)})
    assert fault_of(lambda: check_texts(long)).startswith(f"'{field}' has ")
    half = SimpleNamespace(**{field: "\ud800"})
    assert "half a character" in fault_of(lambda: check_texts(half))


def test_found_sentences_are_bounded_in_number_and_length() -> None:
    assert "entries" in fault_of(lambda: check_texts(SimpleNamespace(found=["a"] * 501)))
    assert "characters" in fault_of(lambda: check_texts(SimpleNamespace(found=["a" * 2001])))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * DEEP + "]" * DEEP, "deep"),
        ('{"a":' * DEEP + "1" + "}" * DEEP, "deep"),
        ("[" * DEEP, "deep"),
        ('"' + "x" * 2**20 + '"', "characters"),
        ("nonsense", "not JSON"),
        ('"\\', "not JSON"),
        ('"' + '\\"' * 500_000, "not JSON"),
        ("NaN", "not JSON"),
        ("-Infinity", "not JSON"),
        ("9" * 5000, "not JSON"),
        ('["\\ud800"]', "half a character"),
        ('{"\\udfff": 1}', "half a character"),
    ],
)
def test_json_is_bounded(text: str, said: str) -> None:
    assert said in fault_of(lambda: read_json(text, "it"))
    assert said in fault_of(lambda: read_calls([message(arguments=[text])], DOMAIN))
    assert said in fault_of(lambda: read_calls([message(result=text)], DOMAIN))


@pytest.mark.parametrize(
    ("calls", "said"),
    [
        ([message()] * 10_001, "more than 10000 calls"),
        ([message(arguments=['"' + "x" * 10**6 + '"'])] * 4, "call 4"),
        ([message(), message(skill="fly")], "call 2: there is no skill 'fly'"),
        ([message(skill="time.time")], "no skill"),
        ([message(error_msg="x" * 2001)], "call 1: error_msg"),
        ([message(error_msg="\ud800")], "half a character"),
    ],
)
def test_calls_are_bounded(calls: list[Any], said: str) -> None:
    assert said in fault_of(lambda: read_calls(calls, DOMAIN))


def test_an_event_is_an_object() -> None:
    assert read_object('{"a": 1}', "it") == {"a": 1}
    assert "no object" in fault_of(lambda: read_object("[]", "it"))


@given(st.text(max_size=30) | st.text(alphabet='[]{}",:\\ud8019-e.', max_size=40))
def test_any_text_is_a_value_or_a_fault(text: str) -> None:
    try:
        value = read_json(text, "it")
    except ValueError as error:
        str(error).encode("utf-8", "backslashreplace")
        return
    json.dumps(value, ensure_ascii=False).encode()
