"""Known ways out of a Python sandbox that the text alone must give away."""

from __future__ import annotations

import os
import tempfile
import textwrap
from dataclasses import dataclass
from pathlib import Path

MARKER = str(Path(tempfile.gettempdir()) / f"roboinstruct_escaped_{os.getpid()}")
"""A file that several tricks try to write."""


@dataclass(frozen=True)
class Trick:
    """One way out.

    Attributes:
        text: the body of `task_program()`, or a whole text when it defines that itself.
        code: of a violation that must be found; empty where it depends on the machine.
        by_text: nothing of it may be executed.
        harmless: why it may be accepted; empty when it must not be.
    """

    name: str
    group: str
    text: str
    code: str = ""
    by_text: bool = False
    harmless: str = ""

    @property
    def source(self) -> str:
        text = textwrap.dedent(self.text).strip("\n")
        if self.group == "raw text":
            return self.text
        if "def task_program" in text:
            return text + "\n"
        return "def task_program():\n" + textwrap.indent(text, "    ") + "\n"

    def __str__(self) -> str:
        return f"{self.group}: {self.name}"


def shown_by_text(group: str, code: str, tricks: dict[str, str]) -> list[Trick]:
    """Tricks that are rejected, with this code, before anything is executed."""
    return [Trick(name, group, text, code, by_text=True) for name, text in tricks.items()]


def _try(handler: str) -> str:
    return f'try:\n    place("a")\n{handler}:\n    pass'


