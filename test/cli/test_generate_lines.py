"""`generate --jsonl`: in order, nothing lost, gone on with after an interruption."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import cli, one_line

from roboinstruct_ros.generate.backends.open_backend import model_meant

KITCHEN = {"id": "a", "instruction": "Go to the kitchen."}
STUDY = {"id": "b", "instruction": "Go to the study and say hello"}


def lines(*objects: dict[str, Any]) -> str:
    return "".join(json.dumps(one) + "\n" for one in objects)


def read(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_programs_come_in_order_with_what_they_took() -> None:
    result = cli("generate", "--jsonl", text=lines(KITCHEN, {"id": 3}, STUDY) + "no JSON\n")
    assert result.returncode == 2
    first, faulty, third, last = read(result.stdout)
    assert (first["id"], faulty["id"], third["id"], last["id"]) == ("a", 3, "b", None)
    assert first["accepted"] and third["accepted"] and 'go_to("study")' in third["program"]
    assert "line 2" in faulty["error"] and "line 4" in last["error"]
    assert {"prompt_tokens", "cached_tokens", "first_token", "tokens_per_second", "verification",
            "rejected"} <= set(first["stats"])  # fmt: skip
    assert first["violations"] == [] and first["attempts"] == 1


def test_an_interrupted_run_is_gone_on_with(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text(json.dumps({"id": "a", "program": "kept"}) + '\n{"id": "b", "pro')
    assert cli("generate", "--jsonl", "--out", str(out), text=lines(KITCHEN, STUDY)).returncode == 0
    first, second = read(out.read_text())
    assert first == {"id": "a", "program": "kept"}
    assert second["id"] == "b" and second["accepted"]


@pytest.mark.parametrize("text", ["a diary\n", "a diary", lines(KITCHEN, STUDY, KITCHEN)])
def test_another_file_is_not_written_over(tmp_path: Path, text: str) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text(text)
    result = cli("generate", "--jsonl", "--out", str(out), text=lines(KITCHEN))
    assert str(out) in one_line(result)
    assert out.read_text() == text


def test_programs_for_something_else_are_not_taken_for_what_is_asked(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    first = ("generate", "--jsonl", "--out", str(out))
    assert cli(*first, text=lines(KITCHEN)).returncode == 0
    kept = out.read_text()
    (one,) = read(kept)
    assert (one["instruction"], one["world"]) == (KITCHEN["instruction"], "home")
    assert one["model"] == model_meant("")
    for more, asked, told in [
        ((), {**KITCHEN, "instruction": "Go to the study."}, "instruction: made for 'Go to the ki"),
        (("--world", "office"), KITCHEN, "world: made for 'home', asked for 'office'"),
        (("--open",), KITCHEN, "world: made for 'home', asked for ''"),
    ]:
        refused = cli(*first, *more, text=lines(asked, STUDY))
        assert refused.returncode == 2 and told in one_line(refused)
        assert "or another --out" in one_line(refused) and out.read_text() == kept


def test_an_unverified_program_is_not_an_accepted_one() -> None:
    result = cli("generate", "--jsonl", "--no-verify", "--no-grammar", text=lines(KITCHEN))
    (one,) = read(result.stdout)
    assert 'go_to("kitchen")' in one["program"] and not one["accepted"]
    assert "not verified" in one["error_msg"]


def test_a_room_that_is_not_there_is_asked_about() -> None:
    strange = {"id": 1, "instruction": "Go to the ballroom and say hello"}
    (one,) = read(cli("generate", "--jsonl", text=lines(strange)).stdout)
    assert not one["accepted"] and "did you mean" in one["answer"]["words"]
    assert one["stats"]["rejected"][0]["code"] == "unknown_location"
    (free,) = read(cli("generate", "--jsonl", "--open", text=lines(strange)).stdout)
    assert free["accepted"] and 'go_to("ballroom")' in free["program"]


def test_either_one_text_or_many() -> None:
    assert "either TEXT or --jsonl" in one_line(cli("generate"))
    assert "either TEXT or --jsonl" in one_line(cli("generate", "x", "--jsonl"))


def test_a_split_is_asked_for_and_a_model_that_only_writes_is_not_asked_to_read() -> None:
    steps = "In two steps: go to the kitchen; then go to the study"
    whole = json.loads(cli("generate", steps, "--json", "--back-translate").stdout)
    assert whole["deferred"] == ""
    result = json.loads(cli("generate", steps, "--json", "--progressive", "cues").stdout)
    assert (result["now"], result["deferred"]) == ("Go to the kitchen", "Go to the study")
    assert result["accepted"] and "study" not in result["program"]
