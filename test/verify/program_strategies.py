"""Hypothesis strategies for task programs over the whole task language.

Programs are well-formed by construction: variables are tracked with the kind of their value, so
that most programs reach their skills. What is to fail is asked for (`Language.faults`, `.slips`).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from program_expressions import Expressions, Language, Scope, Vocabulary, quoted
from program_operations import STATEMENTS

Lines = list[str]
WHOLE = Language()
LARGE = Language(operations=True)
FEW_WORDS = Vocabulary()
KINDS = ("number", "text", "flag", "thing", "answer", "things", "rooms", "bag", "table", "room")


@st.composite
def task_programs(
    draw: Callable[[Any], Any], language: Language = WHOLE, words: Vocabulary = FEW_WORDS
) -> str:
    """The text of a task program."""
    return program_of(draw(st.randoms(use_true_random=False)), language, words)


def program_of(
    chance: random.Random, language: Language = WHOLE, words: Vocabulary = FEW_WORDS
) -> str:
    """The same, of these chances."""
    return _Writer(Expressions(chance, words, language)).program()


def _indented(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]


class _Writer:
    """Writes one program, statement by statement."""

    def __init__(self, say: Expressions) -> None:
        self._say = say
        self._language = say.language
        self._left = say.language.statements

    def program(self) -> str:
        scope = Scope()
        top: Lines = []
        if self._say.rarely(4):
            name = self._say.fresh()
            top = [f"{name} = {self._say.of_kind('things', Scope(), 0)}"]
            if "random" in top[0] or "is_in_room" in top[0]:
                top = [f"{name} = [{quoted('apple')}]"]
            scope.add("things", name)
        body = self._block(scope, self._language.depth, function=True)
        while self._left > 0 and self._say.coin():
            body += self._block(scope, self._language.depth, function=True)
        return "\n".join([*top, "def task_program():", *_indented(body)]) + "\n"

    def _block(self, scope: Scope, depth: int, loop: bool = False, function: bool = False) -> Lines:
        count = self._say.upto(1, 5 if function else 3)
        lines: Lines = []
        for _ in range(count):
            if self._left > 0:
                self._left -= 1
                lines += self._statement(scope, depth, loop)
        return lines or ["pass"]

    def _statement(self, scope: Scope, depth: int, loop: bool) -> Lines:
        language = self._language
        makers = [self._skill] * 5 + [self._fetch, self._let, self._let, self._change]
        if language.chance:
            makers.append(self._mix)
        if language.faults and self._say.rarely(4):
            makers += [self._stop, self._misuse]
        if language.slips and self._say.rarely(3):
            makers += [self._slip]
        if loop:
            makers += [self._leave]
        if language.operations:
            makers += [self._operation] * 5
        makers = [lambda scope=scope, make=make: make(scope) for make in makers]
        if depth:
            nested = [self._if] * 4 + [self._for, self._for, self._try, self._function]
            if language.waits:
                nested += [self._wait, self._count, self._repeat]
            makers += [lambda make=make: make(scope, depth - 1, loop) for make in nested]
        return self._say.one_of(makers)()

    # plain statements ----------------------------------------------------------------------------

    def _skill(self, scope: Scope) -> Lines:
        say = self._say
        return say.one_of([
            lambda: [f"go_to({say.room(scope)})"],
            lambda: [f"pick({say.thing(scope)})"],
            lambda: [f"place({say.thing(scope)})"],
            lambda: [f"say({say.text(scope)})"],
            lambda: [f"ask({say.person(scope)}, {say.text(scope)}, [\"Yes\", \"No\"])"],
            lambda: [f"is_in_room(object={say.entity(scope)})"],
            lambda: ["time.sleep(5)"],
        ])()  # fmt: skip

    def _fetch(self, scope: Scope) -> Lines:
        thing, room = self._say.thing(scope, 0), self._say.room(scope, 0)
        return [f"pick({thing})", f"go_to(location={room})", f"place({thing})"]

    def _let(self, scope: Scope) -> Lines:
        say = self._say
        if say.rarely(8):
            one, other = say.fresh(), say.fresh()
            line = f"{one}, {other} = {say.thing(scope)}, {say.number(scope)}"
            scope.add("thing", one)
            scope.add("number", other)
            return [line]
        if say.rarely(8):
            name = say.fresh()
            line = f"{name} = lambda thing: is_in_room(thing) and {say.flag(scope, 0)}"
            scope.add("test", name)
            return [line]
        if self._language.clock and say.rarely(10):
            name = say.fresh()
            scope.add("number", name)
            return [f"{name} = int(time.time()) % 5"]
        kind, name = say.one_of(KINDS), say.fresh()
        line = f"{name} = {say.of_kind(kind, scope, 2)}"
        scope.add(kind, name)
        return [line]

    def _change(self, scope: Scope) -> Lines:
        """Another value for a variable; never one that doubles it."""
        say = self._say
        changes: dict[str, list[str]] = {
            "number": ["{} += 1", "{} -= 2", "{} = 1"],
            "text": ['{} += "!"', '{} = "new"'],
            "flag": ["{0} = not {0}", "{} = False"],
            "things": ['{}.append("cup")', '{}.extend(["apple"])', "{}.reverse()", "{} = []",
                       "{0} = {0}[:1]", '{}.insert(0, "apple")', "{}.clear()"],
            "bag": ['{}.add("cup")', '{}.discard("cup")', '{} |= {{"apple"}}'],
            "table": ['{}["cup"] = 2', '{}.setdefault("cup", 1)', '{}.update({{"apple": 0}})',
                      '{}.pop("cup", None)'],
        }  # fmt: skip
        known = [(kind, name) for kind in changes for name in scope.of(kind)]
        if not known:
            return self._let(scope)
        kind, name = say.one_of(known)
        return [say.one_of(changes[kind]).format(name)]

    def _mix(self, scope: Scope) -> Lines:
        name = self._say.fresh()
        start = f"{name} = list({self._say.things(scope, 0)})[:3]"
        scope.add("things", name)
        return [start, f"random.shuffle({name})"]

    def _operation(self, scope: Scope) -> Lines:
        return self._say.filled(self._say.one_of(STATEMENTS), scope).splitlines()

    def _leave(self, scope: Scope) -> Lines:
        return [f"if {self._say.flag(scope)}:", f"    {self._say.one_of(['break', 'continue'])}"]

    def _stop(self, scope: Scope) -> Lines:
        say = self._say
        return say.one_of([
            lambda: ['raise ValueError("stop")'],
            lambda: ['raise SkillError("blocked")'],
            lambda: [f'assert {say.flag(scope)}, "must be"'],
            lambda: [f"if {say.flag(scope)}:", "    return"],
        ])()  # fmt: skip

    def _misuse(self, scope: Scope) -> Lines:
        say, name = self._say, self._say.fresh()
        return say.one_of([
            lambda: [f"say({say.number(scope)})"],
            lambda: [f"{name} = say({say.text(scope, 0)})", f"go_to({name})"],
            lambda: [f"{name} = is_in_room({say.entity(scope)})", f"len({name})"],
            lambda: [f"{name} = []", f'ask("", "well?", {name})'],
            lambda: [f"{name} = {say.things(scope, 0)}", f"{name}[{say.number(scope)}]"],
            lambda: [f"{name} = {say.things(scope, 0)}", f"{name}.remove({say.thing(scope)})"],
            lambda: [f"time.sleep({say.number(scope)} - 1)"],
            lambda: [f'{name} = "  "', f"pick({name})"],
            lambda: [f"{name} = {{}}", f'del {name}["cup"]'],
        ])()  # fmt: skip

    def _slip(self, scope: Scope) -> Lines:
        return [self._say.one_of([
            "go_to()", 'pick("cup", "apple")', "go_to(3)", 'fly("home")', "say(nobody_set_this)",
            "import os", "x = ().__class__", 'open("file")', 'ask("", "?", [])', "go_to = 3",
            'say("")', "with x: pass", "global x", "time.clock()", 'x = "".format(1)', "if",
        ])]  # fmt: skip

    # blocks --------------------------------------------------------------------------------------

    def _if(self, scope: Scope, depth: int, loop: bool) -> Lines:
        say = self._say
        inner = scope.inner()
        condition = say.flag(scope, 2)
        if say.rarely(6):
            name = say.fresh()
            condition = f"({name} := {say.number(scope)}) > {say.upto(0, 2)}"
            inner.add("number", name)
        lines = [f"if {condition}:", *_indented(self._block(inner, depth, loop))]
        if say.rarely(3):
            branch = self._block(scope.inner(), depth, loop)
            lines += [f"elif {say.flag(scope)}:", *_indented(branch)]
        if say.coin():
            lines += ["else:", *_indented(self._block(scope.inner(), depth, loop))]
        return lines

    def _for(self, scope: Scope, depth: int, loop: bool) -> Lines:
        say, name, other, inner = self._say, self._say.fresh(), self._say.fresh(), scope.inner()
        kind = say.one_of(["thing", "room", "range", "enumerate", "zip", "items"])
        if kind == "thing":
            header, kinds = f"for {name} in list({say.things(scope)}):", {name: "thing"}
        elif kind == "room":
            header, kinds = f"for {name} in {say.rooms(scope)}:", {name: "room"}
        elif kind == "range":
            count = say.upto(0, 3)
            header, kinds = f"for {name} in range({count}):", {name: "number"}
        elif kind == "enumerate":
            header = f"for {name}, {other} in enumerate(list({say.things(scope)}), 1):"
            kinds = {name: "number", other: "thing"}
        elif kind == "zip":
            header = f"for {name}, {other} in zip(list({say.things(scope, 0)}), range(3)):"
            kinds = {name: "thing", other: "number"}
        else:
            header = f"for {name}, {other} in list({say.table(scope)}.items()):"
            kinds = {name: "thing", other: "number"}
        for variable, known in kinds.items():
            inner.add(known, variable)
        lines = [header, *_indented(self._block(inner, depth, loop=True))]
        if say.rarely(4):
            lines += ["else:", *_indented(self._block(scope.inner(), depth, loop))]
        return lines

    def _try(self, scope: Scope, depth: int, loop: bool) -> Lines:
        say = self._say
        caught = say.one_of(["SkillError as error", "ValueError", "(KeyError, IndexError)",
                             "Exception"])  # fmt: skip
        lines = ["try:", *_indented(self._block(scope.inner(), depth, loop))]
        handler = self._block(scope.inner(), depth, loop)
        if "error" in caught:
            handler = ['say("sorry: " + error.code)', *handler]
        endings = ["except", "finally", "both"] if self._language.finally_ else ["except"]
        ending = say.one_of(endings)
        if ending != "finally":
            lines += [f"except {caught}:", *_indented(handler)]
        if ending != "except":
            # a `finally:` may not be left early, so it holds plain statements only
            lines += ["finally:", *_indented(self._skill(scope))]
        return lines

    def _function(self, scope: Scope, depth: int, loop: bool) -> Lines:
        say, name = self._say, self._say.fresh()
        own = Scope({"thing": ["thing"], "room": ["to"], "test": scope.of("test")})
        body = self._block(own, depth, function=True)
        gives = say.flag(own, 1)
        default = quoted(say.one_of(say.words.rooms))
        call = say.one_of([
            f"{name}({say.thing(scope)})",
            f"{name}({say.thing(scope)}, {say.room(scope)})",
            f"{name}(to={say.room(scope)}, thing={say.thing(scope)})",
        ])  # fmt: skip
        result = say.fresh()
        lines = [f"def {name}(thing, to={default}):", *_indented([*body, f"return {gives}"])]
        scope.add("test", name)
        scope.add("flag", result)
        return [*lines, f"{result} = {call}"]

    def _wait(self, scope: Scope, depth: int, loop: bool) -> Lines:
        say = self._say
        awaited = say.one_of([
            f"not is_in_room({say.entity(scope, 0)})",
            f"is_in_room({say.entity(scope, 0)})",
            f'{say.answer(Scope(), 0)} != "Yes"',
        ])  # fmt: skip
        pause = say.one_of(['say("still waiting")', "time.sleep(5)", "pass"])
        return [f"while {awaited}:", f"    {pause}"]

    def _count(self, scope: Scope, depth: int, loop: bool) -> Lines:
        say, name, inner = self._say, self._say.fresh(), scope.inner()
        body = self._block(inner, depth, loop=True)
        end = say.upto(1, 3)
        lines = [f"{name} = 0", f"while {name} < {end}:", f"    {name} += 1", *_indented(body)]
        if say.rarely(5):
            lines += ["else:", *_indented(self._skill(scope))]
        return lines

    def _repeat(self, scope: Scope, depth: int, loop: bool) -> Lines:
        """Tries again until a condition holds; some conditions never do."""
        say = self._say
        body = [*self._skill(scope), f"if {say.flag(scope)}:", "    break"]
        if say.coin():
            body.append("time.sleep(1)")
        return ["while True:", *_indented(body)]
