"""The first wall: what the text alone shows, each at its place, in words that help."""

from __future__ import annotations

import pytest

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.program.allow_list import check
from roboinstruct_ros.program.narrate import narrate
from roboinstruct_ros.program.task_program import MAX_CHARACTERS, TaskProgram
from roboinstruct_ros.program.violation import Violation

DOMAIN = load_domain()


def found(body: str) -> tuple[Violation, ...]:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return check(TaskProgram.from_text(f"def task_program():\n{lines}"), DOMAIN)


ALLOWED = [
    "pass",
    '"""Only a text."""',
    "x: int = 3\nx += 1",
    "a, *b = [1, 2, 3]",
    "x = [i for i in range(3) if i % 2]",
    "x = {k: v for k, v in zip('ab', [1, 2])}",
    "f = lambda x: x + 1\nf(2)",
    "if (n := len(get_all_rooms())) > 1:\n    say(f'{n} rooms')",
    "try:\n    go_to('kitchen')\nexcept SkillError as error:\n    say(error.message)",
    "time.sleep(math.ceil(random.uniform(0, 1)))",
    "ask(person='', question='Well?', options=['yes'])",
    "x = sorted([3, 1], key=lambda n: -n)[0:1]",
    "time = time_of = '9:30'\nsay(time.split(':')[0])",
    "for time in ['9', '10']:\n    say(time)",
    "random = ['a']\nrandom.append('b')",
    "def f(math):\n    return math\nf(math.floor(1.5))",
    "def f(xs):\n    sum = 0\n    for x in xs:\n        sum += x\n    return sum\nf([sum([1])])",
    "list = ['a']\nfor x in list:\n    say(x)",
    "x = [max for max in [1]]\ny = max(x)",
    "import time\ntime.sleep(1)",
    "import time, math, random\nx = random.choice([math.pi])",
    "say('{} of {:>3}'.format(1, 2))",
    "say('{0} {a!r} {{}}'.format(1, a=2))",
    "say('%s of %3d, 100%%' % ('x', 2))",
    "x = '%(a)s' % {'a': 1}",
    "x = is_in_room('cup') is True\ny = x is not None and None is x is False",
    "n = 0\ndef f():\n    global count\n    count = 1\nf()",
]

