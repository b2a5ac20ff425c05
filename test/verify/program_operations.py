"""Operations of the task language, written as templates.

`<kind>` stands for an expression of that kind, `<x>` and `<y>` for new names, `<skill>` for a call
that may be impossible.
"""

from __future__ import annotations

OPERATIONS: dict[str, tuple[str, ...]] = {
    "number": (
        "<text>.find(<text>)", "<text>.rfind('e')", "ord(<text>[0])", "abs(-<number>)",
        "pow(<number>, 2)", "round(<number> / 2)", "min(<number>, 1)", "int(float(<number>))",
        "sum(<table>.values())", "len(set(<things>))", "len(<text>)", "next(iter([<number>]), 0)",
        "len(frozenset(<things>))", "len(list(reversed(<things>)))", "len(tuple(<things>))",
        "<things>.count(<thing>)", "sum(range(<number>))", "int(isinstance(<text>, str))",
        "len(repr(<text>))", "<number> // 2 * 3", "-(<number> ** 2)", "<number> & 3 | 4 ^ 1",
        "1 << min(<number>, 3) >> 1", "~<number>",
        "next((<x> for <x> in [1, 2, <number>] if <x>), 0)", "math.ceil(<number> / 3)",
        "int(math.sqrt(abs(<number>)))", "int(math.sin(0.0) + math.cos(0))",
        "int(math.tan(0) + math.atan2(0, 1))", "round(math.hypot(3, 4))",
        "math.trunc(math.pi + math.e)", "round(math.degrees(math.radians(<number>)))",
        "int(math.fabs(<number>))", "int(math.fmod(<number>, 2))", "math.gcd(<number>, 4)",
        "round(math.log(math.exp(<number>)))", "int(math.pow(<number>, 2))",
        "round(min(math.inf, <number>))", "(lambda <x>=<number>: <x>)()",
        "{<number>: 1, True: 2}.get(1, 0)", "len(<things>[::2])", "len([*<things>, *<things>])",
        "len({**<table>})", "(<number>, <number>)[-1]", "len(<text>.split('e'))",
        "sum([<x> * <y> for <x> in range(2) for <y> in range(<number>)])", "bool(<things>) + 1",
        "dict(a=<number>)['a']", "max(<table>.values(), default=0)", "len({*<things>} ^ <bag>)",
        "len(list(zip(<things>, <things>)))",
    ),
    "text": (
        "<text>.capitalize()", "<text>.casefold()", "<text>.lower()", "<text>.lstrip()",
        "<text>.partition('l')[0] + '.'", "<text>.removeprefix('he') + '.'", "<text>.swapcase()",
        "<text>.removesuffix('o') + '.'", "<text>.rpartition('e')[2] + '.'", "<text>.title()",
        "<text>.rsplit('e', 1)[0] + '.'", "<text>.rstrip()", "<text>.split()[0]",
        "<text>.zfill(9)", "<text>.splitlines()[0]", "<text>.ljust(7, '.')", "<text>.rjust(7)",
        "<text>.center(9, '*')", "chr(97 + abs(<number>))", "repr(<text>)",
        "'{} of {}'.format(<number>, <thing>)", "'{0:>4}{n!r}'.format(<number>, n=<text>)",
        "'%s and %d, 100%%' % (<text>, <number>)", "'-'.join(sorted(<bag>)) + '.'",
        "' '.join(map(str, [<number>, 2]))", "'{:04d}'.format(<number>)", "str(<table>)",
        "str([<flag>, None, 1.5])", "'a' * 2 + <text>", "<text>[::-1]", "str(<text>)",
        "'it ' 'is'",
    ),
    "flag": (
        "<text>.isalpha()", "<text>.isdigit()", "<text>.isnumeric()", "<text>.isspace()",
        "<text>.isupper()", "<text>.islower()", "<text>.startswith(('he', 'I'))",
        "<text>.endswith('e')", "<bag>.issubset(<bag>)", "<bag>.issuperset(<things>)",
        "bool(<bag>.intersection(<bag>))", "isinstance(<thing>, (int, list))", "not None",
        "(<thing> if <flag> else None) is not None", "<bag> <= <bag>",
        "math.isclose(<number>, 1.0)", "<thing> in <table>", "'a' in <text>", "<text> < <text>",
        "all(map(is_in_room, <things>))", "<things> == <things>[::-1]", "<table> == {}",
        "<number> in (1, 2)", "<number> not in range(2)", "not <things>", "True",
        "<number> and <flag>", "any([<flag>, <flag>])", "bool(<bag>.difference(<things>))",
        "(<flag>) != (<flag>)", "<bag>.union(<bag>) == <bag>",
        "bool(<bag>.symmetric_difference(<bag>))", "ask(<person>, 'ok?', ['a', 'b']) < 'b'",
        "sum(map(is_in_room, <things>)) == 1",
        "[is_in_room(<x>) for <x> in <things>].count(True) > 1", "(<x> := <flag>) and not <x>",
        "repr(1.0) == '1.0'",
    ),
    "thing": (
        "<things>[0] if <things> else 'apple'", "next(iter(<things>), 'cup')",
        "max([*<things>, 'cup'])", "min(<things>, key=len, default='apple')",
        "sorted(<bag> | {'cup'})[0]", "(<things> + ['cup']).pop()", "'ap' + 'ple'",
        "'cup'.strip()", "{True: 'cup', False: 'apple'}[<flag>]",
        "ask(<person>, 'Which?', ['apple', 'cup'])", "'{}'.format('cup')",
    ),
    "things": (
        "sorted(<things>)", "list(reversed(<things>))", "list(map(lambda <x>: <x>, <things>))",
        "[*<things>, *<things>][:2]", "list({**<table>})", "list(<table>.keys())",
        "<things>.copy()", "sorted(set(<things>).union(<bag>))",
        "sorted(<bag>.intersection(<things>))", "sorted(<bag>.difference(<bag>))",
        "sorted(<bag>.symmetric_difference(<bag>))", "list(iter(<things>))",
        "list(tuple(<things>))", "[<x> for <x>, <y> in sorted(<table>.items())]",
        "[<x> for <x> in <things> for <y> in range(2) if <y>]", "<things>[::2]",
        "sorted(<bag>.copy())", "[<x> for <x> in <things> if not is_in_room(<x>)]",
        "list(<x> for <x> in <things>)", "[<x> for <y>, <x> in enumerate(<things>) if <y>]",
        "<things> * 2", "sorted(<things>, key=is_in_room)", "'apple cup'.split()",
    ),
    "room": (
        "<rooms>[0] if <rooms> else 'kitchen'", "next(iter(<rooms>), 'office')",
        "(<rooms> or ['kitchen'])[-1]", "sorted([*<rooms>, 'office'])[0]", "'{}'.format(<room>)",
        "'kit' + 'chen'", "<room>.strip()", "ask(<person>, 'Where?', ['kitchen', 'office'])",
        "min([*<rooms>, 'kitchen'], key=len)", "{'a': <room>}['a']",
    ),
    "rooms": (
        "sorted(<rooms>)", "<rooms>[:2]", "list(reversed(<rooms>))",
        "[<x> for <x> in <rooms> if 'kit' in <x>]", "[<x> for <x> in <rooms> if <x> != <room>]",
        "<rooms>[1:]", "[*<rooms>]", "list(dict.fromkeys(<rooms>))",
        "[<x> for <x> in <rooms> if <x>.startswith('kit') or <x>.endswith('2')]",
        "list({<x>: 1 for <x> in <rooms>})", "list(filter(lambda <x>: 'kit' in <x>, <rooms>))",
        "[<x> for <x> in <rooms> if not 'kit' in <x>]",
    ),
    "bag": (
        "frozenset(<things>)", "<bag>.copy()", "<bag> ^ <bag>", "<bag>.union(<things>)",
    ),
    "table": (
        "{**<table>, <thing>: <number>}", "<table>.copy()", "{<x>: len(<x>) for <x> in <things>}",
        "dict([(<thing>, <number>)])", "dict(sorted(<table>.items()))",
    ),
}  # fmt: skip
"""Expressions by what they give."""

