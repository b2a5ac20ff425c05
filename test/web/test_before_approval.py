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
        (f'{HEAD}    if not go_to("attic"):\n        go_to("cellar")\n',
         "2 steps: drives to the attic and the cellar"),
        (f'{HEAD}    while go_to("attic") or not is_in_room("cup"):\n        go_to("cellar")\n'
         "        return\n", "3 steps: drives to the attic and the cellar"),
        (f'{HEAD}    [go_to(room) for room in ["attic", "cellar"]]\n',
         "1 step: drives to the attic and the cellar"),
        (HEAD + "".join(f'    go_to("room {n}")\n' for n in range(4)),
         "4 steps: drives to 4 rooms"),
        (f'{HEAD}    go_to(location="kitchen")\n    pick(obj="apple")\n',
         "2 steps: drives to the kitchen, takes the apple"),
        (f'{HEAD}    drive = go_to\n    drive("kitchen")\n',
         "2 steps: drives to rooms that it finds"),
        (f'{HEAD}    home = get_current_location()\n    drive = go_to\n    drive("kitchen")\n'
         "    home = get_current_location()\n    go_to(home)\n",
         "5 steps: drives to rooms that it finds"),
        (f'{HEAD}    list(map(pick, ["cup", "bowl"]))\n', "1 step: takes things that it finds"),
        (f'{HEAD}    thing = None\n    if is_in_room("cup"):\n        thing = "cup"\n'
         '    elif is_in_room("mug"):\n        thing = "mug"\n    if thing:\n        pick(thing)\n',
         "7 steps: takes the cup or the mug"),
        (f'{HEAD}    pick("")\n', "1 step: takes a thing that it finds"),
        (f'{HEAD}    open_door("kitchen")\n', "1 step"),
        (f'{HEAD}    place("cup")\n', "1 step"),
        (f'{HEAD}    for time in range(3):\n        print(len("tick"), time)\n',
         "2 steps: nothing moves"),
        (f'{HEAD}    go_to("Kitchen")\n    pick("apple")\n    go_to("kitchen")\n'
         '    pick("the Apple")\n', "4 steps: drives to Kitchen, takes the apple"),
        (f'def visit(room):\n    go_to(room)\n\n{HEAD}    room = "kitchen"\n    visit(room)\n'
         '    visit("study")\n', "5 steps: drives to the kitchen and the study"),
        (f'def visit(room):\n    go_to(room)\n\n{HEAD}    room = "kitchen"\n'
         '    visit(room="study")\n', "3 steps: drives to rooms that it finds"),
        (f'{HEAD}    room = "attic"\n    for turn in range(2):\n        go_to(room)\n'
         '        room = room.upper()\n', "4 steps: drives to rooms that it finds"),
    ],
)  # fmt: skip
def test_what_moves_is_named(source: str, told: str) -> None:
    assert str(approving(source, len(plan_of(source)))) == told


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ('if not is_in_room("cup"): return\ngo_to(home)', "the kitchen"),
        ('if not is_in_room("cup"):\n    go_to(home)\n    return\ngo_to(home)',
         "the kitchen and back"),
        ('if is_in_room("cup"): raise SkillError("no")\ngo_to(home)', "the kitchen and back"),
        ("try: go_to('attic')\nexcept SkillError: go_to(home)", "the kitchen and the attic"),
        ("try: say('hi')\nexcept SkillError: return\ngo_to(home)", "the kitchen"),
        ("try: go_to('attic')\nfinally: go_to(home)", "the kitchen and the attic and back"),
        ("for turn in range(3):\n    go_to('attic')\n    go_to(home)", "the kitchen and the attic"),
        ("go_to(home)\nfor turn in range(3):\n    go_to('attic')\n    go_to(home)",
         "the kitchen and the attic and back"),
        ("go_to(home)\nfor turn in range(3):\n    go_to('attic')\n"
         "    if is_in_room('cup'): break\n    go_to(home)", "the kitchen and the attic"),
        ("spot: str\ngo_to(home)", "the kitchen and back"),
        ("seen = {}\ngo_to(home)\nseen[look()] = 1", "the attic and the kitchen"),
        ("look()\ngo_to(home)", "the attic and the kitchen and back"),
        ("go_to(home)\nlook()", "the attic and the kitchen"),
        ("go_to(home)\n[look() for turn in range(3)]", "the attic and the kitchen"),
        ("go_to(home)\nif look(): say('hi')\ngo_to(home)", "the attic and the kitchen and back"),
    ],
)  # fmt: skip
def test_it_drives_back_where_each_way_ends_there(body: str, told: str) -> None:
    look = 'def look():\n    go_to("attic")\n\n' if "look()" in body else ""
    lines = ["home = get_current_location()", 'go_to("kitchen")', *body.split("\n")]
    source = look + HEAD + "".join(f"    {line}\n" for line in lines)
    assert str(approving(source, 1)) == f"1 step: drives to {told}"


def test_many_branches_and_names_are_read_at_once() -> None:
    loops = "".join(f"{'    ' * n}for n{n} in range(2):\n" for n in range(1, 19))
    names = "".join(f"    a{n} = a{n - 1}\n    a{n} = a{n - 1}\n" for n in range(1, 400))
    source = f'{HEAD}    a0 = "attic"\n{names}{loops}{"    " * 19}go_to(a399)\n'
    assert str(approving(source, 1)) == "1 step: drives to rooms that it finds"


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


def test_an_empty_text_and_answers_of_a_letter_hold_no_doubt() -> None:
    asks = '    answer = ask("", "Which?", ["A", "B"])\n    say(", " + answer)\n'
    source = FETCH.replace(HEAD, HEAD + asks)
    lines = tuple(one.line for one in plan_of(source))
    texts = ("I take it that a cup is in the kitchen.", "A pan, a cup are needed.")
    assert [one.step for one in doubts_of(source, lines, texts, ())] == [3, 3]
