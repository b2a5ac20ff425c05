"""The plan neither leaves out an action nor says what the program does not do."""

from __future__ import annotations

import ast
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roboinstruct_ros.domain.phrase import LANGUAGES, text_of
from roboinstruct_ros.program.narrate import narrate
from roboinstruct_ros.program.task_program import TaskProgram

APPLE, PEAR, BOB = ('is_in_room("apple")', 'is_in_room("pear")', 'is_in_room("Bob")')
TEA = 'ask("Bob", "Tea?", ["yes", "no"])'


def told(source: str) -> list[str]:
    return [str(step) for step in narrate(TaskProgram.from_text(source))]


def plan(body: str, before: str = "") -> list[str]:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return told(f"{before}\ndef task_program():\n{lines}")


def last(body: str, before: str = "") -> str:
    return plan(body, before)[-1].partition(" ")[2]


# Every action is told


@pytest.mark.parametrize(
    ("body", "steps"),
    [
        ('return place("cup")', ["1 Put down the cup.", "2 End the task."]),
        (f"return {APPLE} and pick('cup')",
         ["1 Compute: is_in_room('apple') and pick('cup').", "2 End the task."]),
        ("def put():\n    return place('cup')\nput()",
         ["1 Do “put”:", "1.1 Put down the cup.", "1.2 End “put”."]),
        ("def put():\n    place('cup')\nreturn put()",
         ["1 Do “put”:", "1.1 Put down the cup.", "2 End the task."]),
        ("def put(where='hall'):\n    go_to(where)\nput()", ["1 Do “put”:", "1.1 Go to the hall."]),
        (f"def put():\n    place('cup')\nif put() == ({TEA} == 'no'):\n    pass",
         [f"1 If put() is ({TEA.replace(chr(34), chr(39))} == 'no'):",
          "2 What put() above means:", "2.1 Put down the cup."]),
        ("def seen():\n    return is_in_room('cup')\nif seen():\n    pass",
         ["1 If seen():", "2 What seen() above means:",
          "2.1 The result is whether there is a cup here."]),
        ("def put(*rooms):\n    go_to(rooms[0])\nput('hall')",
         ["1 Compute: put('hall').", "2 What put(*rooms) above means:", "2.1 Go to rooms[0]."]),
        ("def get():\n    for n in ['cup', 'hat']:\n        if is_in_room(n):\n"
         "            pick(n)\n            return True\n    return False\nx = get()",
         ["1 Do “get”:", '1.1 For each item of "cup", "hat":', "1.1.1 If that item is here:",
          "1.1.1.1 Pick up that item.", "1.1.1.2 The result is True.", "1.1.1.3 End “get”.",
          "1.2 The result is False."]),
        ("def put(where):\n    go_to(where)\n    put('den')\nput('hall')",
         ["1 Do “put” with the hall:", "1.1 Go to the hall.", "1.2 Compute: put('den').",
          "2 What put(where) above means:", "2.1 Go to where.", "2.2 Compute: put('den')."]),
    ],
)  # fmt: skip
def test_a_return_and_a_function_hide_no_action(body: str, steps: list[str]) -> None:
    assert plan(body) == steps


@pytest.mark.parametrize(
    "use",
    ["if look('hall'):\n    say('x')", "for one in look('hall'):\n    say(one)",
     "while look('hall'):\n    say('x')", "say(f'{look(1)} cups')", "n = 1\nn += look('hall')",
     "found: bool = look('hall')", "a, b = look('hall'), 1", "list(map(look, ['hall']))",
     "rooms = [room for room in get_all_rooms() if look(room)]", "assert look('hall')",
     "act = look\nact('hall')", "say('a' if look('hall') else 'b')",
     "if is_in_room('x'):\n    pass\nelif look('hall'):\n    say('x')",
     "def b():\n    look('hall')\ndef c():\n    b()\ndef d():\n    c()\ndef e():\n    d()\ne()"],
)  # fmt: skip
def test_the_steps_of_a_function_are_told_however_it_is_used(use: str) -> None:
    steps = plan(use, "def look(room):\n    return pick(room)")
    assert any("Pick up" in step for step in steps), steps


def test_constants_are_steps() -> None:
    assert plan("for room in ROOMS:\n    go_to(room)", "ROOMS = ['hall', 'den']")[:2] == [
        '1 Note ROOMS: "hall", "den".',
        "2 For each room of ROOMS:",
    ]


