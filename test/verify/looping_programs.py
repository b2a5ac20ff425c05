"""Random programs with many loops, which remember little of what they were told.

They are for comparing explorations with each other: what they do need not make sense.
"""

from __future__ import annotations

import random

from hypothesis import strategies as st

_TOP = """\
total = 0


def helper(here):
    flag = other = False
    count = 0
    found = []
    go_to(here)
{helper}
    return flag


def bump():
    global total
    if is_in_room("cup"):
        total += 1


def look(thing):
    return is_in_room(thing)


def late():
    if total > 1 and is_in_room("apple"):
        place("cup")


def task_program():
    here = {start}
    go_to(here)
    flag = other = False
    count = 0
    found = []
    kept = {kept}
    rooms = get_all_rooms()
    passing = {passing}
"""
_LISTS = (
    "get_all_rooms()", "get_all_rooms()", "rooms", "rooms[1:]", "sorted(rooms)", "found",
    "list(found)", '["kitchen", "office", "kitchen"]', "reversed(rooms)", "iter(rooms)",
    "[room for room in rooms if room != here]", '{"kitchen": 1, "lab": 2}', "set(found)",
    "{name: 1 for name in found}", "passing",
)  # fmt: skip
_CHANGES = (
    'found = found + ["lab"]', "found.clear()", "found = kept", 'kept.append("office")',
    'rooms.append("lab")', "rooms = rooms[1:]", "found.extend(rooms)", "count = len(found)",
    "passing = iter(rooms)", "found = list(passing)", "count += 1", "count = 0",
    'count += is_in_room("cup")', "count = max(count, 2)", "flag, other = other, flag",
    "other = flag", "helper(here)", "flag = helper('lab')", "count += helper('lab')", "bump()",
    "flag = look('cup') and flag", "flag = [look(n) for n in ('cup', 'apple')][0]", "late()",
    "here = get_current_location()", "assert count < 3", "found[0] if other else 0",
    'say(f"{count} {flag}")', "say(str(found))", "print(count)",
)  # fmt: skip
_ACTS = ('pick("cup")', 'place("cup")', 'pick("apple")', 'ask("Jack", "q", ["y", "n"])')


@st.composite
def looping_programs(draw: st.DrawFn, waits: bool = True, rounds: int = 0) -> str:
    """The text of a task program over a map with a kitchen, an office and a lab.

    Args:
        rounds: of loops `for _ in range(rounds)`; 0 for no such loops.
    """
    return _Writer(random.Random(draw(st.integers(0, 2**32 - 1))), waits, rounds).program()


