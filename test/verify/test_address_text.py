"""A verdict on a program that may see addresses in memory leaves something out, and says so."""

from __future__ import annotations

import textwrap

import pytest

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.verify.verifier import verify

DOMAIN = load_domain()

SEE = [
    "if str(lambda: 0)[-2] == 'a':\n    say('a')",
    "f = lambda: 0\nif f'{f}'.endswith('0>'):\n    say('a')",
    "def f():\n    pass\nif '%s' % f > '<function f at 0x7f':\n    say('a')",
    "def f():\n    pass\nif repr([f]) > 'x':\n    say('a')",
    "def f():\n    return f\nif str(f())[-2] == 'a':\n    say('a')",
    "text = str(x for x in 'abc')\nif text[-2] == 'a':\n    say('a')",
    "if '1' in str(map(str, 'abc')):\n    say('a')",
    "both = zip('ab', 'cd')\nif '1' in f'{both}':\n    say('a')",
    "if '1' in str([].append):\n    say('a')",
    "try:\n    {}[lambda: 0]\nexcept KeyError as error:\n    say(str(error))",
    "def f():\n    pass\ndef g():\n    pass\nfor one in {f, g}:\n    say('f' if one == f else 'g')",
    "for one in {int, str, float}:\n    say('int' if one == int else 'no')",
    "first = list({go_to, say})[0]\nfirst('kitchen')",
    "m = map\nif '1' in str(m(len, [])):\n    say('a')",
    "if '1' in str(min([lambda: 0])):\n    say('a')",
    "if '1' in str(max(lambda: 0, lambda: 1, key=len)):\n    say('a')",
    "if list({(None, n) for n in range(9)})[0][1] % 2:\n    say('a')",
    "seen = set()\nseen.add(('a', [].append(1)))\nif list(seen)[0]:\n    say('a')",
    "if list({go_to('kitchen'), 'a'})[0] == 'a':\n    say('a')",
    "def f():\n    say('b')\nif list({f(), 'a'})[0] == 'a':\n    say('a')",
    "def f(n):\n    if n:\n        return 1\nif list({f(0), 'a'})[0] == 'a':\n    say('a')",
    "if list({{'b': 1}.get('c'), 'a'})[0] == 'a':\n    say('a')",
    "if list({float('nan'), 1})[0] == 1:\n    say('a')",
    "if list({math.inf - math.inf, 1})[0] == 1:\n    say('a')",
    "x = 1e300\nif list({x * x * 0, 1})[0] == 1:\n    say('a')",
    "if list({..., 1})[0] == 1:\n    say('a')",
    "if list({ValueError('a'), 1})[0] == 1:\n    say('a')",
    "try:\n    {}['a']\nexcept KeyError as error:\n"
    "    if list({error, 1})[0] == 1:\n        say('a')",
    "d = {}\nfor i in range(4):\n    d[lambda: i] = i\nif d[list(d.keys() | [])[0]]:\n    say('a')",
    "a = ask('', '?', ['a', 'b'])\nif a.upper == 'a'.upper:\n    say('a')",
    "a = ask('', '?', ['a', 'b'])\nif a.count in ['a'.count]:\n    say('a')",
    "d = {None: 1, 'a': 2}\nif list(d.items() & d.items())[0][1] == 1:\n    say('a')",
]

SEE_NOT = [
    "names = ['b', 'a']\nnames.sort(key=lambda name: len(name))\nsay(f'{names}')",
    "names = sorted(map(str.strip, ['b', 'a']), key=str.lower)\nsay(names[0])",
    "add = [].append\nadd('a')",
    "counts = {'a': 1}\nsay(str(max(counts, key=counts.get)))",
    "say(', '.join(str(n) for n in range(3)))",
    "say(', '.join(map(str, [1, 2])))",
    "for n, name in enumerate(['a', 'b']):\n    say(f'{n} {name}')",
    "def told(name):\n    return f'a {name}'\nsay(told('cup'))",
    "say(str(sum(1 for n in range(9) if n % 2)))",
    "say(str(len({'a', 'b'})))",
    "try:\n    go_to('kitchen')\nexcept SkillError as error:\n    say(f'{error.code}: {error}')",
    "say(f'{dict(zip([1], [2]))}') if isinstance('a', (str, int)) else None",
    "if 3 in (n for n in range(9)):\n    say('%d' % 3)",
    "double = lambda n: 2 * n\nif double(2) == 4:\n    say('yes')",
    "seen = set()\nfor name in ['a', 'b']:\n    if name not in seen:\n        seen.add(name)\n"
    "say(', '.join(sorted(seen)))",
    "def named(room):\n    if 'a' in room:\n        return 'x'\n    else:\n        return 'y'\n"
    "say(list({named('a')})[0])",
    "def tell(names):\n    for name in names:\n        say(name)\ntell({'a'})",
    "try:\n    go_to('kitchen')\nexcept SkillError as error:\n"
    "    if error.code in {'a', 'b'}:\n        say(f'{error}')",
    "counts = {'a': 1}\nfor name, count in counts.items():\n    say(str(count - 1))",
    "counts = {'a': 1}\nif counts.get('b') is None and set(counts) == {'a'}:\n    say('x')",
    "left = len({'a', 'b'}) - 1\nsay('x' if left == 1 else 'y')",
]


def exhaustive(body: str) -> bool:
    source = "def task_program():\n" + textwrap.indent(body, "    ") + "\n"
    verdict = verify(source, DOMAIN)
    assert not any(v.code.value == "forbidden_construct" for v in verdict.violations)
    return verdict.exhaustive


@pytest.mark.parametrize("body", SEE)
def test_who_may_see_an_address_is_never_tried_out(body: str) -> None:
    assert not exhaustive(body)


@pytest.mark.parametrize("body", SEE_NOT)
def test_who_cannot_is(body: str) -> None:
    assert exhaustive(body)