EXPRESSIONS = [
    "{0}", "not {0}", "{0} and {1}", "({0}, {1})", "[{0} for _ in [{1}]]", "{{1: {0}}}", "-{0}",
    "str({0})", "len({0})", "sorted({0}, key={1})", "f'{{{0}}}'", "f'{{1:{{{0}}}}}'",
    "{0} if {1} else 3", "'a' + {0}", "{0} + {1}", "{0}[{1}]", "[*{0}]", "{0} == {1}",
    "{0} < 3 < {1}", "'a' in {0}", "{0} is not True", "{0}.upper()", "', '.join({0}, {1})",
    "random.choice({0})", "(n := {0})", "lambda: {0}", "is_in_room({0})", "is_in_room({0}, {1})",
    "ask({0}, {1}, [{0}])", "go_to({0})", "say({0})", "print({0}, sep={1})", "time.sleep({0}, {1})",
    "other(1, how={0})", "own({0})", "own(1, *{0})", "foo.append({0}, {1})",
]  # fmt: skip
STATEMENTS = [
    "{0}", "x = {0}", "x[{0}] = {1}", "x, y = {0}", "x: int = {0}", "x += {0}", "return {0}",
    "assert {0}", "raise Exception({0})", "del x[{0}]", "x = y = {0}",
    "if {0}:\n    {1}", "if x:\n    pass\nelif {0}:\n    x = {1}\nelse:\n    {1}",
    "for one in {0}:\n    {1}", "for n in range({0}):\n    {1}", "while {0}:\n    {1}",
    "for one in x:\n    if 'a' in one:\n        {0}\nelse:\n    {1}",
    "try:\n    {0}\nexcept SkillError as e:\n    x = {1}\nelse:\n    {0}\nfinally:\n    {1}",
    "def f(a=1):\n    return {0}\nf()", "def f():\n    {0}\n    return {1}\nif f():\n    pass",
    "def f(a):\n    x = a\n    return a\nz = f({0})", "def f():\n    {0}\nf()\nf()",
]  # fmt: skip


def _program(seed: int) -> str:
    """A program whose calls of the skill `mark` are numbered."""
    chance, count = random.Random(seed), 0

    def expression(depth: int) -> str:
        nonlocal count
        if depth == 0:
            count += 1
            return f"mark({count})"
        made = chance.choice(EXPRESSIONS)
        return made.format(expression(depth - 1), expression(chance.randrange(depth)))

    lines = ["def own(a):", "    return a", "def task_program():", "    x = []"]
    for number in range(3):
        statement = chance.choice(STATEMENTS).replace("f(", f"f{number}(")
        statement = statement.format(expression(2), expression(1))
        lines += [f"    {line}" for line in statement.split("\n")]
    return "\n".join(lines)


@given(st.integers(0, 10**9))
@settings(max_examples=400, deadline=None)
def test_every_call_of_a_skill_is_told(seed: int) -> None:
    source = _program(seed)
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    text = "\n".join(told(source))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "mark":
            number = ast.unparse(node.args[0])
            assert f"mark({number})" in text or f"Mark: {number}." in text, f"{source}\n{text}"


