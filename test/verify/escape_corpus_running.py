"""Tricks that the text may hide: they are run, and have to be contained."""

from __future__ import annotations

from escape_corpus import Trick


def _contained(group: str, tricks: dict[str, str]) -> list[Trick]:
    return [Trick(name, group, text) for name, text in tricks.items()]


def _harmless(group: str, reason: str, tricks: dict[str, str]) -> list[Trick]:
    return [Trick(name, group, text, harmless=reason) for name, text in tricks.items()]


RUNNING_TRICKS = [
    *_contained("numbers", {
        "a tower of powers": "x = 9 ** 9 ** 9",
        "a power by pow": "x = pow(9, 9 ** 9)",
        "a shift": "x = 1 << 10 ** 12",
        "squares of squares": "x = 3\nwhile True:\n    x = x * x",
        "a large number as text": "x = str(10 ** 5000)",
        "a large number in an f-string": 'say(f"{10 ** 6000}")',
        "a text as a large number": 'x = int("9" * 6000)',
        "a width of a gigabyte": 'x = f"{1:1000000000000}"',
        "digits of a gigabyte": 'x = f"{1.0:.2147483646f}"',
        "an old format's width": 'x = "%1000000000000d" % 1',
        "a modular power of what is huge": "x = pow(3, 2 ** 400000, 2 ** 400000 - 1)",
        "no end of a division": "x = divmod(10 ** 10 ** 7, 7 ** 10 ** 6)",
    }),
    *_contained("texts and lists", {
        "a terabyte": 'x = "a" * 10 ** 12',
        "a terabyte of list": "x = [0] * 10 ** 11",
        "a terabyte of tuple": "x = (0,) * 10 ** 11",
        "doubling a text": 'x = "a"\nwhile True:\n    x = x + x',
        "doubling a list": "x = [0]\nwhile True:\n    x += x",
        "a list of lists": "x = [0]\nwhile True:\n    x = [x, x, list(x)] * 9",
        "a list of a range": "x = list(range(10 ** 12))",
        "a set of a range": "x = set(range(10 ** 12))",
        "a sorted range": "x = sorted(range(10 ** 12))",
        "a comprehension": "x = [i for i in range(10 ** 12)]",
        "a dict": "x = {i: i for i in range(10 ** 12)}",
        "a wide text": 'x = "a".ljust(10 ** 12)',
        "a text in the middle": 'x = "a".center(10 ** 12)',
        "zeros": 'x = "1".zfill(10 ** 12)',
        "replaced by more": 'x = "a" * 10 ** 6\nx = x.replace("a", x)',
        "joined by more": 'x = ("a" * 10 ** 6).join(["b"] * 10 ** 6)',
        "a list that is told everything": "x = []\nwhile True:\n    x.extend(range(10 ** 6))",
        "a list that grows while it is read": "x = [1]\nfor i in x:\n    x.append(i)",
        "keys that all collide":
            "x = {i * (2 ** 61 - 1): i for i in range(200000)}\nwhile True:\n    pass",
    }),
    *_contained("loops and recursion", {
        "for ever": "while True:\n    pass",
        "for ever in a comprehension": "x = [0 for i in iter(int, 1)]",
        "for ever in C": "x = max(iter(int, 1))",
        "for ever in all": "x = all(iter(lambda: 1, 0))",
        "a long sum": "x = sum(range(10 ** 12))",
        "a long search": "x = 0.5 in range(10 ** 12)",
        "a long search by key": "x = max(range(10 ** 12), key=lambda n: n)",
        "a filter that passes nothing": "x = list(filter(None, iter(int, 1)))",
        "nested loops": "for a in range(10 ** 6):\n    for b in range(10 ** 6):\n        pass",
        "recursion": "def f():\n    f()\nf()",
        "recursion in turn": "def f():\n    g()\ndef g():\n    f()\nf()",
        "a lambda that calls itself": "f = lambda: f()\nf()",
        "recursion that branches": "def f():\n    f()\n    f()\nf()",
        "a list that holds itself": 'x = []\nx.append(x)\nsay(str(x) * 10 ** 12)',
        "a list as deep as memory": "x = []\nwhile True:\n    x = [x]",
        "a deep list as text": "x = []\nfor i in range(10000):\n    x = [x]\nsay(str(x))",
        "deep lists compared":
            "x = []\ny = []\nfor i in range(10000):\n    x = [x]\n    y = [y]\nassert x == y",
        "errors for ever": "while True:\n    try:\n        x = 1 / 0\n    except Exception:\n"
        "        pass",
        "errors that answer errors": "def f():\n    try:\n        x = 1 / 0\n"
        "    except Exception:\n        f()\nf()",
        "questions for ever": "while True:\n    random.random()",
        "talk for ever": 'while True:\n    say("a")',
        "print for ever": 'while True:\n    print("a" * 10 ** 6)',
    }),
    *_contained("getting over the end", {
        "a finally that never ends":
            'try:\n    place("a")\nfinally:\n    while True:\n        pass',
        "a finally with an error": 'try:\n    place("a")\nfinally:\n    x = 1 / 0',
        "a finally whose error is caught":
            'try:\n    try:\n        place("a")\n    finally:\n        x = 1 / 0\n'
            "except Exception:\n    pass",
        "caught as any Exception":
            'try:\n    place("a")\nexcept Exception:\n    pass',
        "again and again":
            'for i in range(9):\n    try:\n        place("a")\n    except Exception:\n        pass',
        "a full stack is caught":
            "def f():\n    try:\n        f()\n    except Exception:\n        pass\nf()\nf()",
        "a call with a full stack":
            'def f():\n    try:\n        f()\n    except Exception:\n        place("a")\nf()',
        "a full memory is caught":
            'try:\n    x = "a" * 10 ** 12\nexcept Exception:\n    pass',
        "in a generator": 'x = list(place("a") for i in [1])',
        "as a key": 'x = sorted(["a", "b"], key=place)',
        "by map": 'x = list(map(place, ["a"]))',
        "by a default": 'def f(x=place):\n    x("a")\nf()',
        "in a lambda": '(lambda: place("a"))()',
        "out of a list": '[say, place][1]("a")',
        "by a star": 'place(*["a"])',
        "by two stars": 'place(**{"obj": "a"})',
        "in an f-string": "say(f\"{place('a')}\")",
        "in an assertion that fails": 'assert place("a")',
        "in a raise": 'raise ValueError(place("a"))',
        "in a condition of a handler":
            'try:\n    x = 1 / 0\nexcept ZeroDivisionError:\n    place("a")',
        "in an else": 'for i in []:\n    pass\nelse:\n    place("a")',
        "in a chain": 'x = 1 < 2 < (place("a") or 3)',
        "by iter": 'for i in iter(lambda: place("a"), 1):\n    pass',
    }),
    *_contained("wrong values for skills", {
        "a number": "go_to(3)",
        "nothing": "go_to(None)",
        "a list": 'go_to(["kitchen"])',
        "a skill": "go_to(go_to)",
        "a list that holds itself": "x = []\nx.append(x)\nask('', 'a', x)",
        "a list of nothing": "ask('', 'a', [])",
        "a dict": "say({})",
        "a range": "ask('', 'a', range(10 ** 12))",
        "a generator": "ask('', 'a', (str(i) for i in iter(int, 1)))",
        "a megabyte said": 'say("a" * 10 ** 6)\nplace("b")',
        "a megabyte asked": 'ask("", "a" * 10 ** 6, ["b" * 10 ** 6])\nplace("b")',
        "a thousand options": 'ask("", "a", [str(i) for i in range(10 ** 5)])\nplace("b")',
        "a null byte": 'go_to("kitchen\\0")\nplace("b")',
        "half a character": "say(chr(0xD800))",
        "half a character, put together": 'say("a" + chr(56320) + "b")',
        "a wait without end": "time.sleep(10 ** 12)",
        "a wait for infinity": "time.sleep(math.inf)",
        "a wait for no number": "time.sleep(math.inf - math.inf)",
        "a wait back in time": "time.sleep(-1)",
        "a wait for a text": 'time.sleep("a")',
        "a choice from nothing": "random.choice([])",
        "a sample of everything": "random.sample(range(10 ** 12), 10 ** 12)",
        "an error with a wild value":
            "x = []\nfor i in range(10000):\n    x = [x]\nraise ValueError(x)",
    }),
    *_harmless("only odd", "it says what it does, and does no more", {
        "a skill printed": "print(go_to, len, time, math.pi)",
        "a print that is told a sink": "print(1, sep='', end='')",
        "a variable called as a module": "time = 3\nsay(str(time))",
        "a module for another": "time = random\nsay('x')",
        "a skill called as a module": "time = say\ntime('x')",
        "a module is gone": "def f():\n    global math\n    math = 1\n    del math\nf()",
        "a variable of all functions": "global x\nx = 1",
        "an import that does nothing": "import time, math\nsay('x')",
        "a format that names its values": "say('{} {x!r:>9}'.format(go_to, x=len))",
        "a generator that is thrown away": "x = (place('a') for i in [1])",
        "a module in a list": "x = [time, math]",
        "an error that is kept": "try:\n    x = 1 / 0\nexcept Exception as e:\n    x = str(e)",
        "a name with letters of the world": "größe = 1\nsay(str(größe))",
        "an emoji": 'say("\\U0001f600")',
        "a text of many null bytes": 'x = "\\0" * 1000',
        "a regular expression that would blow up": 'x = "(a+)+$"\nsay(x)',
        "code in a text": 'say("__import__(\'os\').system(\'true\')")',
    }),
]  # fmt: skip
