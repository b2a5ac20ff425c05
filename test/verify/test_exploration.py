"""Budgets, coverage, warnings, and going on where a budget ended."""

from __future__ import annotations

import itertools
import textwrap

import pytest

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import SemanticMap, load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.verdict import Status, Verdict
from roboinstruct_ros.verify.verifier import replay, verify

pytestmark = pytest.mark.computes

DOMAIN = load_domain()
HOME = load_semantic_map(find_world("home"))


def verdict(body: str, semantic_map: SemanticMap | None = None, **budget: float) -> Verdict:
    source = "def task_program():\n" + textwrap.indent(textwrap.dedent(body).strip(), "    ") + "\n"
    return verify(source, DOMAIN, semantic_map, budget=Budget(**{"seconds": 30.0, **budget}))  # type: ignore[arg-type]


def codes(found: Verdict) -> list[tuple[str, int]]:
    return [(violation.code.value, violation.line) for violation in found.violations]


def warnings(found: Verdict) -> list[tuple[str, int]]:
    return [(warning.code.value, warning.line) for warning in found.warnings]


QUESTIONS = "\n".join(f'is_in_room("thing {n}")' for n in range(8))
REMEMBERED = "\n".join(f'seen_{n} = is_in_room("thing {n}")' for n in range(8))
TOLD = "say(str([" + ", ".join(f"seen_{n}" for n in range(8)) + "]))"


def test_an_exploration_goes_on_where_its_budget_ended() -> None:
    body = f"{REMEMBERED}\n{TOLD}"
    whole = verdict(body)
    assert (whole.paths, whole.exhaustive, whole.frontier) == (256, True, None)
    source = "def task_program():\n" + textwrap.indent(body, "    ") + "\n"
    budget = Budget(paths=100, samples=0, seconds=30)
    begin: tuple[int, ...] | None = ()
    paths = []
    while begin is not None:
        part = verify(source, DOMAIN, budget=budget, begin=begin)
        paths.append(part.paths)
        assert not part.exhaustive
        begin = part.frontier
    assert paths == [100, 100, 56]


def test_what_one_part_does_not_find_the_next_one_does() -> None:
    body = f'{REMEMBERED}\nif not is_in_room("thing 0"):\n    place("x")\n{TOLD}'
    source = "def task_program():\n" + textwrap.indent(body, "    ") + "\n"
    budget = Budget(paths=128, samples=0, seconds=30)
    first = verify(source, DOMAIN, budget=budget)
    assert first.accepted
    assert first.frontier is not None
    assert codes(verify(source, DOMAIN, budget=budget, begin=first.frontier)) == [
        ("hand_empty", 11)
    ]


def test_coverage_counts_lines_and_branches() -> None:
    found = verdict('if is_in_room("a"):\n    say("a")\nfor n in []:\n    say("never")')
    coverage = found.coverage
    assert (coverage.lines_reached, coverage.lines) == (3, 4)
    assert (coverage.branches_reached, coverage.branches) == (3, 4)
    assert warnings(found) == [("unreachable_line", 5)]


def test_a_loop_that_repeats_itself_never_ends() -> None:
    body = 'go_to("a")\nwhile True:\n    for room in ["b", "c"]:\n        go_to(room)'
    assert codes(verdict(body)) == [("non_termination", 3)]


@pytest.mark.parametrize(
    "body",
    [
        "n = 0\nwhile n < 10 ** 9:\n    n += 1",
        "for n in range(10 ** 9):\n    pass",
        "for _ in [0] * 10 ** 6:\n    pass",
        "x = []\nwhile True:\n    x.append(len(x))",
    ],
)
def test_a_loop_that_goes_on_somewhere_is_only_too_long(body: str) -> None:
    found = verdict(body)
    assert [violation.code.value for violation in found.violations] == ["step_budget"]


def test_time_that_ends_a_verification_decides_nothing() -> None:
    body = "n = 0\nwhile n < 10 ** 9:\n    n += 1"
    found = verdict(body, seconds=0.05, lines=10**9, quiet_lines=10**9, work=10**9)
    assert (found.status, found.violations) == (Status.UNDECIDED, ())
    assert found.undecided_because.startswith("The verifier ran out of time in line ")
    assert "1 world had been tried" in found.undecided_because
    ((code, line), *_) = warnings(found)
    assert code == "out_of_time"
    assert line in (3, 4)


def test_time_is_looked_at_between_worlds() -> None:
    found = verdict(QUESTIONS, seconds=0.0)
    assert found.status is Status.UNDECIDED
    assert found.paths == 1
    assert found.frontier is not None
    assert found.undecided_because == (
        "The verifier ran out of time: 1 world had been tried, and nothing was wrong so far."
    )


def test_what_was_found_before_the_time_ended_stays_found() -> None:
    found = verdict(f'{QUESTIONS}\nif is_in_room("x"):\n    place("x")', seconds=0.0)
    assert codes(found) == [("hand_empty", 11)]


def test_the_last_world_may_take_all_of_the_time() -> None:
    assert verdict('go_to("kitchen")', seconds=0.0).accepted