class _Writer:
    def __init__(self, lot: random.Random, waits: bool, rounds: int) -> None:
        self._lot = lot
        self._waits, self._rounds = waits, rounds
        self._left = 0
        self._loops: list[str] = []
        self._names = 0

    def program(self) -> str:
        lot = self._lot
        self._left = 2
        helper = self._block("    ", 3, "return flag")
        self._left = lot.randint(6, 16)
        top = _TOP.format(
            helper="\n".join(helper),
            start=lot.choice(['"kitchen"', '"kitchen"', "get_current_location()"]),
            kept=lot.choice(["found", "[]"]),
            passing=lot.choice(["iter(rooms)", "[]"]),
        )
        body = [line for _ in range(3) for line in self._block("    ", 0, "return")]
        return top + "\n".join(body) + "\n"

    def _block(self, ind: str, depth: int, leave: str) -> list[str]:
        lines = []
        for _ in range(self._lot.randint(1, 3)):
            if self._left > 0:
                self._left -= 1
                lines += self._statement(ind, depth, leave)
        return lines or [ind + "pass"]

    def _statement(self, ind: str, depth: int, leave: str) -> list[str]:
        lot, inner = self._lot, ind + "    "
        kinds = ["go", "go", "act", "change", "change", "let", "append", "leave", "exit"]
        if depth < 3:
            kinds += ["if", "if", "for", "for", "for", "try", *["while"][: self._waits]]
            kinds += ["bounded"] * 5 * bool(self._rounds)
        kind = lot.choice(kinds)
        if kind == "go":
            return [f"{ind}go_to({self._room()})"]
        if kind == "act":
            return [f"{ind}if {self._condition()}:", inner + lot.choice(_ACTS)]
        if kind == "change" and leave == "return":
            return [ind + lot.choice(_CHANGES)]
        if kind == "let":
            return [f"{ind}{lot.choice(['flag', 'other'])} = {self._condition()}"]
        if kind == "append":
            return [f"{ind}found.append({self._room()})"]
        if kind == "exit":
            return [f"{ind}if {self._condition()}:", inner + leave]
        if kind == "leave" and self._loops:
            return [f"{ind}if {self._condition()}:", inner + lot.choice(["break", "continue"])]
        if kind == "bounded":
            return self._bounded(ind, depth, leave)
        if kind == "if":
            return self._if(ind, depth, leave)
        if kind == "for":
            return self._for(ind, depth, leave)
        if kind == "while":
            head = [f"{ind}tries = 0", f"{ind}while tries < {lot.randint(1, 3)}:"]
            return [*head, inner + "tries += 1", *self._block(inner, depth + 1, leave)]
        if kind == "try":
            after = [f"{ind}except SkillError:", *self._block(inner, depth + 1, leave)]
            if lot.random() < 0.4:
                after = [f"{ind}finally:", inner + lot.choice(["flag = True", 'say("bye")'])]
            return [f"{ind}try:", *self._block(inner, depth + 1, leave), *after]
        return [ind + "pass"]

    def _bounded(self, ind: str, depth: int, leave: str) -> list[str]:
        lot, inner = self._lot, ind + "    "
        exits = [f"{inner}if {self._condition()}:", f"{inner}    {lot.choice(['break', leave])}"]
        waits = [f"{inner}time.sleep(5)"] if lot.random() < 0.6 else []
        rest = self._block(inner, depth + 2, leave)
        return [f"{ind}for _ in range({self._rounds}):", *exits, *waits, *rest]

    def _if(self, ind: str, depth: int, leave: str) -> list[str]:
        inner = ind + "    "
        lines = [f"{ind}if {self._condition()}:", *self._block(inner, depth + 1, leave)]
        if self._lot.random() < 0.4:
            lines += [f"{ind}else:", *self._block(inner, depth + 1, leave)]
        return lines

    def _for(self, ind: str, depth: int, leave: str) -> list[str]:
        lot, inner, name = self._lot, ind + "    ", f"room_{self._names}"
        self._names += 1
        values = lot.choice(_LISTS if leave == "return" else _LISTS[:2])
        head = lot.choice([f"{name} in {values}"] * 3 + [f"_, {name} in enumerate({values})"])
        lines = [f"{ind}for {head}:"]
        if lot.random() < 0.7:
            lines.append(f"{inner}go_to({name})")
        if lot.random() < 0.7:
            then = ["flag = True", "count += 1", f"found.append({name})", "break", 'say("x")']
            lines += [f"{inner}if is_in_room({self._thing()}):", f"{inner}    {lot.choice(then)}"]
        self._loops.append(name)
        lines += self._block(inner, depth + 1, leave)
        self._loops.pop()
        return lines

    def _thing(self) -> str:
        return self._lot.choice(['"cup"', '"Jack"', '"apple"'])

    def _room(self) -> str:
        return self._lot.choice(['"kitchen"', '"office"', "here", *self._loops, *self._loops])

    def _condition(self) -> str:
        asked = [f"is_in_room({self._thing()})" for _ in range(3)]
        asked += ['is_in_room("person")', 'ask("", "q", ["y", "n"]) == "y"', "flag", "other",
                  "len(found) > 1", "count > 1"]  # fmt: skip
        one, two = self._lot.choice(asked), self._lot.choice(asked)
        return self._lot.choice(
            [one, one, one, f"not {one}", f"{one} and {two}", f"{one} or {two}"]
        )
