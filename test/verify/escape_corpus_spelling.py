"""Tricks of spelling, of encodings and of sheer size; and texts that only the compiler refuses."""

from __future__ import annotations

from escape_corpus import Trick, shown_by_text

_HEAD = "def task_program():\n"
_MANY = ";".join(f"a{i}=1" for i in range(1000))


def _raw(name: str, text: str, code: str = "", harmless: str = "") -> Trick:
    return Trick(name, "raw text", text, code, by_text=not harmless, harmless=harmless)


def _nested(opening: str, closing: str, depth: int) -> str:
    return f"{_HEAD}    x = {opening * depth}1{closing * depth}\n"


SPELLING_TRICKS = [
    *shown_by_text("look-alikes", "forbidden_construct", {
        "wide letter in an attribute": "x = ().__\uff43lass__",
        "wide letter in a name": "\uff45val('1')",
        "wide underscore": "_\uff3fimport__('os')",
        "wide letter of __builtins__": "x = __\uff42uiltins__",
        "mathematical letter": "\U0001d41eval('1')",
        "italic attribute": "x = ().__\U0001d450lass__",
        "subscript letter": "x = op\u2091n('a')",
        "wide letter overwrites a skill": "\uff53ay = print",
        "wide letter in a keyword": "x = ''\ny = x.\uff46ormat(1)",
    }),
    *shown_by_text("look-alikes", "unknown_skill", {
        "Cyrillic letter in a skill": "g\u043e_to('kitchen')",
        "Greek letter in a skill": "s\u03b1y('x')",
    }),
    *shown_by_text("only the compiler refuses", "syntax_error", {
        "break outside": "break",
        "continue outside": "continue",
        "return outside": "x = 1\nif x:\n    pass\n" + "def task_program():\n    pass\nreturn 1",
        "the same parameter twice": "def f(a, a):\n    pass",
        "nonlocal of nothing": "nonlocal x",
        "nonlocal of a skill": "nonlocal go_to\ngo_to = 1",
        "nonlocal parameter": "def f(x):\n    nonlocal x",
        "__debug__ as keyword": "def f(**k):\n    pass\nf(__debug__=1)",
        "21 loops in one another": "\n".join(f"{'    ' * i}for i{i} in [1]:" for i in range(21))
        + "\n" + "    " * 21 + "pass",
        "walrus in a comprehension's source": "x = [y for y in (z := [1])]",
        "walrus of a loop variable": "x = [y := 1 for y in [1]]",
        "two stars": "*a, *b = [1]",
        "the same keyword twice": "def f(**k):\n    pass\nf(a=1, a=2)",
        "assigned to a call": "f() = 1",
        "assigned to None": "None = 1",
        "star outside": "*x",
    }),
    _raw("a null byte", _HEAD + '    say("\0")\n', "syntax_error"),
    _raw("half a character", _HEAD + '    say("\ud800")\n', "syntax_error"),
    _raw("half a character in a comment", _HEAD + "    pass  # \udcff\n", "syntax_error"),
    _raw("a new line that ends a comment", _HEAD + '    pass  # fine\r    eval("1")\n',
         "forbidden_construct"),
    _raw("new lines of old Macs", 'def task_program():\r    eval("1")\r', "forbidden_construct"),
    _raw("tabs and spaces", "def task_program():\n\tif 1:\n        pass\n\tpass\n", "syntax_error"),
    _raw("a keyword over two lines", _HEAD + "    im\\\nport os\n", "syntax_error"),
    _raw("a backslash at the end", _HEAD + "    pass\\", "syntax_error"),
    _raw("an unknown character name", _HEAD + '    say("\\N{NO SUCH NAME}")\n', "syntax_error"),
    _raw("half an escape", _HEAD + '    say("\\x")\n', "syntax_error"),
    _raw("a text without end", _HEAD + '    say("""' + "a" * 15000, "syntax_error"),
    _raw("a space that is none", _HEAD + "    go_to\u00a0('kitchen')\n", "syntax_error"),
    _raw("a space without width", _HEAD + "    ev\u200bal('1')\n", "syntax_error"),
    _raw("a type statement", _HEAD + "    type go_to = int\n"),
    _raw("a type parameter", _HEAD + "    def f[go_to]():\n        pass\n"),
    _raw("no program", "", "no_task_program"),
    _raw("a program in a text", '"""\ndef task_program():\n    pass\n"""\n', "no_task_program"),
    _raw("an async program", "async def task_program():\n    pass\n", "no_task_program"),
    _raw("a class as program", "class task_program:\n    pass\n", "no_task_program"),
    _raw("a lambda as program", "task_program = lambda: 1\n", "no_task_program"),
    _raw("two programs", (_HEAD + "    pass\n") * 2, "no_task_program"),
    _raw("parameters", "def task_program(x=1):\n    pass\n", "task_program_parameters"),
    _raw("too long", _HEAD + "    pass" + "#" * 20000, "too_long"),
    _raw("far too long", "(" * 10**6, "too_long"),
    _raw("parentheses", _nested("(", ")", 9000), "syntax_error"),
    _raw("parentheses that never close", _HEAD + "    x = " + "(" * 15000, "syntax_error"),
    _raw("lists", _nested("[", "]", 150)),
    _raw("dicts", _nested("{1:", "}", 150)),
    _raw("minus signs", _nested("-", "", 15000)),
    _raw("nots", _nested("not ", "", 4000)),
    _raw("lambdas", _nested("lambda:", "", 2000)),
    _raw("conditions", _nested("1 if 1 else ", "", 1500)),
    _raw("sums", _nested("1+", "", 9000)),
    _raw("powers", _nested("9**", "", 5000)),
    _raw("calls", _HEAD + "    x = ''" + ".strip()" * 2000 + "\n"),
    _raw("subscripts", _HEAD + "    x = ''" + "[0]" * 6000 + "\n"),
    _raw("f-strings", _HEAD + "    x = f'{1" + ":{1" * 50 + "}" * 51 + "'\n"),
    _raw("blocks",
         _HEAD + "".join(" " * i + "if 1:\n" for i in range(1, 150)) + " " * 151 + "pass"),
    _raw("elifs", _HEAD + "    if 0:\n        pass\n" + "    elif 0:\n     pass\n" * 800),
    _raw("a number without end", _HEAD + "    x = " + "9" * 15000 + "\n", "syntax_error"),
    _raw("a name without end", _HEAD + "    " + "x" * 15000 + "()\n", "unknown_skill"),
    _raw("thousands of unknown names",
         f"{_HEAD}    {_MANY}\n    {';'.join(f'b{i}' for i in range(1500))}\n", "unknown_name"),
    _raw("thousands of forbidden attributes",
         f"{_HEAD}    x=''\n    {';'.join(f'x.b{i}' for i in range(2000))}\n",
         "forbidden_construct"),
    _raw("thousands of imports", _HEAD + "    import os\n" * 1300, "forbidden_construct"),
    _raw("an encoding that hides", f"# -*- coding: utf-7 -*-\n{_HEAD}    say('+ADw-')\n",
         harmless="a text is no file: its coding line is a comment"),
    _raw("an unknown encoding", f"# -*- coding: nonsense -*-\n{_HEAD}    say('x')\n",
         harmless="a text is no file: its coding line is a comment"),
    _raw("writing that runs backwards", _HEAD + "    say('\u202eabc')  # \u2066\n",
         harmless="what runs and what the plan tells is the syntax tree, not how it looks"),
    _raw("form feeds", "\f" + _HEAD + "\f    say('x')\n", harmless="blank to Python and to us"),
    _raw("letters that are joined", _HEAD + "    x = list(\ufb01lter(None, [1]))\n",
         harmless="Python and the allow-list read the same name, filter"),
    _raw("the longest name of a character",
         _HEAD + "    say('" + "\\N{ARABIC LIGATURE UIGHUR KIRGHIZ YEH WITH HAMZA ABOVE WITH ALEF "
         "MAKSURA ISOLATED FORM}" * 50 + "')\n", harmless="fifty characters"),
    _raw("a line without end", _HEAD + "    x = 1" + ";x = 1" * 3000 + "\n",
         harmless="3,000 short statements"),
    _raw("a large hexadecimal number", _HEAD + "    x = 0x" + "f" * 15000 + "\n",
         harmless="a number of 60,000 bits is no burden"),
]  # fmt: skip