# A variable is told by what it stands for only where that is certain


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (f"found = {APPLE}\nif not found:\n    found = {PEAR}\nif found:\n    pass", "If found:"),
        (f"seen = True\nif {BOB}:\n    seen = {APPLE}\nif seen:\n    pass", "If seen:"),
        (f"found = {APPLE}\nfound += {PEAR}\nif found:\n    pass", "If found:"),
        (f"found = {APPLE}\nif (found := {PEAR}):\n    pass\nif found:\n    pass", "If found:"),
        (f"found = {APPLE}\ndef f():\n    nonlocal found\n    found = {PEAR}\nf()\nif found:\n"
         "    pass", "If found:"),
        (f"found = {APPLE}\ntry:\n    go_to('hall')\n    found = {PEAR}\nexcept SkillError:\n"
         "    say('x')\nif found:\n    pass", "If found:"),
        (f"a = {APPLE}\ngo_to('hall')\nb = {APPLE}\nif a:\n    pass", "If a:"),
        (f"found = {APPLE}\nx = (found := {PEAR})\nif found:\n    pass", "If found:"),
        (f"if {APPLE}:\n    place = 'hall'\nelse:\n    place = get_current_location()\n"
         "go_to(place)",
         "Go to place."),
        ("old = get_current_location()\nfor room in ['hall']:\n    go_to(old)\n    old = room\n"
         "go_to(old)", "Go to old."),
        ("here = get_current_location()\nhere, other = 'hall', 'den'\ngo_to(here)", "Go to here."),
        ("for r in get_all_rooms():\n    go_to(r)\ngo_to(r)", "Go to r."),
        ("rooms = get_all_rooms()\nrooms.remove('hall')\ngo_to(rooms[0])", "Go to rooms[0]."),
        ("rooms = get_all_rooms()\nsame = rooms\nsame.pop()\nfor room in rooms:\n    pass",
         "For each room of rooms:"),
        # the words mention a variable that has another value by now
        ("a = 'hall'\nrooms = [r for r in get_all_rooms() if r != a]\na = 'den'\n"
         "for r in rooms:\n    pass", "For each item of rooms:"),
        ("a = 'cup'\nfound = is_in_room(a)\na = 'hat'\nif found:\n    pass", "If found:"),
        ("def f(what, n):\n    n = 5\n    say(what)\nn = 1\nf(n + 1, 2)", 'Say "⟨what⟩".'),
        ("n = 1\ndef f(what):\n    nonlocal n\n    n = 5\n    say(what)\nf(n + 1)",
         'Say "⟨what⟩".'),
        (f"def f(what):\n    reply = {TEA}\n    say(what)\nanswer = {TEA}\nf(f'he: {{answer}}')",
         'Say "⟨what⟩".'),
        ("def f(x):\n    def g():\n        nonlocal x\n        x = 'den'\n    g()\n    go_to(x)\n"
         "f('hall')", "Go to x."),
        ("for room in get_all_rooms():\n    def g():\n        nonlocal room\n        room = 'den'\n"
         "    g()\n    go_to(room)", "Go to room."),
        # what stays in words
        ("a = 'hall'\nrooms = [r for r in get_all_rooms() if r != a]\nfor r in rooms:\n    pass",
         "For every room for which it is not a:"),
        (f"def f(what):\n    say(what)\nanswer = {TEA}\nf(f'he: {{answer}}')",
         'Say "⟨he: ⟨the answer⟩⟩".'),
        (f"found = {APPLE}\nif not found:\n    go_to('hall')\n    found = {APPLE}\nif found:\n"
         "    pass", "If there was an apple:"),
        (f"answer = {TEA}\nwhile answer != 'yes':\n    answer = {TEA}\nsay(answer)",
         'Say "⟨the answer⟩".'),
        (f"for room in get_all_rooms():\n    found = {APPLE}\n    if found:\n        break\n"
         "if found:\n    pass", "If there was an apple:"),
        (f"here = get_current_location()\nif {APPLE}:\n    here = 'hall'\n    return\ngo_to(here)",
         "Go back to where I started."),
        ("rooms = get_all_rooms()\nfor room in rooms:\n    pass", "For every room:"),
    ],
)  # fmt: skip
def test_a_variable_with_several_values_is_told_by_its_name(body: str, told: str) -> None:
    assert last(body) == told