MAY_FAIL = ("<text>.index('z')", "<things>.index('cup')", "[1, 2][<number>]", "int(<text>)")
"""Numbers that some values do not give."""

ABOUT_ROOMS = (
    "<room>.title() == 'Kitchen'", "<room>[:3] == 'kit'", "<room>.endswith('2')",
    "<room>[0] == 'k'", "'KIT' in <room>.upper()", "<room>.split()[-1] == '2'", "<room> > 'm'",
    "<room> + '!' == 'kitchen!'", "len(<room>) > 6", "'%s' % <room> == 'kitchen'",
    "<room>.replace('old', '') == <room>", "'kit' in <room>.lower() and 'kit' not in <room>",
    "<room> in ('kitchen', 'office')", "<room> in {'kitchen': 1}", "<room>.count('k') == 2",
    "'kit' in <room> and <room>.endswith('2')",
    "<rooms>.index(<room>) == 1 if <room> in <rooms> else False", "len(<rooms>) > 1",
    "len(<rooms>) == 3", "len([<x> for <x> in <rooms> if 'kit' in <x>]) > 1",
    "<rooms>[0] == 'kitchen' if <rooms> else True", "any('kit' in <x> for <x> in <rooms>)",
    "all(<x>.startswith('kit') for <x> in <rooms>)",
    "<rooms>[-1] == <room> if <rooms> else False", "<room> == get_current_location()",
    "'room' in <room> or 'lab' in <room>", "sorted(<rooms>) == <rooms>",
    "sum('kit' in <x> for <x> in <rooms>) == 2", "<room>.removeprefix('kit') == '2'",
    "<room> in 'kitchen and office'", "<room>.isupper()", "len(<room>.split()) == 2",
    "set(<rooms>) == {'kitchen', 'office'}", "<room>.find('chen') == 3", "bool(<room>)",
    "[<room>] is None", "<room> != 'lab' and <room> != 'kitchen'",
    "max(<rooms>, default='a') == <room>", "<room> < <thing>", "isinstance(<room>, str)",
    "not <rooms>",
)  # fmt: skip
"""What is asked of names of rooms, and of how many there are."""

