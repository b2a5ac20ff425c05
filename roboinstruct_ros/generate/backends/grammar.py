"""A grammar of task programs, for constrained decoding.

It admits a part of the task language: statements of one function, indented by four blanks, that
call skills with the right number of arguments, and builtins and methods of the allow list. With a
map, a literal location must be a room of that map. The verifier checks everything else.

Source: GBNF, llama.cpp's grammar format.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skills import Domain, Parameter, Skill
from roboinstruct_ros.program.language import METHODS, MODULES

DEEPEST = 6
"""Most levels of nested blocks within the function."""

_CALLABLE = "abs all any dict divmod enumerate filter float int len list map max min pow print "
_CALLABLE += "range repr reversed round set sorted str sum tuple zip"

_FIXED = r"""
line ::= assignment | aug | call | "return" (" " value)? | "break" | "continue" | "pass"
assignment ::= target (", " target)* " = " value
aug ::= target " " ("+" | "-" | "*" | "/" | "//" | "%") "= " value
target ::= name trailer*
names ::= name (", " name)*
value ::= test (", " test)*
test ::= either (" if " either " else " test)?
either ::= both (" or " both)*
both ::= negation (" and " negation)*
negation ::= "not " negation | comparison
comparison ::= sum (comparator sum | " is " ("not ")? single)*
comparator ::= " " ("==" | "!=" | "<" | ">" | "<=" | ">=" | ("not ")? "in") " "
sum ::= product ((" + " | " - ") product)*
product ::= factor ((" * " | " / " | " // " | " % " | " ** ") factor)*
factor ::= "-" factor | atom trailer*
trailer ::= "[" index "]" | method
index ::= test | test? ":" test? (":" test?)?
method ::= "." method-name "(" arguments? ")"
arguments ::= argument (", " argument)*
argument ::= name "=" test | generator | test
generator ::= test loop+
loop ::= " for " names " in " either (" if " either)*
list ::= "[" (test loop+ | test (", " test)* ","?)? "]"
braces ::= "{" (entry loop+ | entry (", " entry)*)? "}"
entry ::= test (": " test)?
group ::= "(" (generator | test (", " test)* ","?)? ")"
builtin ::= builtin-name "(" arguments? ")"
module ::= module-call "(" arguments? ")" | "math." ("pi" | "e" | "inf")
constant ::= number | text | single
single ::= "True" | "False" | "None"
number ::= [0-9]+ ("." [0-9]+)?
name ::= [a-zA-Z_] [a-zA-Z0-9_]*
text ::= plain | "f" formatted
plain ::= "\"" ([^"\\\n] | escape)* "\"" | "'" ([^'\\\n] | escape)* "'"
formatted ::= "\"" ([^"\\\n{}] | escape | field)* "\"" | "'" ([^'\\\n{}] | escape | field)* "'"
field ::= "{" test ("!" [rs])? "}"
escape ::= "\\" [nt"'\\]
comment ::= "#" [^\n]*
"""


@dataclass(frozen=True)
class Grammars:
    """The grammars that constrain decoding; "" constrains nothing.

    Attributes:
        any_room: the form of a task program.
        known_rooms: as `any_room`, with only the map's rooms as locations. Used once a program has
            named an unknown room; before that, the model's intended name must be visible.
    """

    any_room: str = ""
    known_rooms: str = ""


NO_GRAMMARS = Grammars()


def grammars_for(domain: Domain, rooms: SemanticMap | None) -> Grammars:
    """The grammars for a robot and its map; None leaves the rooms open."""
    free = task_program_grammar(domain)
    return Grammars(free, task_program_grammar(domain, rooms) if rooms else free)


def task_program_grammar(domain: Domain, rooms: SemanticMap | None = None) -> str:
    """GBNF of the text after the line `def task_program():`.

    Args:
        domain: The skills.
        rooms: The only rooms that a literal location may name; None leaves them open.
    """
    return "\n".join([*_rules(domain, rooms), _FIXED.strip(), ""])


def whole_function_grammar(grammar: str) -> str:
    """GBNF of a complete function, from the grammar of its body; "" stays ""."""
    if not grammar:
        return ""
    body = grammar.replace("root ::=", "body ::=", 1)
    return 'root ::= "def task_program():\\n" body\n' + body


def _rules(domain: Domain, rooms: SemanticMap | None) -> Iterator[str]:
    # text in column 0 ends the function; writing stops there
    yield r"root ::= block1 ([^ \t\n] [^\x00]*)?"
    for level in range(1, DEEPEST + 1):
        yield from _block(level)
    skills = [f"skill{number}" for number, _ in enumerate(domain.skills)]
    yield f"call ::= ({_either(skills)} | builtin | module) trailer* | name method trailer*"
    # `name method` above is a statement such as `found.append(room)`; a bare name is not one
    yield (
        f"atom ::= {_either(skills)} | builtin | module | constant | list | braces | group | name"
    )
    for rule, skill in zip(skills, domain.skills, strict=True):
        yield f"{rule} ::= {_call(skill)}"
    yield f"room ::= {_either(_quoted_names(rooms))}" if rooms else "room ::= plain"
    yield "location ::= room | computed"
    # not a plain literal: a variable, a call, a concatenation
    yield 'computed ::= name trailer* (" + " factor)* | "f" formatted | builtin | module'
    yield f"builtin-name ::= {_either(map(_literal, _CALLABLE.split()))}"
    yield f"method-name ::= {_either(map(_literal, sorted(METHODS)))}"
    calls = [f"{module}.{part}" for module, parts in MODULES.items() for part in sorted(parts)]
    values = ("math.pi", "math.e", "math.inf")
    yield f"module-call ::= {_either(_literal(call) for call in calls if call not in values)}"


def _block(level: int) -> Iterator[str]:
    indent = f'"{"    " * level}"'
    compound = f" | compound{level}" if level < DEEPEST else ""
    yield f'block{level} ::= ("\\n" | {indent} ((line | comment) "\\n"{compound}))+'
    if level < DEEPEST:
        yield f"compound{level} ::= {_either(_compounds(indent, f'block{level + 1}'))}"


def _compounds(indent: str, block: str) -> Iterator[str]:
    """Statements with nested blocks."""
    orelse = f'({indent} "else:\\n" {block})?'
    yield f'"if " test ":\\n" {block} ({indent} "elif " test ":\\n" {block})* {orelse}'
    yield f'"for " names " in " value ":\\n" {block} {orelse}'
    yield f'"while " test ":\\n" {block}'
    yield f'"try:\\n" {block} {indent} "except SkillError" (" as " name)? ":\\n" {block}'


def _call(skill: Skill) -> str:
    arguments = [_argument(parameter) for parameter in skill.parameters]
    parts = ' ", " '.join(arguments)
    return " ".join(filter(None, [_literal(f"{skill.name}("), parts, '")"']))


def _argument(parameter: Parameter) -> str:
    value = "location" if parameter.type == "location" else "test"
    return f"({_literal(parameter.name + '=')})? {value}"


def _quoted_names(rooms: SemanticMap) -> Iterator[str]:
    for room in rooms.rooms:
        for name in dict.fromkeys((room.name, *room.aliases)):
            escaped = name.replace("\\", "\\\\").replace('"', '\\"')
            yield _literal(f'"{escaped}"')


def _either(rules: Iterable[str]) -> str:
    return "(" + " | ".join(rules) + ")"


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