@pytest.mark.parametrize(
    ("body", "steps"),
    [
        (f"found = {APPLE}\nif not found:\n    found = {PEAR}\nif found:\n    pass",
         ["1 Look whether there is an apple here and note the answer as “found”.",
          "2 If not found:",
          "2.1 Look whether there is a pear here and note the answer as “found”.",
          "3 If found:"]),
        (f"answer = {TEA}\nreply = ask('Al', 'Milk?', ['yes'])\nif answer == 'yes':\n    pass",
         ['1 Ask Bob: "Tea?" (yes / no) and note the answer as “answer”.',
          '2 Ask Al: "Milk?" (yes) and note the answer as “reply”.',
          '3 If the answer “answer” is "yes":']),
        (f"answer = {TEA}\nif ask('Al', 'Milk?', ['yes']) == 'yes':\n    say(answer)",
         ['1 Ask Bob: "Tea?" (yes / no) and note the answer as “answer”.',
          '2 Ask Al: "Milk?" (yes).', '3 If the answer is "yes":',
          '3.1 Say "⟨the answer “answer”⟩".']),
        ("def f(n):\n    return n\na = f(1)\nb = f(2)\nsay(a)",
         ["1 Do “f” with 1:", "1.1 The result is 1.", "2 Note a: the result of “f”.",
          "3 Do “f” with 2:", "3.1 The result is 2.", "4 Note b: the result of “f”.",
          '5 Say "⟨a⟩".']),
        ("for room in get_all_rooms():\n    for other in get_all_rooms():\n        go_to(room)",
         ["1 For every room “room”:", "1.1 For every room “other”:",
          "1.1.1 Go to that room."]),
        ("for _ in range(2):\n    a = get_current_location()\n    go_to('hall')\n    go_to('den')\n"
         "    b = get_current_location()\n    go_to(a)",
         ["1 Do this 2 times:", "1.1 Remember where I am as “a”.", "1.2 Go to the hall.",
          "1.3 Go to the den.", "1.4 Remember where I am.", "1.5 Go to the place “a”."]),
        ("for n in range(3):\n    say(f'{n}')",
         ["1 For each n from 0 to 2:", '1.1 Say "⟨n⟩".']),
        ("for n in range(3, 0, -1):\n    say(f'{n}')",
         ["1 For each n from 3 to 1:", '1.1 Say "⟨n⟩".']),
        ("for n in range(0, 9, 4):\n    say(f'{n}')",
         ["1 Repeat this for n in range(0, 9, 4):", '1.1 Say "⟨n⟩".']),
        ("for _ in range(1, 4):\n    say('x')", ["1 Do this 3 times:", '1.1 Say "x".']),
        ("def trip(home):\n    go_to('hall')\n    go_to(home)\ntrip(get_current_location())",
         ["1 Do “trip” with home: where I am:", "1.1 Go to the hall.", "1.2 Go to home."]),
        (f"def f(seen):\n    go_to('hall')\n    if seen:\n        say('x')\nf({APPLE})",
         ["1 Do “f” with seen: is_in_room('apple'):", "1.1 Go to the hall.", "1.2 If seen:",
          '1.2.1 Say "x".']),
        (f"def f(who):\n    say(who)\n    go_to(who)\nf({TEA})",
         ['1 Do “f” with who: the answer of Bob to "Tea?" (yes / no):', '1.1 Say "⟨who⟩".',
          "1.2 Go to who."]),
        ("def f(x):\n    if x and c:\n        say('x')\nf(a or b)",
         ["1 Do “f” with x: a or b:", "1.1 If x and c:", '1.1.1 Say "x".']),
        ("n = []\ndef f(x):\n    n.append(x)\n    say(x)\nf(n[0])",
         ["1 Start an empty list “n”.", "2 Do “f” with x: n[0]:", "2.1 Add x to the list “n”.",
          '2.2 Say "⟨x⟩".']),
        ("def f(rooms):\n    for r in rooms:\n        go_to(r)\n"
         "f([r for r in sorted(get_all_rooms()) if 'lab' in r])",
         ['1 Do “f” with all rooms whose name contains "lab":',
          '1.1 For every room whose name contains "lab":', "1.1.1 Go to that room."]),
        # a text is told as what it is used for
        ("def f(what):\n    say('Now ' + what)\nf('hello there')\nf('')",
         ['1 Do “f” with "hello there":', '1.1 Say "Now hello there".', '2 Do “f” with "":',
          '2.1 Say "Now ".']),
        ("def f(thing=''):\n    if thing:\n        pick(thing)\nf('cup')",
         ["1 Do “f” with thing: the cup:", "1.1 If thing:", "1.1.1 Pick up the cup."]),
        ("def f(room, thing=''):\n    go_to(room)\n    if not thing:\n        say('x')\nf('den')",
         ['1 Do “f” with room: the den and thing: "":', "1.1 Go to the den.", "1.2 If not thing:",
          '1.2.1 Say "x".']),
        ("def f(room):\n    if room == 'den':\n        go_to(room)\nf('den')",
         ["1 Do “f” with the den:", '1.1 If "den" is "den":', "1.1.1 Go to the den."]),
        ("labs = [r for r in get_all_rooms() if 'lab' in r]\ngo_to(labs[0])",
         ['1 Note labs: all rooms whose name contains "lab".', "2 Go to labs[0]."]),
        ("labs = [r for r in get_all_rooms() if 'lab' in r]\nif not labs:\n    pass",
         ['1 Note labs: all rooms whose name contains "lab".', "2 If labs is empty:"]),
        ("labs = [r for r in get_all_rooms() if 'lab' in r]\nif len(labs) > 0:\n    pass",
         ['1 Note labs: all rooms whose name contains "lab".', "2 If labs is not empty:"]),
        ("a, b = ['', 'x']\nif a:\n    pass", ['1 Note (a, b): "", "x".', "2 If a:"]),
        ("rooms = get_all_rooms()\ngo_to(rooms[0])",
         ["1 Note rooms: all rooms.", "2 Go to rooms[0]."]),
        ("x = 'cup'\ndef outer(x):\n    def inner():\n        pick(x)\n    inner()\nouter('hat')",
         ['1 Note x: "cup".', "2 Do “outer” with the hat:", "2.1 Do “inner”:",
          "2.1.1 Pick up the hat."]),
        ("for f in ['a']:\n    x = 'hall'\ndef go(f):\n    go_to(f)\ngo(x)",
         ['1 For each item of "a":', '1.1 Note x: "hall".', "2 Do “go” with x:", "2.1 Go to x."]),
    ],
)  # fmt: skip
def test_a_name_that_is_used_is_given_before(body: str, steps: list[str]) -> None:
    assert plan(body) == steps


