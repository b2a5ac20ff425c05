"""The verifier under other domains: it knows no skill by name."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboinstruct_ros.domain.files.world_names import find_domain
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.verify.verifier import verify

ARM = load_domain(find_domain("arm"))
CALENDAR = load_domain(find_domain("calendar"))
TURN = 'rotate("left hand", math.pi / 6)\n'

TABLE = [
    ("appendix A.7.1: turns too far from any start", ARM, TURN * 3, ("out_of_range", 4)),
    ("two turns fit from the lowest start", ARM, TURN * 2, None),
    ("each hand turns by itself", ARM, TURN * 2 + 'rotate("right hand", 1)', None),
    ("to and fro", ARM, TURN * 2 + 'rotate("left hand", -math.pi / 3)\n' + TURN * 2, None),
    ("to and fro and too far", ARM,
     TURN * 2 + 'rotate("left hand", -math.pi / 3)\n' + TURN * 2 + TURN, ("out_of_range", 7)),
    ("one turn larger than the whole range", ARM, 'rotate("left hand", 2)', ("out_of_range", 2)),
    ("a text for a number", ARM, 'rotate("left hand", "90")', ("wrong_arguments", 2)),
    ("not a number", ARM, 'rotate("left hand", math.inf)', ("wrong_arguments", 2)),
    ("a hand that there is not", ARM, 'rotate("middle hand", 0.1)', ("unknown_entity", 2)),
    ("a hand for an object", ARM, 'pick("cup", "left hand")', ("unknown_entity", 2)),
    ("two hands, two cups", ARM,
     'pick("left hand", "cup")\npick("right hand", "plate")\nplace("left hand", "cup")', None),
    ("one hand, two cups", ARM,
     'pick("left hand", "cup")\npick("left hand", "plate")', ("hand_full", 3)),
    ("the other hand holds it", ARM,
     'pick("left hand", "cup")\nplace("right hand", "cup")', ("hand_empty", 3)),
    ("not on the table", ARM,
     'if not is_on_table("cup"):\n    pick("left hand", "cup")', ("object_absent", 3)),
    ("appendix A.7.2: two events at once", CALENDAR, """
        schedule_on_calendar("robotics class office hour",
                             "9:30 am", "1 hr")
        schedule_on_calendar("deep learning class office hour",
                             "10:00 am", "1 hr")
     """, ("slot_taken", 4)),
    ("one after the other", CALENDAR, """
        schedule_on_calendar("robotics", "9:30 am", "1 hr")
        schedule_on_calendar("deep learning", "10:30 am", "1 hr")
     """, None),
    ("found in a loop", CALENDAR, """
        for n in range(4):
            schedule_on_calendar(f"talk {n}", f"{9 + n}:00", "90 min")
     """, ("slot_taken", 3)),
    ("the same event twice", CALENDAR, """
        schedule_on_calendar("lunch", "noon", "1 hour")
        schedule_on_calendar("lunch", "14:00", "1 hour")
     """, ("precondition_failed", 3)),
    ("no time of day", CALENDAR,
     'schedule_on_calendar("lunch", "soon", "1 hour")', ("wrong_arguments", 2)),
    ("no duration", CALENDAR,
     'schedule_on_calendar("lunch", "noon", "a while")', ("wrong_arguments", 2)),
    ("a skill of another robot", CALENDAR, 'go_to("kitchen")', ("unknown_skill", 2)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "domain", "body", "wanted"), TABLE, ids=[row[0] for row in TABLE])
def test_a_program_gets_its_verdict(name, domain, body, wanted) -> None:  # type: ignore[no-untyped-def]
    source = "def task_program():\n" + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
    verdict = verify(source + "\n", domain)
    assert verdict.exhaustive
    found = [(violation.code.value, violation.line) for violation in verdict.violations]
    assert found == ([wanted] if wanted else [])


def test_advice_tells_of_what_the_call_is_about(tmp_path: Path) -> None:
    path = tmp_path / "taps.yaml"
    path.write_text("""\
name: taps
predicates:
  - {name: open, arguments: [object], initially: false, when_true: open, when_false: shut}
skills:
  - name: shut
    parameters: [{name: tap, type: object}]
    advice: [{literal: open(tap), is: true, message: "{tap} is shut already"}]
    effects: [{literal: open(tap), becomes: false}]
""")
    (warning,) = verify('def task_program():\n    shut("left tap")\n', load_domain(path)).warnings
    assert warning.message == "Line 2 is of no use: the left tap is shut already."


def test_the_message_says_how_far_the_hand_has_turned() -> None:
    (violation,) = verify(f"def task_program():\n    {TURN}    {TURN}    {TURN}", ARM).violations
    assert violation.message == (
        "The left hand cannot turn by 0.524 rad: after the turns so far it stands at 0.524 rad, "
        "and it only turns from -0.524 to 0.524 rad."
    )


def test_the_message_names_the_event_in_the_way() -> None:
    body = '    schedule_on_calendar("talk", "9:30 am", "1 hr")\n'
    body += '    schedule_on_calendar("tea", "10 am", "30 min")\n'
    (violation,) = verify("def task_program():\n" + body, CALENDAR).violations
    assert violation.message == (
        "The tea cannot begin at 10 am for 30 min: "
        "the talk takes the calendar from 9:30 am to 10:30 am."
    )


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=8))
def test_turns_are_accepted_when_some_start_fits_them(tenths: list[int]) -> None:
    """Brute force: starts in steps of 0.1 over a range of -0.5 to 0.5, as the arm's turns are."""
    half = 5.235987755982988  # pi/6 in tenths
    sums = [sum(tenths[:n]) for n in range(len(tenths) + 1)]
    fits = max(sums) - min(sums) <= 2 * half
    lines = "".join(f'    rotate("left hand", {n / 10})\n' for n in tenths)
    assert verify("def task_program():\n" + lines, ARM).accepted == fits
