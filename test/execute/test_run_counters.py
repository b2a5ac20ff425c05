"""Figures of runs, from the events that the runner really tells."""

from __future__ import annotations

from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from stage import BLOCKED, DOMAIN, FakeSkills, Stage
from test_recovery import TWICE, Stubborn

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.execute.run_counters import RunCounters


def counted(*stages: Stage) -> RunCounters:
    """All events of the stages, a second between two of them."""
    counters = RunCounters(DOMAIN.skill_names)
    events = [event for stage in stages for event in stage.events]
    for second, (kind, data) in enumerate(events):
        counters.note(kind.value, data, 1000.0 + second)
    return counters


def value(counters: RunCounters, name: str, **labels: str) -> float:
    """The sum of the series with these labels."""
    families = text_string_to_metric_families(counters.text().decode())
    samples = [sample for family in families for sample in family.samples]
    return sum(
        sample.value
        for sample in samples
        if sample.name == f"roboinstruct_{name}_total" and labels.items() <= sample.labels.items()
    )


def ran(body: str, skills: FakeSkills | None = None, **options: object) -> Stage:
    stage = Stage(skills, **options)  # type: ignore[arg-type]
    stage.run(body)
    return stage


def test_tasks_are_counted_by_how_they_ended() -> None:
    blocked = FakeSkills({"go_to": BLOCKED})
    counters = counted(
        ran('say("hi")'), ran('say("hi")'), ran('go_to("kitchen")', blocked), ran('place("apple")')
    )
    assert value(counters, "tasks", outcome="succeeded", error="none") == 2
    assert value(counters, "tasks", outcome="failed", error="skill_failed") == 1
    assert value(counters, "tasks", outcome="failed", error="not_verified") == 1
    assert value(counters, "programs_rejected", by="executor", code="hand_empty") == 1
    assert value(counters, "programs_rejected") == 1


def test_losses_are_counted_once() -> None:
    counters = RunCounters(DOMAIN.skill_names)
    assert [counters.note_losses(losses) for losses in (0, 2, 2, 3)] == [False, True, False, True]
    assert value(counters, "nodes_lost") == 3


def test_calls_are_counted_by_skill_and_code_with_the_time_that_they_took() -> None:
    counters = counted(ran('say("a")\nsay("b")\ngo_to("kitchen")', FakeSkills({"go_to": BLOCKED})))
    assert value(counters, "skill_calls", skill="say", code="none") == 2
    assert value(counters, "skill_calls", skill="go_to", code="navigation_blocked") == 1
    assert value(counters, "skill_seconds", skill="say") == pytest.approx(2.0)
    assert value(counters, "skill_seconds", skill="go_to") == pytest.approx(1.0)


def test_recovery_tries_are_counted_by_skill_and_error() -> None:
    counters = counted(ran('go_to("kitchen")', Stubborn("go_to", BLOCKED, 2), recovery=TWICE))
    assert value(counters, "recovery_tries", skill="go_to", error="navigation_blocked") == 2
    assert value(counters, "skill_calls", skill="go_to") == 1


def test_pauses_stops_hazards_and_what_a_generator_does_are_counted() -> None:
    counters = RunCounters(DOMAIN.skill_names)
    rejected = {"status": "rejected", "violations": [{"code": "hand_full"}]}
    for kind, data in (
        (EventKind.RUN_PAUSED, {"paused": True}),
        (EventKind.RUN_PAUSED, {"paused": False}),
        (EventKind.STOP_REQUESTED, {"source": "kiosk", "reason": ""}),
        (EventKind.HAZARD_SEEN, {"line": 2, "code": "hand_full", "reaction": "pause"}),
        (EventKind.DRAFT_STARTED, {"draft": 1}),
        (EventKind.DRAFT_VERIFIED, {"draft": 1, "source": "", "verdict": rejected}),
        (EventKind.DRAFT_STARTED, {"draft": 2}),
        (EventKind.DRAFT_VERIFIED, {"verdict": {"status": "accepted", "violations": []}}),
        (EventKind.GENERATION_FINISHED, {"error_code": 0}),
        (EventKind.TOKENS, {"text": "go_to"}),
    ):
        counters.note(kind.value, data, 1000.0)
    assert value(counters, "pauses") == 1
    assert value(counters, "stops") == 1
    assert value(counters, "hazards", code="hand_full", reaction="pause") == 1
    assert value(counters, "generation_drafts") == 2
    assert value(counters, "programs_rejected", by="generator", code="hand_full") == 1
    assert value(counters, "generations", error="none") == 1


def test_names_from_outside_make_no_series_of_their_own() -> None:
    counters = RunCounters(DOMAIN.skill_names)
    for number in range(5):
        data = {"index": 0, "skill": f"made_up_{number}", "error_code": 0}
        counters.note("skill_finished", data, 1000.0)
    assert value(counters, "skill_calls", skill="other", code="none") == 5
    assert b"made_up" not in counters.text()


@pytest.mark.parametrize("data", [{}, {"index": 0, "skill": "say", "error_code": 987}, []])
def test_an_event_that_lacks_what_it_should_carry_is_told(data: object) -> None:
    counters = RunCounters(DOMAIN.skill_names)
    with pytest.raises(ValueError, match="skill_finished is not counted"):
        counters.note("skill_finished", data, 1000.0)  # type: ignore[arg-type]
    assert value(counters, "skill_calls") == 0


def test_a_clock_that_was_set_back_takes_no_time_away() -> None:
    counters = RunCounters(DOMAIN.skill_names)
    counters.note("skill_started", {"index": 0}, 1000.0)
    counters.note("skill_finished", {"index": 0, "skill": "say", "error_code": 0}, 900.0)
    assert value(counters, "skill_seconds") == 0


def test_the_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    counters = counted(ran('say("hi")'))
    path = tmp_path / "robot.prom"
    path.write_text("old")
    counters.write(path)
    assert path.read_bytes() == counters.text()
    assert [one.name for one in tmp_path.iterdir()] == ["robot.prom"]