TEXT_TRICKS = [
    *shown_by_text("dunder walks", "forbidden_construct", {
        "all classes": "x = ().__class__.__base__.__subclasses__()",
        "through bases": "x = ().__class__.__bases__[0]",
        "in an f-string": 'say(f"{().__class__}")',
        "converted in an f-string": 'say(f"{().__class__!r}")',
        "in a nested format": 'say(f"{1:{().__class__}}")',
        "in a comprehension": 'x = [c for c in "".__class__.__mro__]',
        "in a filter": 'x = [c for c in "a" if c.__class__]',
        "in a lambda's default": "f = lambda x=().__class__: x",
        "in a function's default": "def f(x=().__class__):\n    pass",
        "in an annotation": "x: ().__class__ = 1",
        "in a result's annotation": "def f() -> ().__class__:\n    pass",
        "in a walrus": "if c := ().__class__:\n    pass",
        "starred": "print(*().__class__.__mro__)",
        "in a subscript": "x = {}\nx[().__class__] = 1",
        "deleted": "del ().__class__",
        "assigned": "print.__class__ = 1",
        "mangled": 'x = "a"._A__secret',
        "of a skill": "x = go_to.__globals__",
        "closure of a skill": "x = go_to.__closure__[0]",
        "code of a skill": "x = go_to.__code__",
        "what a skill stands for": "x = go_to._function",
        "what a builtin belongs to": "x = print.__self__",
        "of a module": "x = time.__dict__",
        "of a function": "def f():\n    pass\nf.__code__ = 1",
        "loader of math": "x = math.__loader__",
        "split over lines": "x = ().\\\n    __class__",
        "escape to a file": "x = [c for c in ().__class__.__base__.__subclasses__()\n"
        f"     if c.__name__ == '_wrap_close'][0].__init__.__globals__['open']({MARKER!r}, 'w')",
        "fork": "while True:\n    ().__class__.__base__.__subclasses__()[0].__init__.__globals__",
    }),
    *shown_by_text("dunder names", "forbidden_construct", {
        **{f"{name}": f"x = {name}" for name in (
            "__builtins__", "__loader__", "__spec__", "__name__", "__doc__", "__debug__",
            "__build_class__", "__annotations__",
        )},
        "__import__": '__import__("os").system("true")',
        "parameter": "def f(__class__):\n    pass",
        "variable": "__class__ = int",
        "caught": "try:\n    pass\nexcept Exception as __x:\n    pass",
        "module function": "def __getattr__(name):\n    return 1\ndef task_program():\n    pass",
    }),
    *shown_by_text("builtins", "forbidden_construct", {
        **{f"{name}()": f"{name}()" for name in (
            "globals", "locals", "vars", "dir", "object", "super", "property", "input",
            "breakpoint", "help", "exit", "quit", "license", "memoryview", "bytearray",
            "staticmethod", "classmethod", "aiter",
        )},
        "getattr": 'getattr("", "join")',
        "setattr": 'setattr(time, "sleep", print)',
        "delattr": 'delattr(time, "sleep")',
        "hasattr": 'hasattr(time, "os")',
        "type": "x = type(1)",
        "type makes a class": 'x = type("A", (), {"x": 1})',
        "eval": 'eval("1")',
        "exec": f'exec("open({MARKER!r}, \'w\')")',
        "compile": 'compile("1", "", "eval")',
        "eval by map": 'list(map(eval, ["1"]))',
        "eval under a new name": "e = eval\ne('1')",
        "open": f"open({MARKER!r}, 'w')",
        "open as a key": f"sorted([{MARKER!r}], key=open)",
        "bytes": "x = bytes(10 ** 12)",
        "id": "x = id(go_to)",
        "format": 'x = format(1, "1000000000")',
        "SystemExit": "raise SystemExit",
        "KeyboardInterrupt": "raise KeyboardInterrupt",
        "GeneratorExit": "raise GeneratorExit()",
        "os._exit without import": "os._exit(0)",
    }),
    *shown_by_text("format strings", "forbidden_construct", {
        "format": 'say("{0.__class__}".format(1))',
        "format_map": 'say("{x.__class__}".format_map({"x": 1}))',
        "format of the type": 'say(str.format("{0.__class__}", 1))',
        "format by map": 'list(map("{0.real}".format, [1]))',
        "__format__": 'x = "".__format__("10")',
        "__mod__": 'x = "%d".__mod__(1)',
        "expandtabs": 'x = "\\t".expandtabs(10 ** 12)',
        "translate": 'x = "a".translate({97: "b" * 10 ** 9})',
        "maketrans": 'x = str.maketrans("a", "b")',
        "encode": 'x = "a".encode("idna")',
        "fromkeys": "x = dict.fromkeys(range(10 ** 9))",
    }),
    *shown_by_text("frames", "forbidden_construct", {
        **{f".{name}": f"x = (i for i in [1])\ny = x.{name}" for name in (
            "gi_frame", "gi_code", "gi_yieldfrom", "gi_running", "f_back", "f_globals",
            "f_builtins", "f_locals", "f_trace", "cr_frame", "ag_frame", "tb_frame", "tb_next",
            "send", "throw", "close",
        )},
    }),
    *shown_by_text("exceptions", "forbidden_construct", {
        **{f".{name}": f"try:\n    pass\nexcept Exception as e:\n    x = e.{name}" for name in (
            "__traceback__", "with_traceback", "__context__", "__cause__", "args", "add_note",
            "obj", "name", "value", "__init__",
        )},
        "of the class": "x = SkillError.__init__",
        "subclasses": "x = SkillError.__subclasses__()",
        "code can not be set": "e = SkillError()\ne.code = 3",
    }),
    *shown_by_text("catching a stop", "forbidden_construct", {
        "everything": _try("except"),
        "BaseException": _try("except BaseException"),
        "in a tuple": _try("except (Exception, BaseException)"),
        "in a tuple of tuples": _try("except ((Exception, BaseException),)"),
        "in a variable": "e = BaseException\n" + _try("except e"),
        "a tuple in a variable": "e = (Exception,)\n" + _try("except e"),
        "starred": "e = [Exception]\n" + _try("except (*e,)"),
        "out of a list": _try("except [Exception][0]"),
        "by a condition": _try("except Exception if 1 else ValueError"),
        "by a call": "f = lambda: Exception\n" + _try("except f()"),
        "a skill in the handler": _try('except say("caught")'),
        "no class at all": "try:\n    " + _try("except 3").replace("\n", "\n    ")
        + "\nexcept Exception:\n    pass",
        "an error in the handler": _try("except [][0]"),
        "another Exception": "Exception = int\n" + _try("except Exception"),
        "Exception by a handler": _try("except ValueError as Exception"),
        "SystemExit": _try("except SystemExit"),
        "KeyboardInterrupt": _try("except KeyboardInterrupt"),
        "GeneratorExit": _try("except GeneratorExit"),
        "a group": _try("except* Exception"),
        "return in finally": 'try:\n    place("a")\nfinally:\n    return',
        "break in finally":
            'while True:\n    try:\n        place("a")\n    finally:\n        break',
        "continue in finally":
            'while True:\n    try:\n        place("a")\n    finally:\n        continue',
        "return in an if in finally":
            'try:\n    place("a")\nfinally:\n    if True:\n        return',
    }),
    *shown_by_text("imports", "forbidden_construct", {
        "os": "import os",
        "os as time": 'import os as time\ntime.system("true")',
        "a part": "from os import path",
        "everything": "from os import *\ndef task_program():\n    pass",
        "relative": "from . import verify",
        "from the future": "from __future__ import annotations\ndef task_program():\n    pass",
        "a name of a skill": "import os as go_to",
        "dotted": "import os.path as p",
        "over lines": "import \\\n    os",
        "after a semicolon": "x = 1; import os",
        "in a try": "try:\n    import ctypes\nexcept Exception:\n    pass",
    }),
    *shown_by_text("modules without import", "unknown_name", {
        text: text for text in (
            "sys.settrace(None)", "sys.setrecursionlimit(10 ** 9)", "socket.socket()",
            "signal.alarm(1)", "threading.Thread(target=go_to)", 'subprocess.run("true")',
            "ctypes.CDLL(None)", "gc.get_objects()", 're.compile("(a+)+$")', 'os.system("true")',
            'pickle.loads("")', "builtins.open", "asyncio.run(1)", "inspect.currentframe()",
        )
    }),
    *shown_by_text("parts of modules", "forbidden_construct", {
        text: f"x = {text}" for text in (
            "time.os", "random._os", "random.SystemRandom()", "random.seed(1)", "math.sys",
            "random.setstate(1)", "time.monotonic()", "random.choice.real", "math.factorial(10)",
            "math.comb(10 ** 9, 10 ** 8)", "time.clock_settime(0, 0)",
        )
    }),
    *shown_by_text("other constructs", "forbidden_construct", {
        "a class": "class A:\n    pass",
        "a metaclass": "class A(metaclass=print):\n    pass",
        "a class with __del__": "class A:\n    def __del__(self):\n        go_to('x')",
        "a decorator": "@print\ndef f():\n    pass",
        "a decorator on task_program": "@print\ndef task_program():\n    pass",
        "a lambda as decorator": "@(lambda f: f)\ndef f():\n    pass",
        "with": "with 3 as x:\n    pass",
        "yield": "yield 1",
        "yield in a lambda": "f = lambda: (yield)",
        "yield from": "yield from [1]",
        "await": "async def f():\n    await f()",
        "async comprehension": "async def f():\n    return [i async for i in f()]",
        "async with": "async def f():\n    async with f():\n        pass",
        "match": "match 1:\n    case int(real=x):\n        pass",
        "match takes a skill's name": "match 1:\n    case go_to:\n        pass",
        "half a character": 'say("\\ud800")',
        "half a character in an error": 'raise ValueError("\\udfff")',
    }),
    *shown_by_text("second meanings", "forbidden_construct", {
        "a skill": "go_to = print",
        "a skill, annotated": "go_to: int = 3",
        "a skill as function": "def go_to(x):\n    pass",
        "a skill as parameter": "def f(go_to):\n    pass",
        "a skill as keyword parameter": "def f(*, go_to=1):\n    pass",
        "a skill as *parameter": "def f(*go_to):\n    pass",
        "a skill as lambda's parameter": "f = lambda go_to: 1",
        "a skill as loop variable": "for go_to in [print]:\n    pass",
        "a skill in a comprehension": "x = [1 for go_to in [print]]",
        "a skill by walrus": "if go_to := print:\n    pass",
        "a skill by walrus in a comprehension": "x = [(say := i) for i in [1]]",
        "a skill as caught error": "try:\n    pass\nexcept Exception as go_to:\n    pass",
        "a skill by unpacking": "*go_to, x = [1, 2]",
        "a skill in the place of a module's function": "time = go_to\ntime.sleep('kitchen')",
        "a module in the place of another": "random = math\nrandom.floor(1)",
        "a module's function by another module": "time = random\nx = time.random()",
        "chance is a variable": "random = ['a']\nx = random.choice(random)",
        "a module by a parameter": "def f(time):\n    time.sleep(1)\nf(random)",
        "a skill by global": "def f():\n    global go_to\n    go_to = print\nf()",
        "the program by global": "def task_program():\n    say('x')\ndef f():\n"
        "    global task_program\n    task_program = print",
        "a function of the plan by global": "def f():\n    say('x')\ndef g():\n    global f\n"
        "    f = print\ndef task_program():\n    g()\n    f()",
        "the builtins by global": "def f():\n    global __builtins__\n    __builtins__ = {}\nf()",
        "len by global": "def f():\n    global len\n    len = go_to\nf()\nlen('kitchen')",
        "len by nonlocal": "def f():\n    len = 1\n    def g():\n        nonlocal len\n"
        "        len = go_to\n    g()\n    len('kitchen')\nf()",
        "len by walrus in a comprehension": "x = [(len := go_to) for i in [1]]\nlen('kitchen')",
        "len as loop variable": "for len in [go_to]:\n    len('kitchen')",
        "len as a parameter": "def f(len):\n    len('kitchen')\nf(go_to)",
        "len as lambda's parameter": "f = lambda len: len('kitchen')\nf(go_to)",
        "a module's function": "time.sleep = print",
        "a module's function in a tuple": "(time.sleep, x) = (print, 1)",
        "a module's function in a loop": "for time.sleep in [print]:\n    pass",
        "a module's function in a comprehension": "x = [0 for math.floor in [abs]]",
        "a module's number": "math.pi += 1",
        "a module's function is gone": "del time.sleep",
        "a function of chance": "random.choice = lambda x: x[0]",
        "task_program": "def other():\n    place('a')\n"
        "def task_program():\n    say('x')\ntask_program = other",
        "a function of the plan": "def f():\n    say('x')\ndef task_program():\n    f()\n"
        "f = lambda: place('a')",
        "two functions of one name": "def f():\n    place('a')\ndef other():\n    def f():\n"
        "        say('x')\n    f()\ndef task_program():\n    f()",
        "len is a skill": 'len = go_to\nlen("kitchen")',
        "str is a skill": 'str = go_to\nx = str("kitchen")',
        "range is longer": "def range(n):\n    return [1] * 99\nfor i in range(3):\n    pass",
        "SkillError": "SkillError = ValueError",
    }),
    *shown_by_text("formats", "forbidden_construct", {
        "an attribute": 'x = "{0.__class__}".format(1)',
        "an attribute of the next": 'x = "{.__class__}".format(1)',
        "an attribute of a name": 'x = "{x.__class__}".format(x=1)',
        "a chain": 'x = "{0.__init__.__globals__[os]}".format(say)',
        "an index": 'x = "{0[0]}".format([1])',
        "an attribute in a width": 'x = "{0:{1.__class__}}".format(1, 2)',
        "a width of a gigabyte": 'x = "{:>999999999}".format(1)',
        "a width that starts with 0": 'x = "{:0999999999d}".format(1)',
        "a width in other digits": 'x = "{:>\u0669\u0669\u0669\u0669\u0669\u0669}".format(1)',
        "digits of a gigabyte": 'x = "{:.999999999f}".format(1.0)',
        "a width from a value": 'x = "{:{}}".format(1, 10 ** 9)',
        "of a variable": 'f = "{0.__class__}"\nx = f.format(1)',
        "kept": 'f = "{}".format\nx = f(1)',
        "of joined texts": 'x = ("{0._" + "_class__}").format(1)',
        "of an f-string": 'x = f"{{0.__class__}}".format(1)',
        "of a list": 'x = ["{0.__class__}"][0].format(1)',
        "by its type": 'x = str.format("{0.__class__}", 1)',
        "by map": 'x = list(map("{0.__class__}".format, [1]))',
        "with a dict": 'x = "{x.__class__}".format_map({"x": 1})',
        "with starred values": 'x = "{}".format(*[1])',
        "with a starred dict": 'x = "{x}".format(**{"x": 1})',
        "that is none": 'x = "{".format(1)',
        "an f-string's width": 'x = f"{1:>999999999}"',
        "an old width": 'x = "%999999999d" % 1',
        "old digits": 'x = "%.999999999f" % 1',
        "an old width from a value": 'x = "%*d" % (10 ** 9, 1)',
        "old digits from a value": 'x = "%.*f" % (10 ** 9, 1)',
        "an old width of a name": 'x = "%(a)999999999d" % {"a": 1}',
    }),
    *shown_by_text("imports of what is there", "forbidden_construct", {
        "by another name": "import math as go_to",
        "one of two": "import time, os",
        "a part": "from time import sleep",
        "all parts": "from random import *",
        "what a module holds": "from random import _os",
        "a module in a module": "import time.sleep",
        "from nowhere": "from . import time",
        "from itself as another": "from math import floor as say",
    }),
    *shown_by_text("skills that no plan tells", "forbidden_construct", {
        "in a default": 'def f(x=go_to("kitchen")):\n    pass',
        "in a lambda's default": 'f = lambda x=go_to("kitchen"): x',
        "in an annotation": 'def f(x: go_to("kitchen")):\n    pass',
        "in a result's annotation": 'def f() -> go_to("kitchen"):\n    pass',
        "outside": 'x = go_to("kitchen")\ndef task_program():\n    pass',
        "outside by a function":
            'def f():\n    place("a")\nx = f()\ndef task_program():\n    pass',
        "outside as a statement": 'go_to("kitchen")\ndef task_program():\n    pass',
        "outside in a loop": "while True:\n    pass\ndef task_program():\n    pass",
    }),
]  # fmt: skip
