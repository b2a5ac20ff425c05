"""The plan that a person reads before approving a program."""

from __future__ import annotations

import pytest

from roboinstruct_ros.program.narrate import narrate
from roboinstruct_ros.program.task_program import TaskProgram


def plan(body: str) -> list[str]:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return [str(s) for s in narrate(TaskProgram.from_text(f"def task_program():\n{lines}"))]


def test_steps_are_numbered_inside_a_condition() -> None:
    text = (
        'start = get_current_location()\ngo_to("kitchen")\nif is_in_room("apple"):\n'
        '    pick("apple")\n    go_to(start)\n    place("apple")\nelse:\n    say("no apple")'
    )
    assert plan(text) == [
        "1 Remember where I am.",
        "2 Go to the kitchen.",
        "3 If there is an apple here:",
        "3.1 Pick up the apple.",
        "3.2 Go back to where I started.",
        "3.3 Put down the apple.",
        "4 Otherwise:",
        '4.1 Say "no apple".',
    ]


def test_every_step_knows_its_line() -> None:
    program = TaskProgram.from_text(
        'def task_program():\n    say("a")\n    for _ in range(2):\n        say("b")\n'
    )
    assert [(step.number, step.line) for step in narrate(program)] == [
        ("1", 2),
        ("2", 3),
        ("2.1", 4),
    ]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("if is_in_room('cup'):\n        break", "If the repeating was not stopped:"),
        ("try:\n        say('b')\n    except SkillError:\n        break",
         "If the repeating was not stopped:"),
        ("say('b')", "When that is done:"),
        ("for _ in range(2):\n        break", "When that is done:"),
        ("for _ in range(2):\n        say('b')\n    else:\n        break",
         "If the repeating was not stopped:"),
    ],
)  # fmt: skip
def test_what_follows_a_search_in_vain_is_no_step_of_every_run(body: str, told: str) -> None:
    steps = plan(f"for room in get_all_rooms():\n    {body}\nelse:\n    say('none')")
    (after,) = [number for number, step in enumerate(steps) if step.startswith("2 ")]
    assert steps[after:] == [f"2 {told}", '2.1 Say "none".']


REMEMBER = "here = get_current_location()"
BACK = "Go back to where I started."
LAST = "Go to the place that I remembered last."


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ("say('a')", BACK),
        ("go_to('kitchen')", "Go to the kitchen."),
        ("go_to('kitchen')\nif is_in_room('cup'):\n    pick('cup')", "Go to the kitchen."),
        ("if is_in_room('cup'):\n    go_to('kitchen')", LAST),
        ("for room in get_all_rooms():\n    go_to(room)", LAST),
        ("for room in get_all_rooms():\n    say(room)", BACK),
        ("try:\n    go_to('kitchen')\nexcept SkillError:\n    pass", LAST),
        ("def drive():\n    go_to('kitchen')\nsay('a')", BACK),
        ("def drive():\n    go_to('kitchen')\ndrive()", LAST),
        ("drive = go_to\ndrive('kitchen')", LAST),
        ("list(map(go_to, ['kitchen']))", LAST),
        (f"{REMEMBER}\ngo_to('kitchen')\ngo_to(here)", BACK),
        (
            f"{REMEMBER}\ngo_to('kitchen')\nif is_in_room('cup'):\n    go_to(here)\n"
            "    say('yes')\nelse:\n    go_to(here)",
            BACK,
        ),
        (f"{REMEMBER}\ngo_to('kitchen')\nif is_in_room('cup'):\n    go_to(here)", LAST),
        (
            f"{REMEMBER}\nfor _ in range(2):\n    go_to('kitchen')\n    {REMEMBER}\ngo_to(here)",
            LAST,
        ),
        (
            f"def drive():\n    {REMEMBER}\n    go_to('study')\n{REMEMBER}\ngo_to('kitchen')\n"
            "drive()\ngo_to(here)",
            BACK,
        ),
    ],
)
def test_the_remembered_place_is_told_by_name_where_the_text_tells_it(
    before: str, told: str
) -> None:
    steps = plan(f"{before}\n{REMEMBER}\ngo_to('study')\ngo_to(here)")
    assert steps[-1].partition(" ")[2] == told


def test_the_place_in_a_loop_is_not_the_first_one() -> None:
    steps = plan(f"for room in get_all_rooms():\n    {REMEMBER}\n    go_to(room)\n    go_to(here)")
    assert steps[-1] == "1.3 Go to the place that I remembered last."


def test_loops_questions_and_waiting() -> None:
    text = (
        'while not is_in_room("person"):\n    time.sleep(1)\n'
        'ask("Alice", "Tea?", ["yes", "no"])\nfor room in get_all_rooms():\n    go_to(room)'
    )
    assert plan(text) == [
        "1 As long as nobody is here:",
        "1.1 Wait 1 second.",
        '2 Ask Alice: "Tea?" (yes / no).',
        "3 For every room:",
        "3.1 Go to that room.",
    ]


def test_a_loop_over_pairs_says_what_belongs_together() -> None:
    text = (
        'for room, name in [("study", "Bob"), ("kitchen", "Ann")]:\n'
        '    go_to(room)\n    say(name + ", dinner is ready")'
    )
    assert plan(text) == [
        '1 For each room and name of "study" and "Bob", "kitchen" and "Ann":',
        "1.1 Go to that room.",
        '1.2 Say "⟨that name⟩, dinner is ready".',
    ]