# Words that say what the code says


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("say(f'visit {n + 1}')", 'Say "visit ⟨n + 1⟩".'),
        ("say(str(1 + 2) + ' cups')", 'Say "⟨1 + 2⟩ cups".'),
        ("say('a' + (b + 'c'))", 'Say "a⟨b⟩c".'),
        ("say('{:.2f}'.format(3.14159))", "Say \"⟨f'{3.14159:.2f}'⟩\"."),
        ("print('x', 3)", "Write to the log: x 3."),
        ("for one in sorted(['b', 'a']):\n    pass", "For each one of sorted(['b', 'a']):"),
        ("for one in reversed(['b', 'a']):\n    pass", "For each one of reversed(['b', 'a']):"),
        ("ask(question='Tea?', options=['yes'], person='Bob')", 'Ask Bob: "Tea?" (yes).'),
        ("ask('Bob', 'Tea?', drinks)", 'Ask Bob: "Tea?" (drinks).'),
        (f"say({TEA})", 'Say "⟨the answer of Bob to "Tea?" (yes / no)⟩".'),
        (f"while {TEA} == 'yes':\n    pass",
         'As long as the answer of Bob to "Tea?" (yes / no) is "yes":'),
        (f"if {APPLE} and {TEA} == 'no':\n    pass",
         'If there is an apple here and the answer of Bob to "Tea?" (yes / no) is "no":'),
        ("found = []\nif 'hall' in found:\n    pass", 'If the list “found” contains "hall":'),
        ("for room in get_all_rooms():\n    if word in room:\n        pass",
         "If the name of that room contains word:"),
        (f"if {TEA} == True:\n    pass", "If the answer is True:"),
        (f"answer = {TEA}\nif answer != False:\n    pass", "If the answer is not False:"),
        (f"if {TEA}.lower() == 'yes':\n    pass", 'If ⟨the answer⟩.lower() is "yes":'),
        (f"if (tea := {TEA}) == 'yes':\n    pass", 'If (tea := ⟨the answer⟩) is "yes":'),
        ("say(f'{int(n / 2)} cups')", 'Say "⟨int(n / 2)⟩ cups".'),
        ("time.sleep(int(2.9))", "Wait int(2.9) seconds."),
        (f"cups = [r for r in get_all_rooms() if {APPLE}]",
         "Note cups: [r for r in get_all_rooms() if is_in_room('apple')]."),
        ("def f(then):\n    then()\nlist(map(f, x))", "Compute: then()."),
        (f"if not n > 2 or {APPLE}:\n    pass",
         "If (it is not so that n is more than 2) or there is an apple here:"),
        (f"answer = {TEA}\nif not answer and x:\n    pass",
         "If (it is not so that the answer) and x:"),
        ("for room in get_all_rooms():\n    if len(room) > 5:\n        pass",
         "If len(room) is more than 5:"),
        (f"answer = {TEA}\nif len(answer) > 5:\n    pass", "If len(answer) is more than 5:"),
        (f"answer = {TEA}\nif len(answer) == 0:\n    pass", "If the answer is empty:"),
        ("go_to(random.choice(seq=['a', 'b']))", 'Go to one of "a", "b", by chance.'),
        ("if word in 'yes, please':\n    pass", 'If "yes, please" contains word:'),
        (f"answer = {TEA}\nif word not in answer:\n    pass",
         "If the answer does not contain word:"),
        ("x = [['a', 'b'], ['c']]", 'Note x: ("a", "b"), ("c").'),
        ("for r, t in (('den', ['a', 'b']), ('hall', [])):\n    pass",
         'For each r and t of "den" and ("a", "b"), "hall" and nothing yet:'),
        ("act = make\nact()", "Compute: act()."),
        ("if not ('a' if x else 'b'):\n    pass", "If not ('a' if x else 'b'):"),
        ("if (a or b) == c:\n    pass", "If (a or b) is c:"),
        ("try:\n    pass\nexcept ValueError:\n    pass\nexcept SkillError:\n    say('x')",
         'Say "x".'),
    ],
)  # fmt: skip
def test_the_words_say_what_the_code_says(body: str, told: str) -> None:
    assert last(body) == told