@pytest.mark.parametrize(
    "body",
    [
        'found = [n for n in range(14) if is_in_room(f"apple {n}")]\nsay(str(found[0]))',
        "found = [n for n in range(14) if not is_in_room(f'apple {n}')]\nsay(str(found[0]))",
        "seen = [is_in_room(f'apple {n}') for n in range(14)]\nassert sum(seen) != 1 or seen[0]",
        "seen = [is_in_room(f'apple {n}') for n in range(14)]\nassert sum(seen) != 13 or seen[13]",
    ],
)
def test_corners_are_tried_where_not_all_worlds_are(body: str) -> None:
    found = verdict(body, paths=50, samples=50)
    assert [violation.code.value for violation in found.violations] == ["python_error"]
    assert not found.exhaustive


@pytest.mark.parametrize("most", [3, 20, 300, 3600])
@pytest.mark.parametrize(
    "loop",
    [
        'for n in range({most}):\n    if is_in_room("Bob"):\n        return\n    time.sleep(1)',
        'n = 0\nwhile n < {most} and not is_in_room("Bob"):\n    time.sleep(1)\n    n += 1\n'
        "if n < {most}:\n    return",
        "n = []\nfor _ in iter(lambda: is_in_room('Bob'), True):\n    n.append(1)\n"
        "    if len(n) == {most}:\n        break\nelse:\n    return",
    ],
)
def test_a_loop_that_gives_up_is_tried_to_its_end(loop: str, most: int) -> None:
    found = verdict(loop.format(most=most) + '\nplace("cup")')
    assert [violation.code.value for violation in found.violations] == ["hand_empty"]


@pytest.mark.parametrize(
    "body",
    [
        'for x in iter(lambda: ask("", "More?", ["Yes", "No"]), "No"):\n    say(x)',
        'for _ in iter(lambda: is_in_room("Bob"), True):\n    time.sleep(5)',
        'x = ask("", "More?", ["Yes", "No"])\nwhile x != "No":\n'
        '    x = ask("", "More?", ["Yes", "No"])',
    ],
)
def test_a_loop_over_answers_is_a_waiting_loop(body: str) -> None:
    found = verdict(body)
    assert found.accepted
    assert found.exhaustive
    assert warnings(found)[-1][0] == "may_wait_for_ever"


def test_a_loop_over_answers_of_a_function_is_a_waiting_loop() -> None:
    source = (
        'def ready():\n    return is_in_room("Bob")\n\n\n'
        "def task_program():\n    for _ in iter(ready, True):\n        time.sleep(5)\n"
    )
    found = verify(source, DOMAIN)
    assert found.accepted
    assert found.exhaustive


def test_a_loop_that_leads_to_something_wrong_is_not_called_endless() -> None:
    body = 'for x in iter(lambda: ask("", "More?", ["Yes", "No"]), "No"):\n    say(x)\nplace("cup")'
    assert codes(verdict(body)) == [("hand_empty", 4)]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("for n in range(36000):\n    time.sleep(1)", Status.ACCEPTED),
        ("n = 0\nwhile n < 36000:\n    time.sleep(1)\n    n += 1", Status.ACCEPTED),
        (
            'ready = lambda: is_in_room("Bob")\nwhile not ready():\n    time.sleep(5)',
            Status.ACCEPTED,
        ),
        ('for _ in iter(lambda: is_in_room("Bob"), True):\n    time.sleep(5)', Status.ACCEPTED),
        ('for n in range(36000):\n    if is_in_room("Bob"):\n        break', Status.ACCEPTED),
        ('for n in range(9999):\n    go_to("a")\n    go_to("b")', Status.ACCEPTED),
        ('for n in range(10 ** 6):\n    go_to("a")', Status.REJECTED),
        ('go_to("a")\nfor n in range(9990):\n    n += 1\ngo_to("b")', Status.ACCEPTED),
        ('go_to("a")\nfor n in range(10010):\n    n += 1\ngo_to("b")', Status.REJECTED),
        ("max(range(10 ** 9), key=lambda n: is_in_room(str(n % 2)))", Status.REJECTED),
    ],
)
def test_long_programs_are_counted_and_not_timed(body: str, status: Status) -> None:
    found = verdict(body)
    assert found.status is status, found
    assert status is Status.ACCEPTED or found.violations[0].code.value == "step_budget"