STATEMENTS = tuple(
    """
<x>: str = <text>
say(<x>)

<x>, *<y> = [<number>, 1, 2]

<x> = <y> = <number>

print(<text>, end='')

def <x>():
    global <y>
    <y> = <number>
    return <y>
<x>()

<x> = 0
def <y>():
    nonlocal <x>
    <x> += 1
    return <x>
<y>()
if <y>() == 2 and <flag>:
    <skill>

<x> = {'a': 1}
del <x>['a']

<x> = [1, 2]
del <x>[0]

<x> = 1
del <x>

for <x> in iter(lambda: ask(<person>, 'more?', ['Yes', 'No']), 'Yes'):
    <skill>

def <x>(*<y>, **kw):
    for thing in <y>:
        if is_in_room(thing):
            return kw.get('to', 'office')
    return 'kitchen'
go_to(<x>('apple', <thing>, to='kitchen'))

def <x>(n):
    return 0 if n <= 0 or <flag> else 1 + <x>(n - 1)
if <x>(3) == 2:
    <skill>

<x> = [<number>, 3]
<x>.sort()
<x>.remove(3)

<x> = <things>
<x> = [*<x>, 'cup']
<x>.sort(key=len)
pick(<x>[0])

<x> = {'a': 1}
<x>.popitem()
<x>.clear()

<x> = {<thing>}
<x>.update(['cup'])
<x>.remove('cup')
<x>.clear()

<x> = <things> + ['cup']
while <x>:
    <y> = <x>.pop()
    if is_in_room(<y>):
        <skill>

<x> = [<flag>, <flag>, <flag>]
if sum(<x>) == 2:
    <skill>

for <x> in range(3):
    if <flag>:
        break
else:
    <skill>

<x> = 0
while <x> < 3 and not <flag>:
    <x> += 1
    time.sleep(1)
if <x> == 3:
    <skill>

def <x>(*, <y>=[]):
    <y>.append(1)
    return len(<y>)
while not is_in_room(<thing>):
    if <x>() == 4:
        <skill>
        break

<x> = ['apple', 'cup', 'apple', 'cup'].pop
while not is_in_room(<thing>):
    if <x>() == 'apple' and <flag>:
        break
    time.sleep(1)

<x> = float('nan')
<y> = [<x>]
if <flag>:
    <x> = float('nan')
<skill>
if <x> not in <y>:
    <skill>

<x> = 3
while True:
    if <flag> or not <x>:
        break
    <x> -= 1
<skill>

try:
    <skill>
except SkillError as error:
    if error.code == 'grasp_failed':
        <skill>
else:
    <skill>

try:
    <skill>
    <skill>
except Exception as <x>:
    say(str(<x>))
    <skill>

try:
    <skill>
except SkillError as error:
    say(error.message)
    if error.code != 'unknown':
        <skill>

try:
    <skill>
except SkillError as error:
    if error.code in ('timeout', 'navigation_blocked'):
        raise
    <skill>

try:
    <skill>
except SkillError as error:
    if 'failed' in error.code:
        <skill>

<x> = 0
for <y> in range(2):
    try:
        <skill>
    except SkillError:
        <x> += 1
if <x> == 2:
    <skill>

<x> = ''
try:
    <skill>
except SkillError as error:
    <x> = error.code
if <x> == 'timeout':
    <skill>

<x> = time.time()
time.sleep(5)
if time.time() - <x> > 60:
    <skill>

<x> = [1, 2, 3]
random.shuffle(<x>)
if <x>[0] == 3:
    <skill>

if random.uniform(0, 1) > 0.9:
    <skill>

if random.random() < 0.05:
    <skill>

if random.sample(['a', 'b', 'c'], 2) == ['c', 'a']:
    <skill>

<x> = 0
for <y> in get_all_rooms():
    if 'kit' in <y>:
        <x> += 1
if <x> == 2:
    <skill>

<x> = ''
for <y> in get_all_rooms():
    go_to(<y>)
    if is_in_room(<thing>):
        <x> = <y>
        break
if <x>:
    pick(<thing>)

<x> = get_current_location()
go_to(<room>)
go_to(<x>)
if <flag>:
    <skill>

<x> = []
for <y> in get_all_rooms():
    go_to(<y>)
    if is_in_room(<thing>):
        <x>.append(<y>)
if len(<x>) == 2:
    <skill>

while not is_in_room(<thing>):
    time.sleep(2)
pick(<thing>)

time.sleep(<number> * 3600)

<x> = 0
while not is_in_room('person'):
    <x> += 1
    if <x> > 2:
        <skill>
        break

<x> = 1 if <flag> else 2
<x> *= 2
<x> -= 1
<x> //= 1
<x> **= 2
<x> %= 5
if <x> == 4:
    <skill>

<x> = {}
for <y> in ['apple', 'cup']:
    <x>[<y>] = ask(<person>, <y>, ['Yes', 'No'])
if list(<x>.values()) == ['No', 'Yes']:
    <skill>

<x> = next((thing for thing in <things> if is_in_room(thing)), None)
if <x> is not None:
    pick(<x>)

raise RuntimeError('no') if False else SkillError('mine', 'it is mine')

try:
    <x> = <table>['cup']
except KeyError:
    <x> = 7
if <x> == 7:
    <skill>

try:
    <x> = int(ask(<person>, 'n?', ['1', 'two']))
except ValueError:
    <skill>

try:
    next(iter(<things>[:0]))
except (StopIteration, TypeError, AttributeError):
    <skill>

try:
    <x> = 1 / <number>
except (ZeroDivisionError, ArithmeticError):
    <skill>

try:
    assert <flag>
except AssertionError:
    <skill>
except (LookupError, IndexError, RuntimeError):
    pass

import time
import math, random
time.sleep(0.5)

<x> = (<flag> for _ in range(2))
if next(<x>) and not next(<x>):
    <skill>
""".strip().split("\n\n")
)