def test_several_handlers_say_of_which_error() -> None:
    steps = plan("try:\n    go_to('a')\nexcept ValueError:\n    pass\nexcept SkillError:\n    pass")
    assert steps[2:] == ["2 If that fails with ValueError:", "3 If that fails with SkillError:"]


@pytest.mark.parametrize(
    ("caught", "failed"),
    [
        ("SkillError", "2 If that fails:"),
        ("(KeyError, SkillError)", "2 If that fails:"),
        ("Exception as e", "2 If that fails:"),
        ("ValueError", "2 If that fails with ValueError:"),
    ],
)
def test_a_handler_that_a_failed_skill_never_reaches_says_so(caught: str, failed: str) -> None:
    assert plan(f"try:\n    pick('cup')\nexcept {caught}:\n    say('x')")[2] == failed


@pytest.mark.parametrize(
    ("test", "told"),
    [
        ("'lab' in room.lower()", 'For every room whose name contains "lab":'),
        ("'LAB' in room.upper()", 'For every room whose name contains "LAB":'),
        ("'Lab' in room.lower()", "For every room:"),
        ("'lab' in room.split()", "For every room:"),
    ],
)
def test_a_name_contains_a_text_where_a_method_changes_its_case_alone(test: str, told: str) -> None:
    assert (
        plan(f"for room in get_all_rooms():\n    if {test}:\n        go_to(room)")[0] == f"1 {told}"
    )


TRIP = "def trip():\n    here = get_current_location()\n    go_to('den')\n    go_to(here)\n"
LATER = "\nhere = get_current_location()\ngo_to('den')\ngo_to(here)"


@pytest.mark.parametrize(
    "body",
    [
        f"{TRIP}trip()\ngo_to('hall')\nif trip():\n    pass",
        f"{TRIP}def a():\n    b()\ndef b():\n    c()\ndef c():\n    go_to('hall')\n    trip()\n"
        "trip()\na()",
        "def trip(x):\n    here = get_current_location()\n    go_to('den')\n    go_to(here)\n"
        "def get():\n    go_to('hall')\ntrip(get())",
        f"go = lambda: go_to('den')\ngo_to('hall')\ngo(){LATER}",
        f"def get():\n    go_to('den')\nact = get\ngo_to('hall')\nact(){LATER}",
        f"trip = (go_to(room) for room in ['den'])\ngo_to('hall')\nnext(trip){LATER}",
    ],
)
def test_a_place_is_named_only_where_every_drive_before_it_is_followed(body: str) -> None:
    remembered = [step for step in plan(body) if "I remembered last" in step]
    started = [step for step in plan(body) if "where I started" in step]
    assert remembered and not started, plan(body)


def test_a_search_that_is_over_hides_no_place() -> None:
    search = "def look(room):\n    go_to(room)\n    return is_in_room('cup')\n"
    body = (
        f"{search}here = get_current_location()\nany(look(room) for room in ['den'])\ngo_to(here)"
    )
    assert "3 Go back to where I started." in plan(body)


