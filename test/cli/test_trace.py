"""`roboinstruct trace` and `replay`: what was recorded is told, and what has changed is found."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from recorded_runs import bag_of, paused, recorded, with_more
from stage import BLOCKED, FakeSkills
from typer.testing import CliRunner, Result

from roboinstruct_ros.cli import app
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.files.world_names import find_domain
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.execute.run_setting import RunSetting
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.trace.bag import EVENT_TYPE, BagWriter
from roboinstruct_ros.trace.retention import MARK
from roboinstruct_ros.verify.verifier import verify

SHIPPED = Path(__file__).parents[1] / "bags"
BODY = 'go_to("kitchen")\nif is_in_room("apple"):\n    pick("apple")\n    go_to("study")'


def cli(*arguments: object) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)], env={"COLUMNS": "200"})


@pytest.fixture
def bags(tmp_path: Path) -> Path:
    folder = tmp_path / "bags"
    recorded(folder / "fetched", BODY, FakeSkills({"is_in_room": SkillOutcome(True)}))
    recorded(folder / "blocked", BODY, FakeSkills({"go_to": BLOCKED}))
    return folder


def test_the_list_has_every_run_and_names_what_cannot_be_read(bags: Path) -> None:
    (bags / "torn").mkdir()
    (bags / "torn" / "torn.mcap").write_bytes(b"\x89MCAP")
    told = cli("trace", "list", bags)
    assert told.exit_code == 0
    assert "blocked" in told.stdout and "failed NAVIGATION_BLOCKED" in told.stdout
    assert "2 runs: " in told.stdout and "1 failed" in told.stdout
    assert f"left out: {bags / 'torn'}: not a complete bag" in told.stdout
    failed = json.loads(cli("trace", "list", bags, "--outcome", "failed", "--json").stdout)
    assert [(one["bag"], one["error_code"]) for one in failed["traces"]] == [
        (str(bags / "blocked"), "skill_failed")
    ]
    none = cli("trace", "list", bags, "--words", "no such")
    assert none.stdout.startswith("No such run is recorded in")


def told_of(*arguments: object) -> list[str]:
    """The names of the bags in a list."""
    listed = cli("trace", "list", *arguments, "--json")
    return [Path(one["bag"]).name for one in json.loads(listed.stdout)["traces"]]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (("--error", "NAVIGATION_BLOCKED"), ["blocked"]),
        (("--error", "skill_failed"), ["blocked"]),
        (("--error", "hand_full"), []),
        (("--outcome", "Succeeded"), ["fetched"]),
        (("--outcome", "cut off"), []),
        (("--room", "Study"), ["fetched"]),
        (("--room", "cooking area"), []),
        (("--person", "apple"), ["fetched"]),
        (("--since", "2023-11-14"), ["blocked", "fetched"]),
        (("--since", "2023-11-15T00:00"), []),
        (("--until", "2023-11-15"), ["blocked", "fetched"]),
        (("--since", "7d"), []),
    ],
)
def test_only_the_runs_that_are_asked_for_are_listed(
    bags: Path, wanted: tuple[str, str], found: list[str]
) -> None:
    assert told_of(bags, *wanted) == found


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (("--outcome", "faild"), "--outcome: there is no 'faild'; did you mean 'failed'?"),
        (("--outcome", "x"), "there are succeeded, failed, cancelled, cut_off"),
        (("--error", "hand_ful"), "--error: there is no 'hand_ful'; did you mean 'hand_full'?"),
        (("--since", "yesterday"), "--since: 'yesterday' is no time; right are 2026-11-22, "),
        (("--until", "999999d"), "--until: '999999d' is no time"),
    ],
)
def test_what_cannot_be_asked_for_is_one_line_that_says_what_can(
    bags: Path, wanted: tuple[str, str], told: str
) -> None:
    refused = cli("trace", "list", bags, *wanted)
    assert refused.exit_code == 2 and refused.stderr.count("\n") == 1
    assert told in refused.stderr


def test_of_a_room_where_no_run_was_it_is_told_where_they_were(bags: Path) -> None:
    told = cli("trace", "list", bags, "--room", "garage").stdout
    assert told.startswith("No such run is recorded in") and "There are: kitchen, study." in told


def test_a_run_that_is_being_recorded_is_no_torn_bag(bags: Path) -> None:
    writer = BagWriter(bags / "now", {"/roboinstruct/events": EVENT_TYPE})
    assert "now: not a complete bag: it is being recorded\n" in cli("trace", "list", bags).stdout
    writer.close()
    assert "no run in it" in cli("trace", "list", bags).stdout


def test_a_run_is_kept_until_it_is_said_otherwise(bags: Path) -> None:
    kept = cli("trace", "keep", bags / "fetched")
    assert kept.exit_code == 0 and (bags / "fetched" / MARK).exists()
    cli("trace", "keep", bags / "fetched", "--no")
    assert not (bags / "fetched" / MARK).exists()
    assert cli("trace", "keep", bags).exit_code == 2


def test_a_recorded_bag_is_known_by_the_beginning_of_its_name(
    bags: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(bags))
    recorder = bags / ".ros" / "roboinstruct" / "runs"
    recorder.mkdir(parents=True)
    (bags / "fetched").rename(recorder / "20260101T080000Z_1f")
    (bags / "blocked").rename(recorder / "20260102T080000Z_2e")
    assert "20260101T080000Z " in cli("trace", "list").stdout
    assert "NAVIGATION_BLOCKED" in cli("trace", "show", "last").stdout
    assert "NAVIGATION_BLOCKED" not in cli("trace", "show", "20260101").stdout
    assert cli("replay", "20260101", "last").stdout.endswith("\n2 bags replayed: 4 same\n")
    several = cli("trace", "show", "2026")
    assert (several.exit_code, several.stderr.count("\n")) == (2, 1)
    assert "2026: 2 bags begin so (20260101T080000Z_1f, 20260102T080000Z_2e" in several.stderr
    assert "no bag in" in cli("trace", "show", "1999").stderr


def test_one_run_is_shown_call_by_call(bags: Path) -> None:
    told = cli("trace", "show", bags / "blocked")
    assert told.exit_code == 0
    assert "NAVIGATION_BLOCKED: a door is shut" in told.stdout
    assert 'go_to("kitchen")' in told.stdout and "none left out" in told.stdout
    document = json.loads(cli("trace", "show", bags / "fetched", "--json").stdout)
    assert [call["skill"] for call in document["calls"]] == ["go_to", "is_in_room", "pick", "go_to"]


def test_one_more_try_is_told_in_the_singular() -> None:
    assert "(after 1 more try)" in cli("trace", "show", SHIPPED / "failed").stdout


def test_a_pause_is_shown_where_it_was_and_is_no_time_of_the_call(
    bags: Path, tmp_path: Path
) -> None:
    held = paused(tmp_path / "held", bags / "fetched")
    shown = [line.split() for line in cli("trace", "show", held).stdout.splitlines()]
    at = shown.index(["1.0", "paused", "0.5", "s"])
    assert shown[at - 1][:4] == ["2", "0.5", "1.0", "go_to('kitchen')"]
    (first, *others) = json.loads(cli("trace", "show", held, "--json").stdout)["calls"]
    assert first["paused"] == 0.5 and {call["paused"] for call in others} == {0.0}
    whole, table = tmp_path / "run.json", tmp_path / "run.csv"
    cli("trace", "export", held, "--json", whole, "--csv", table)
    call = json.loads(whole.read_text())["calls"][0]
    assert (call["paused"], call["pauses"]) == (0.5, [{"began": 1.0, "ended": 1.5}])
    assert [row["paused"] for row in csv.DictReader(table.open())] == ["0.5", "0.0", "0.0", "0.0"]


def test_a_pause_ends_with_the_call_that_a_stop_ends(bags: Path, tmp_path: Path) -> None:
    held = paused(tmp_path / "held", bags / "fetched", resumed=False)
    assert "paused 0.5 s" in cli("trace", "show", held).stdout


def test_bags_that_go_as_recorded_are_success_and_another_map_is_told(
    bags: Path, tmp_path: Path
) -> None:
    same = cli("replay", bags)
    assert same.exit_code == 0 and same.stdout.endswith("\n2 bags replayed: 4 same\n")
    report = tmp_path / "junit.xml"
    other = cli("replay", bags, "--verdict", "--world", "office", "--jobs", 1, "--junit", report)
    assert other.exit_code == 1
    assert "fetched: verdict: by the map: was accepted" in other.stdout
    suite = ElementTree.parse(report).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "2")
    assert "There is no room 'kitchen'" in suite.findall("testcase/failure")[0].get("message", "")


def test_two_runs_stand_side_by_side_and_the_first_difference_is_marked(bags: Path) -> None:
    same = cli("trace", "diff", bags / "fetched", bags / "fetched")
    assert same.exit_code == 0 and "the same calls, answers and end" in same.stdout
    other = cli("trace", "diff", bags / "blocked", bags / "fetched")
    assert other.exit_code == 1
    (marked,) = [line for line in other.stdout.splitlines() if ">" in line]
    assert "go_to('kitchen'): failed NAVIGATION_BLOCKED" in marked
    assert "go_to('kitchen'): done" in marked
    assert "failed SKILL_FAILED" in other.stdout and "(nothing)" in other.stdout
    assert "not the same: the random seed" in other.stdout
    assert other.stdout.endswith("first difference: call 1\n")


def test_a_run_is_written_as_page_table_and_object(bags: Path, tmp_path: Path) -> None:
    page, table, whole = (tmp_path / f"run.{kind}" for kind in ("html", "csv", "json"))
    told = cli("trace", "export", bags / "blocked", "--html", page, "--csv", table, "--json", whole)
    assert told.exit_code == 0 and str(page) in told.stdout
    assert page.read_text().startswith("<!doctype html>")
    (call,) = csv.DictReader(table.open())
    assert (call["skill"], call["arguments"], call["error"]) == (
        "go_to", '["kitchen"]', "navigation_blocked",
    )  # fmt: skip
    document = json.loads(whole.read_text())
    assert document["outcome"] == "failed" and document["calls"][0]["began"] >= 0
    nothing = cli("trace", "export", bags / "blocked")
    assert nothing.exit_code == 2 and "name a file" in nothing.stderr
    nowhere = cli("trace", "export", bags / "blocked", "--csv", tmp_path / "no" / "x.csv")
    assert nowhere.exit_code == 2 and "cannot be written" in nowhere.stderr


@pytest.mark.parametrize("command", [("trace", "show"), ("replay",), ("trace", "list")])
def test_what_is_no_bag_is_one_line(command: tuple[str, ...], tmp_path: Path) -> None:
    told = cli(*command, tmp_path / "nowhere")
    assert told.exit_code == 2 and "Traceback" not in told.output
    assert told.stderr.count("\n") == 1 and str(tmp_path / "nowhere") in told.stderr


def test_an_unreadable_bag_does_not_keep_the_others_from_being_replayed(bags: Path) -> None:
    (data,) = (bags / "blocked").glob("*.mcap")
    data.write_bytes(data.read_bytes()[:500])
    told = cli("replay", bags, "--calls")
    assert told.exit_code == 2
    assert "not a complete bag" in told.stdout and "1 same, 1 unreadable" in told.stdout


def test_a_program_that_no_model_wrote_is_skipped(bags: Path, tmp_path: Path) -> None:
    report = tmp_path / "junit.xml"
    told = cli("replay", bags / "fetched", "--program", "--junit", report)
    assert told.exit_code == 0, told.output
    assert "no model wrote the program" in told.stdout and "replayed: 1 skipped" in told.stdout
    suite = ElementTree.parse(report).getroot()
    assert (suite.get("errors"), suite.get("skipped")) == ("0", "1")
    assert len(suite.findall("testcase/skipped")) == 1
    accepted = cli("replay", bags / "fetched", "--program", "--accept")
    assert accepted.exit_code == 0 and "accepted: 0 expectations" in accepted.stdout
    assert not (bags / "fetched" / "expected.json").exists()


def test_a_run_in_which_a_node_was_lost_is_not_simulated(bags: Path, tmp_path: Path) -> None:
    lost = with_more(tmp_path / "lost", bags / "fetched", (EventKind.NODE_LOST, {"node": "speech"}))
    told = cli("replay", lost, "--simulate")
    assert told.exit_code == 0 and "the node 'speech' was lost" in told.stdout, told.output
    assert "1 skipped" in told.stdout


def test_a_run_is_promoted_and_what_has_changed_is_accepted(bags: Path, tmp_path: Path) -> None:
    cases = tmp_path / "cases"
    promoted = cli("trace", "promote", bags / "fetched", "apple", "--to", cases)
    assert promoted.exit_code == 0, promoted.output
    assert "expected, calls: goes as recorded" in promoted.stdout
    changed = (cases, "--verdict", "--world", "office")
    assert cli("replay", *changed).exit_code == 1
    accepted = cli("replay", *changed, "--accept")
    assert accepted.exit_code == 0 and "accepted: 1 expectation changed" in accepted.stdout
    assert cli("replay", *changed).exit_code == 0
    back = cli("replay", cases, "--verdict")
    assert back.exit_code == 1 and "goes as recorded; expected is: by the map" in back.stdout


@pytest.mark.parametrize(
    ("name", "more", "told"),
    [
        ("a/b", (), "'a/b' is not the name of a folder"),
        ("x", ("--rename", "Alice"), "--rename Alice: expected NAME=OTHER"),
    ],
)
def test_what_cannot_be_promoted_is_one_line(
    bags: Path, tmp_path: Path, name: str, more: tuple[str, ...], told: str
) -> None:
    refused = cli("trace", "promote", bags / "fetched", name, "--to", tmp_path / "cases", *more)
    assert refused.exit_code == 2 and told in refused.stderr
    several = cli("trace", "promote", bags, "x")
    assert several.exit_code == 2 and "not one bag" in several.stderr


def test_a_bag_that_was_cut_off_is_repaired_beside_itself(bags: Path) -> None:
    (data,) = (bags / "fetched").glob("*.mcap")
    data.write_bytes(data.read_bytes()[:-3000])
    (bags / "fetched" / "metadata.yaml").unlink()
    repaired = cli("trace", "repair", bags / "fetched")
    assert repaired.exit_code == 0 and "fetched_repaired: " in repaired.stdout
    told = cli("replay", bags / "fetched_repaired", "--calls")
    assert told.exit_code == 0, told.stdout
    again = cli("trace", "repair", bags / "fetched")
    assert again.exit_code == 2 and "cannot be opened" in again.stderr


def test_policies_are_read_by_the_skills_of_the_recorded_robot(tmp_path: Path) -> None:
    calendar = load_domain(find_domain("calendar"))
    source = 'def task_program():\n    schedule_on_calendar("lunch", "12:00 pm", "1 hr")\n'
    digest, verdict = sha256_of(source), verify(source, calendar)
    setting = RunSetting(domain=calendar).model_dump(mode="json", by_alias=True)
    verified = {"program_sha256": digest, "verdict": verdict.model_dump(mode="json"), "plan": []}
    begun = {"instruction": "", "program_sha256": digest, "seed": 0, "resumed": 0}
    bag = bag_of(
        tmp_path / "bag",
        [
            (EventKind.PROGRAM_VERIFIED, verified),
            (EventKind.RUN_SETTING, {"source": source, "setting": setting}),
            (EventKind.RUN_STARTED, begun),
        ],
    )
    policies = tmp_path / "policies.yaml"
    policies.write_text("policies: [{name: free, never: 'schedule_on_calendar(...)'}]\n")
    told = cli("replay", bag, "--verdict", "--policies", policies)
    assert told.exit_code == 1 and "by the policies: was accepted" in told.stdout
