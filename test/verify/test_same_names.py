"""Each name of the task language, in a trial and in a run: the same values, the same errors."""

from __future__ import annotations

import ast

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.program.language import BUILTINS, METHODS, MODULES
from roboinstruct_ros.sandbox.program_process import (
    EndKind,
    ProgramHooks,
    ProgramProcess,
    SkillReply,
)
from roboinstruct_ros.verify.verifier import verify

DOMAIN = load_domain()
HOME = load_semantic_map(find_world("home"))

EXPRESSIONS = """
abs(-2) + max(1, 2) + min(3, 1) + sum([1, 2]) + pow(2, 3) + len("ab") + ord("a") + round(1.5)
all([1, 0]), any([1, 0]), bool(0), bool("x"), isinstance(1, int), True, False, None
chr(97), chr(0xD800)
dict(a=1), list("ab"), tuple("ab"), sorted(set([2, 1])), sorted(frozenset([2, 1])), divmod(7, 2)
list(enumerate("ab")), list(filter(None, [0, 1])), list(map(str, [1])), list(range(3))
list(reversed([1, 2])), list(zip("ab", [1, 2])), next(iter([1])), list(iter([2, 1].pop, 2))
float("1.5"), int("7"), int("x"), str(1.0), repr("a"), str(print), repr(go_to), str(time.sleep)
print("a", 1, sep="-", end="!"), print("a", sep=1), print("a", file=3)
[Exception, ValueError, KeyError, IndexError, TypeError, ZeroDivisionError, StopIteration]
[RuntimeError, ArithmeticError, LookupError, AttributeError, AssertionError]
SkillError("a", "b").code, SkillError("a", "b").message, str(SkillError("a"))
{}["a"], 1
[][1]
1 / 0
undefined_later
math.ceil(1.2), math.floor(1.8), math.sqrt(4), math.pi, math.e, math.inf, math.sin(1), math.cos(1)
math.tan(1), math.atan2(1, 2), math.hypot(3, 4), math.degrees(1), math.radians(90), math.fabs(-1)
math.fmod(7, 3), math.gcd(4, 6), math.isclose(1, 1), math.log(2), math.exp(1), math.pow(2, 3)
math.trunc(1.5), math.sqrt(-1), str(math.floor)
time.sleep(0), time.sleep(seconds=0), time.time() > 1e9, type_of(time.time())
time.sleep(-1)
time.sleep("x")
time.sleep(True)
time.sleep(math.inf)
time.sleep(1, 2)
time.time(1)
random.choice(["a"]), random.choice(seq="a"), random.randint(3, 3), random.randint(a=3, b=3)
0 <= random.random() < 1, random.uniform(1, 1), random.uniform(a=2, b=2), str(random.choice)
random.sample(["a"], 1), random.sample(population=["a"], k=1), random.sample("a", k=0)
shuffled([1]), random.shuffle(x=[1])
random.choice([])
random.choice({1})
random.choice(values=[1])
random.randint(2, 1)
random.randint(1.5, 2)
random.sample({1}, 1)
random.sample([1], 2)
random.sample([1], -1)
random.sample({"a": 1}, 1)
random.random(1)
"aB".capitalize(), "aB".casefold(), "ab".count("a"), "ab".endswith("b"), "ab".find("b")
"ab".index("b"), "a".isalpha(), "1".isdigit(), "1".isnumeric(), " ".isspace(), "A".isupper()
"a".islower(), ",".join("ab"), "A".lower(), " a".lstrip(), "a-b".partition("-")
"ab".removeprefix("a"), "ab".removesuffix("b"), "ab".replace("a", "c"), "ab".rfind("b")
"a-b".rpartition("-"), "a b".rsplit(), "a ".rstrip(), "a b".split(), "a\\nb".splitlines()
"ab".startswith("a"), " a ".strip(), "aB".swapcase(), "a b".title(), "a".upper(), "7".zfill(3)
"a".ljust(3), "a".rjust(3), "a".center(3), "{} {:>4}".format("a", 1), "%s %03d" % ("a", 7)
"{0}-{x!r}".format(1, x="a"), "{}".format(), "{:d}".format("a"), "%d" % "a"
changed([1], lambda x: x.append(2)), changed([1], lambda x: x.clear()), [1].copy()
changed([1], lambda x: x.extend([2])), changed([1], lambda x: x.insert(0, 2)), [1, 2].pop()
changed([1, 2], lambda x: x.remove(1)), changed([1, 2], lambda x: x.reverse())
changed([2, 1], lambda x: x.sort()), {"a": 1}.get("a"), list({"a": 1}.items())
list({"a": 1}.keys()), list({"a": 1}.values()), changed({}, lambda x: x.setdefault("a", 1))
changed({}, lambda x: x.update(a=1)), {"a": 1}.popitem(), changed({1}, lambda x: x.add(2))
changed({1}, lambda x: x.discard(1)), {1, 2}.difference({1}), {1, 2}.intersection({1})
{1}.issubset({1}), {1}.issuperset({1}), {1}.union({2}), {1}.symmetric_difference({2})
""".strip()

HELPERS = """
import time
count = 0

def told(work):
    global count
    count += 1
    try:
        return f"{count} {work()!r}"
    except Exception as error:
        return f"{count} {error}"

def changed(value, change):
    change(value)
    return value

def shuffled(values):
    random.shuffle(values)
    return values

def type_of(number):
    return isinstance(number, float)

def task_program():
"""


def _source() -> str:
    lines = [f"    say(told(lambda: ({line})))" for line in EXPRESSIONS.split("\n")]
    never = ["    if False:", "        undefined_later = 1"]
    return HELPERS.lstrip() + "\n".join([*lines, *never, '    pick("a")', '    pick("b")', ""])


def test_a_trial_and_a_run_have_the_same_names() -> None:
    source = _source()
    (violation,) = verify(source, DOMAIN, HOME).violations
    assert violation.code.value == "hand_full", violation
    assert violation.counterexample is not None
    tried = [call.arguments[0] for call in violation.counterexample.calls if call.skill == "say"]

    said: list[str] = []

    def call(name: str, args: tuple[str, ...], kwargs: dict[str, str], line: int) -> SkillReply:
        if name == "say":
            said.append(args[0])
        return SkillReply()

    hooks = ProgramHooks(call, sleep=lambda seconds, line: None, print=lambda text, line: None)
    end = ProgramProcess(source, DOMAIN.skill_names).run(hooks)
    assert end.kind is EndKind.FINISHED, end
    assert len(said) == len(EXPRESSIONS.split("\n"))
    assert tried == said


def test_no_name_is_forgotten() -> None:
    nodes = list(ast.walk(ast.parse(_source())))
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    assert used >= BUILTINS - {"True", "False", "None"}
    assert attributes >= METHODS
    parts = {(name, part) for name in MODULES for part in MODULES[name]}
    named = {
        (node.value.id, node.attr)
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    assert named >= parts