def test_no_clock_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which every look at a clock is an hour later, and one on which none is."""
    body = 'go_to("a")\nfor n in range(40):\n    if is_in_room(f"thing {n}"):\n        say("x")'
    found = []
    for step in (0.0, 3600.0):
        hours = itertools.count()
        monkeypatch.setattr("time.monotonic", lambda h=hours, s=step: next(h) * s)
        monkeypatch.setattr("time.perf_counter", lambda h=hours, s=step: next(h) * s)
        found.append(verdict(body).model_copy(update={"duration": 0.0}))
    assert found[0] == found[1]
    assert found[0].accepted


def test_memory_ends_a_verification() -> None:
    assert codes(verdict("x = [0] * 10 ** 13")) == [("memory_budget", 2)]


@pytest.mark.parametrize(("calls", "fits"), [(10_000, True), (10_001, False)])
def test_more_calls_than_a_run_may_make_leave_worlds_out(calls: int, fits: bool) -> None:
    found = verdict(f"for i in range({calls}):\n    go_to('kitchen')")
    assert found.accepted and found.exhaustive is fits
    assert (("not_exhaustive", 3) in warnings(found)) is not fits


def test_too_many_questions_in_one_world_are_sampled() -> None:
    found = verdict('for n in range(50):\n    is_in_room(f"thing {n}")', choices=20, samples=5)
    assert found.accepted
    assert not found.exhaustive
    assert warnings(found)[-1] == ("not_exhaustive", 0)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('if not is_in_room("person"):\n    say("hello")', [("without_effect", 3)]),
        ('is_in_room("person")\nsay("hello")', []),
        ('pick("cup")', [("ends_holding", 0)]),
        ('ask("", "well?", ["Yes", "No"])', [("answer_unused", 2)]),
        ('x = ask("", "well?", ["Yes", "No"])\nx = 1\nsay(str(x))', []),
        ('x = ask("", "well?", ["Yes", "No"])', [("answer_unused", 2)]),
        ('while not is_in_room("person"):\n    time.sleep(1)', [("may_wait_for_ever", 0)]),
        ('if ask("", "?", ["Yes", "No"]) == "Maybe":\n    say("x")', [("unreachable_line", 3)]),
    ],
)
def test_what_is_odd_but_possible_is_a_warning(body: str, expected: list[tuple[str, int]]) -> None:
    found = verdict(body)
    assert found.status is Status.ACCEPTED
    assert warnings(found) == expected


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ('x = is_in_room("a")\nfor y in x:\n    pass', "misused_result", "True or False"),
        ('say("I am in " + get_all_rooms())', "misused_result", "a list of names of rooms"),
        ('x = go_to("den")\nx.append(1)', "misused_result", "gives nothing back"),
        ('n = ask("", "how many?", ["one", "2"])\nint(n)', "misused_result", "one of the options"),
        ('get_current_location()["x"]', "misused_result", "the name of a room"),
        ("x = [1]\nx[2]", "python_error", "IndexError"),
        ('x = "a"\nx + 1', "python_error", "TypeError"),
    ],
)
def test_a_misused_answer_is_told_from_other_errors(body: str, code: str, words: str) -> None:
    (violation,) = verdict(body).violations
    assert violation.code.value == code
    assert words in violation.message


def test_only_known_objects_and_people_where_the_map_lists_them() -> None:
    closed = SemanticMap(HOME.rooms, objects=("red mug", "apple"), people=("Emma", "Jack"))
    assert verdict('pick("Red Mug")\nplace("red mug")', closed).accepted
    (violation,) = verdict('pick("red mgu")', closed).violations
    assert violation.code.value == "unknown_object"
    assert "did you mean 'red mug'?" in violation.message
    assert codes(verdict('ask("Jim", "?", ["Y"])', closed)) == [("unknown_person", 2)]
    assert codes(verdict('is_in_room("Emm")', closed)) == [("unknown_entity", 2)]
    assert verdict('if is_in_room("Emma"):\n    ask("", "?", ["Y"])', closed).accepted


HIDDEN_PROGRESS = [
    """
    def make():
        n = 0
        def tick():
            nonlocal n
            n += 1
            return n
        return tick
    again = make()
    while again() < 3000:
        pass
    """,
    """
    left = iter(range(5000))
    while next(left) < 4000:
        pass
    """,
    """
    def count(seen=[]):
        seen.append(1)
        return len(seen)
    while count() < 1500:
        pass
    """,
    """
    def inner():
        n = 0
        while n < 3:
            n += 1
    for _ in [0] * 900:
        inner()
    """,
]


@pytest.mark.parametrize("body", HIDDEN_PROGRESS)
def test_progress_that_is_in_no_variable_is_progress(body: str) -> None:
    assert verdict(body).accepted


def test_a_violation_that_only_a_corner_shows_replays() -> None:
    source = """def task_program():
    int(time.time())
    tries = 0
    while not is_in_room("person"):
        tries += 1
        if tries > 2:
            place("nothing")
"""
    (violation,) = verify(source, DOMAIN).violations
    assert violation.counterexample is not None
    (again,) = replay(source, violation.counterexample, DOMAIN)
    assert (again.code, again.line) == (violation.code, violation.line)


def test_a_violation_of_a_sample_replays_where_a_search_asks_less_and_finds_another() -> None:
    source = textwrap.dedent("""\
        def task_program():
            tries = 0
            while not is_in_room("person"):
                tries += 1
                if tries > 2:
                    place("cup")
                    break
            try:
                pick("ap" + "ple")
            except SkillError as error:
                say(error.message)
            go_to("kit" + "chen")
            pick("apple")
    """)
    found = verify(source, DOMAIN).violations
    assert sorted(one.line for one in found) == [6, 13]
    for one in found:
        assert one.counterexample is not None
        (again,) = replay(source, one.counterexample, DOMAIN)
        assert (again.code, again.line) == (one.code, one.line)