# body, code, line, column, a part of the message
FORBIDDEN = [
    ("import os", "forbidden_construct", 2, 4, "importing 'os' is not allowed"),
    ("x = ().__class__", "forbidden_construct", 2, 8, "'.__class__'"),
    ("x = [].appendd", "forbidden_construct", 2, 8, "did you mean 'append'?"),
    ("time.sleeep(1)", "forbidden_construct", 2, 4, "did you mean 'sleep'?"),
    ("import math as m", "forbidden_construct", 2, 4, "write math."),
    ("from time import sleep", "forbidden_construct", 2, 4, "write time.sleep"),
    ("x = '{0.real}'.format(1)", "forbidden_construct", 2, 8, "'{0.real}' looks into a value"),
    ("x = 'a'\nx.format(1)", "forbidden_construct", 3, 4, "in quotes"),
    ("x = '{:>999999999}'.format(1)", "forbidden_construct", 2, 8, "at most 1000 characters"),
    ("x = f'{1:>999999999}'", "forbidden_construct", 2, 8, "at most 1000 characters"),
    ("w = 10**9\nx = f'{1:{w}}'", "forbidden_construct", 3, 8, "leaves its width open"),
    ("w = 10**9\nx = f'{1:>{w}.3f}'", "forbidden_construct", 3, 8, "leaves its width open"),
    ("x = '%999999999d' % 1", "forbidden_construct", 2, 8, "at most 1000 characters"),
    ("x = '%*d' % (9, 1)", "forbidden_construct", 2, 8, "leaves its width open"),
    ("x = 'a'\nx is 'a'", "forbidden_construct", 3, 4, "compare other values with '=='"),
    ("x = y = 'a'\nx is not y", "forbidden_construct", 3, 4, "with '!='"),
    ("x = 'a'\nx is 'a' is None", "forbidden_construct", 3, 4, "compare other values with '=='"),
    ("x = 'a'\nx is 1", "forbidden_construct", 3, 4, "compare other values with '=='"),
    ("time = 3\ntime.sleep(1)", "forbidden_construct", 3, 4, "'time' is a variable here"),
    ("len = 3\nlen('a')", "forbidden_construct", 2, 4, "Python's own name"),
    ("__import__('os')", "forbidden_construct", 2, 4, "'__import__'"),
    ("try:\n    pass\nexcept:\n    pass", "forbidden_construct", 4, 4, "except SkillError:"),
    ("with x:\n    pass", "forbidden_construct", 2, 4, "'with'"),
    ("yield 1", "forbidden_construct", 2, 4, "'yield' is not part of the task language"),
    ("say = 1", "forbidden_construct", 2, 4, "cannot be given another meaning"),
    ("def f(go_to):\n    pass", "forbidden_construct", 2, 10, "cannot be given another meaning"),
    ("def f():\n    f()\nf = go_to\nf('b')", "forbidden_construct", 4, 4, "name of a function"),
    ("def f():\n    f()\ndef g(f):\n    f()", "forbidden_construct", 4, 10, "of a function"),
    ("x = 1\nx.real = 2", "forbidden_construct", 3, 4, "'.real'"),
    ("got_to('a')", "unknown_skill", 2, 4, "did you mean 'go_to'?"),
    ("say(mesage)", "unknown_name", 2, 8, "there is no name 'mesage'"),
    ("eval('1')", "forbidden_construct", 2, 4, "'eval'"),
    ("go_to()", "wrong_arguments", 2, 4, "it is go_to(location)"),
    ("go_to('a', 'b')", "wrong_arguments", 2, 15, "one argument too many"),
    ("go_to(room='a')", "wrong_arguments", 2, 15, "no argument 'room' fits"),
    ("go_to('a', location='b')", "wrong_arguments", 2, 24, "no argument 'location' fits"),
    ("say(3)", "wrong_arguments", 2, 8, "must be a text, not a number"),
    ("pick('')", "wrong_arguments", 2, 9, "must not be empty"),
    ("ask('', 'q?', 'Yes')", "wrong_arguments", 2, 18, "a list of at least one option"),
]


@pytest.mark.parametrize("body", ALLOWED)
def test_the_task_language_is_let_through(body: str) -> None:
    assert found(body) == ()


@pytest.mark.parametrize(("body", "code", "line", "column", "part"), FORBIDDEN)
def test_what_is_forbidden_is_named(
    body: str, code: str, line: int, column: int, part: str
) -> None:
    places = {(v.code.value, v.line, v.column): v.message for v in found(body)}
    assert (code, line, column) in places, places
    assert part in places[code, line, column]


def test_text_that_is_too_long_is_not_even_parsed() -> None:
    program = TaskProgram.from_text("#" * (MAX_CHARACTERS + 1))
    assert [v.code.value for v in check(program, DOMAIN)] == ["too_long"]


def test_deeply_nested_text_is_a_syntax_error() -> None:
    program = TaskProgram.from_text("x = " + "(" * 9000 + ")" * 9000)
    assert [v.code.value for v in check(program, DOMAIN)] == ["syntax_error"]


@pytest.mark.parametrize("depth", [60, 150, 400, 900])
@pytest.mark.parametrize("deep", ["+1", ".strip()", "[0]"])
def test_no_nesting_breaks_a_reader_of_the_tree(depth: int, deep: str) -> None:
    program = TaskProgram.from_text(f"def task_program():\n    x = ''{deep * depth}\n")
    assert program.tree is None or depth < 100
    check(program, DOMAIN)
    narrate(program)
