"""A person reads what an approval starts, and each doubt at the step that it is about."""

from __future__ import annotations

import pytest

from roboinstruct_ros.web.before_approval import approving, doubts_of
from roboinstruct_ros.web.plan import plan_of

HEAD = "def task_program():\n"
FETCH = (
    f'{HEAD}    go_to("kitchen")\n    pick("cup")\n    go_to("Bob\'s office")\n    place("cup")\n'
)
FIRST = (
    f'{HEAD}    for thing in ["{{}}", "{{}}"]:\n'
    "        if is_in_room(thing):\n            pick(thing)\n            return\n"
)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (FETCH, "4 steps: drives to the kitchen and Bob's office, takes the cup"),
        (f'{HEAD}    say("hello")\n', "1 step: nothing moves"),
        (f"{HEAD}    for room in get_all_rooms():\n        go_to(room)\n",
         "2 steps: drives to rooms that it finds"),
        (f'{HEAD}    home = get_current_location()\n    go_to("kitchen")\n    go_to(home)\n',
         "3 steps: drives to the kitchen and back"),
        (f"{HEAD}    home = get_current_location()\n    go_to(home)\n", "2 steps: drives back"),
        (f'{HEAD}    home = get_current_location()\n    go_to("attic")\n    go_to(home)\n'
         '    go_to("cellar")\n', "4 steps: drives to the attic and the cellar"),
        (f'{HEAD}    home = get_current_location()\n    go_to("attic")\n'
         '    if not is_in_room("person"):\n        go_to(home)\n',
         "4 steps: drives to the attic"),
        (f'{HEAD}    home = get_current_location()\n    go_to("attic")\n'
         '    if is_in_room("person"):\n        go_to(home)\n    else:\n        go_to(home)\n',
         "6 steps: drives to the attic and back"),
        (f'{HEAD}    for room in ["kitchen", "attic"]:\n        go_to(room)\n',
         "2 steps: drives to the kitchen and the attic"),
        (f'{HEAD}    for room in ["kitchen"]:\n        go_to(room)\n'
         "    for room in get_all_rooms():\n        go_to(room)\n",
         "4 steps: drives to rooms that it finds"),
        (f'{HEAD}    home = get_current_location()\n    home = ask("", "To?", ["a", "b"])\n'
         "    go_to(home)\n", "3 steps: drives to a room that it finds"),
        (f'{HEAD}    go_to("pantry")\n    home = get_current_location()\n    go_to("lobby")\n'
         "    go_to(home)\n", "4 steps: drives to the pantry and the lobby"),
        (f'{HEAD}    for room in get_all_rooms():\n        go_to(room)\n'
         '        if is_in_room("cup"):\n            pick("cup")\n            break\n'
         '    go_to("dining room")\n',
         "6 steps: drives to rooms that it finds and the dining room, takes the cup"),
        (FIRST.format("cup", "bowl"), "4 steps: takes the cup or the bowl"),
        (FIRST.replace("return", "break").format("cup", "bowl"),
         "4 steps: takes the cup or the bowl"),
        (FIRST.replace("return", "place(thing)").format("cup", "bowl"),
         "4 steps: takes the cup and the bowl"),
        (FIRST.format('pen", "pot', 'cup", "bowl'), "4 steps: takes one of 4 things"),
        (f'{HEAD}    if is_in_room("cup"):\n        pick("cup")\n'
         '    elif is_in_room("pot"):\n        pick("pot")\n        return\n    pick("pen")\n',
         "6 steps: takes the cup and the pot and the pen"),
        (HEAD + "".join(f'    go_to("room {n}")\n' for n in range(4)),
         "4 steps: drives to 4 rooms"),
    ],
)  # fmt: skip
def test_what_moves_is_named(source: str, told: str) -> None:
    assert str(approving(source, len(plan_of(source)))) == told


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("I take it that a cup is in the kitchen.", 1),
        ("The program uses 'Bob's office', which the instruction does not name.", 2),
        ("The instruction names 'garage', which the program never uses.", -1),
        ("Cupboards are closed.", -1),
    ],
)
def test_a_doubt_stands_where_what_it_names_is_touched(text: str, step: int) -> None:
    lines = tuple(one.line for one in plan_of(FETCH))
    assert [one.step for one in doubts_of(FETCH, lines, (text,), ())] == [step]