VARIANTS = [
    [f"if {APPLE} is True:", f"if {APPLE} is not True:"],
    [f"if {APPLE} is False:", f"if {APPLE} is not False:"],
    [f"if {APPLE} and ({PEAR} or {BOB}):", f"if ({APPLE} and {PEAR}) or {BOB}:",
     f"if not ({APPLE} and ({PEAR} or {BOB})):", f"if not (({APPLE} and {PEAR}) or {BOB}):",
     f"if {APPLE} or ({PEAR} and {BOB}):", f"if ({APPLE} or {PEAR}) and {BOB}:"],
    ["if not (a if b else c):", "if (not a) if b else c:", "if a if b else c:"],
    ["if a == b and c:", "if a == (b and c):", "if not a == b and c:", "if not (a == b and c):"],
    ["if a in b:", "if a not in b:", "if not a:", "if a is None:", "if a is not None:", "if a:"],
    ["if a < b:", "if a <= b:", "if a > b:", "if a >= b:", "if a == b:", "if a != b:"],
    ["for r in ['b', 'a']:", "for r in sorted(['b', 'a']):", "for r in reversed(['b', 'a']):",
     "for r in sorted(['b', 'a'], reverse=True):", "for r in ['b', 'a'][::-1]:"],
    ["say('a', f'{n}1')\nif x:", "say('a', f'{n + 1}')\nif x:"],
    ["say(f'{n}1')\nif x:", "say(f'{n + 1}')\nif x:"],
    ["a = ask('Al', 'Q', ['x'])\nb = ask('Bo', 'Q', ['x'])\nif a == 'x':",
     "a = ask('Al', 'Q', ['x'])\nb = ask('Bo', 'Q', ['x'])\nif b == 'x':"],
    ["answer = ask('Al', 'Q', ['x'])\nreply = ask('Bo', 'Q', ['x'])\nif answer == 'x':",
     "answer = ask('Al', 'Q', ['x'])\nreply = ask('Bo', 'Q', ['x'])\nif reply == 'x':"],
    [f"a = {APPLE}\nb = {PEAR}\nif a:", f"a = {APPLE}\nb = {PEAR}\nif b:"],
    ["ask('Al', 'Q', [])\nif x:", "ask('Al', question=[], options='Q')\nif x:"],
    ["say(ask('Al', 'Q', ['x']))\nif x:", "say(ask('Bo', 'Q', ['x']))\nif x:",
     "say(ask('Al', 'Q', ['y']))\nif x:"],
]  # fmt: skip


@pytest.mark.parametrize("variants", VARIANTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_different_programs_never_have_the_same_plan(variants: list[str], language: str) -> None:
    def words(variant: str) -> str:
        lines = "".join(f"    {line}\n" for line in f"{variant}\n    say('then')".split("\n"))
        steps = narrate(TaskProgram.from_text(f"def task_program():\n{lines}"))
        return "\n".join(text_of(step.said, language) for step in steps)

    assert len(set(map(words, variants))) == len(variants), [*map(words, variants)]


PARTS = [APPLE, PEAR, BOB]


def _condition(chance: random.Random, depth: int) -> str:
    if depth == 0:
        return chance.choice(PARTS)
    one, other = (_condition(chance, depth - 1) for _ in range(2))
    shape = chance.choice(["not ({0})", "({0}) and ({1})", "({0}) or ({1})", "{0}"])
    return shape.format(one, other)


def _truths(condition: str) -> list[bool]:
    """The values of a condition for all that may be there."""
    code = compile(condition, "", "eval")
    things = ["apple", "pear", "Bob"]
    worlds = ([bool(n >> k & 1) for k in range(3)] for n in range(8))
    return [
        eval(code, {"is_in_room": lambda thing, here=here: here[things.index(thing)]})
        for here in worlds
    ]


@given(st.integers(0, 10**9), st.integers(0, 10**9))
@settings(max_examples=300, deadline=None)
def test_conditions_told_alike_are_alike(one: int, other: int) -> None:
    first, second = (_condition(random.Random(seed), 3) for seed in (one, other))
    texts = [plan(f"if {condition}:\n    pass") for condition in (first, second)]
    assert texts[0] != texts[1] or _truths(first) == _truths(second)
    # and the plan itself, read as it stands, is true in the same worlds
    read = texts[0][0].removeprefix("1 If ").removesuffix(":")
    for thing, there, not_there in [
        ("apple", "there is an apple here", "there is no apple here"),
        ("pear", "there is a pear here", "there is no pear here"),
        ("Bob", "Bob is here", "Bob is not here"),
    ]:
        read = read.replace(not_there, f"(not is_in_room('{thing}'))")
        read = read.replace(there, f"is_in_room('{thing}')")
    assert _truths(read) == _truths(first), read