def test_formats_and_imports_are_told_as_what_they_say() -> None:
    text = (
        'import time\nhere = get_current_location()\nsay("I am in {}".format(here))\n'
        'say("%s, %d%%" % (here, 7))\nglobal count\ncount = 1'
    )
    assert plan(text) == [
        "1 Remember where I am.",
        '2 Say "I am in ⟨where I started⟩".',
        '3 Say "⟨where I started⟩, 7%".',
        "4 Note count: 1.",
    ]


def test_what_does_not_parse_has_no_plan() -> None:
    assert narrate(TaskProgram.from_text("def task_program(:")) == ()


SENTENCES = [
    ('if is_in_room("Jack") == False:\n    pass', ["1 If Jack is not here:"]),
    (
        'found = is_in_room("red marker")\nif not found:\n    say("none")',
        [
            "1 Look whether there is a red marker here.",
            "2 If there was no red marker:",
            '2.1 Say "none".',
        ],
    ),
    (
        'if ask("", "Tea?", ["Yes", "No"]) == "Yes":\n    say("good")',
        [
            '1 Ask whoever is here: "Tea?" (Yes / No).',
            '2 If the answer is "Yes":',
            '2.1 Say "good".',
        ],
    ),
    (
        'boxes = ask("Al", "Boxes?", ["1", "2"])\nreply = ask("Bo", "Sure?", ["Yes"])\n'
        "for _ in range(int(boxes)):\n    say(reply)",
        [
            '1 Ask Al: "Boxes?" (1 / 2) and note the answer as “boxes”.',
            '2 Ask Bo: "Sure?" (Yes).',
            "3 Do this as many times as the answer “boxes” says:",
            '3.1 Say "⟨the answer⟩".',
        ],
    ),
    (
        'for room in get_all_rooms():\n    if "lab" not in room:\n        continue\n'
        "    go_to(room)",
        ['1 For every room whose name contains "lab":', "1.1 Go to that room."],
    ),
    (
        'for room in [r for r in get_all_rooms() if "lab" in r.lower()]:\n    go_to(room)',
        ['1 For every room whose name contains "lab":', "1.1 Go to that room."],
    ),
    (
        'found = []\nfound.append("cup")\nif len(found) == 0:\n    say("none")',
        [
            "1 Start an empty list “found”.",
            '2 Add "cup" to the list “found”.',
            "3 If the list “found” is empty:",
            '3.1 Say "none".',
        ],
    ),
    (
        'def carry(thing):\n    pick(thing)\ncarry("cup")',
        ["1 Do “carry” with the cup:", "1.1 Pick up the cup."],
    ),
    (
        'try:\n    go_to("lab")\nexcept SkillError:\n    say("no")\nfinally:\n    say("done")',
        [
            "1 Try this:",
            "1.1 Go to the lab.",
            "2 If that fails:",
            '2.1 Say "no".',
            "3 In any case:",
            '3.1 Say "done".',
        ],
    ),
    (
        'for name in ["Al"]:\n    go_to(name + "\'s office")',
        ['1 For each name of "Al":', "1.1 Go to ⟨that name⟩'s office."],
    ),
    (
        'if is_in_room("chairs"):\n    go_to("Bob\'s office")\nelse:\n    go_to("classroom 4")\n'
        'seen = is_in_room("bottles of water")\nif not seen:\n    pick("glass")\n'
        'if is_in_room("box of pens"):\n    place("glass")',
        [
            "1 If there are chairs here:",
            "1.1 Go to Bob's office.",
            "2 Otherwise:",
            "2.1 Go to classroom 4.",
            "3 Look whether there are bottles of water here.",
            "4 If there were no bottles of water:",
            "4.1 Pick up the glass.",
            "5 If there is a box of pens here:",
            "5.1 Put down the glass.",
        ],
    ),
    ("def f():\n    f()\nf()", ["1 Do “f”:", "1.1 Compute: f()."]),
]


@pytest.mark.parametrize(("body", "steps"), SENTENCES)
def test_a_person_can_read_it(body: str, steps: list[str]) -> None:
    assert plan(body) == steps


@pytest.mark.parametrize(
    ("thing", "told"),
    [
        ("milk", "milk"),
        ("toilet paper", "toilet paper"),
        ("milk carton", "a milk carton"),
        ("bottle of water", "a bottle of water"),
        ("glasses", "glasses"),
    ],
)
def test_what_is_not_counted_takes_no_article(thing: str, told: str) -> None:
    verb = "are" if thing == "glasses" else "is"
    text = f'if is_in_room("{thing}"):\n    say("yes")'
    assert plan(text)[0] == f"1 If there {verb} {told} here:"


def test_the_skills_of_another_robot_are_told_by_their_names() -> None:
    assert plan('pick("left hand", "cup")\nrotate("left hand", radians=math.pi / 6)\nwave()') == [
        '1 Pick: "left hand", "cup".',
        '2 Rotate: "left hand", radians math.pi / 6.',
        "3 Wave.",
    ]
