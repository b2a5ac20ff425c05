"""Commands with frames become cases, where the frames say all of it."""

from __future__ import annotations

import pytest
from cases_found import case_that

from roboinstruct_ros.evaluate.readers import huric
from roboinstruct_ros.evaluate.suite.case import IN_WORDS, REFUSAL, Suite
from roboinstruct_ros.evaluate.suite.judge import program_fault
from roboinstruct_ros.evaluate.worlds.trials import Trials

Said = tuple[str, list[tuple[str, str, list[tuple[str, str]]]]]

SENTENCES: list[Said] = [
    (
        "carry my lantern to the couch",
        [("Bringing", "carry", [("Theme", "my lantern"), ("Goal", "to the couch")])],
    ),
    (
        "robot drive to the stove and fetch me the whisk",
        [
            ("Motion", "drive", [("Goal", "to the stove")]),
            ("Bringing", "fetch", [("Beneficiary", "me"), ("Theme", "the whisk")]),
        ],
    ),
    (
        "grab a box of matches and put it in the sink",
        [
            ("Taking", "grab", [("Theme", "a box of matches")]),
            ("Placing", "put", [("Theme", "it"), ("Goal", "in the sink")]),
        ],
    ),
    (
        "seek the whisk in the oven",
        [("Locating", "seek", [("Sought_entity", "the whisk"), ("Ground", "in the oven")])],
    ),
    ("dim the lantern", [("Change_operational_state", "dim", [("Device", "the lantern")])]),
    (
        "this is the pantry",
        [("Being_in_category", "is", [("Item", "this"), ("Category", "the pantry")])],
    ),
    ("drive to the moon", [("Motion", "drive", [("Goal", "to the moon")])]),
    ("drive to the sink and sing", [("Motion", "drive", [("Goal", "to the sink")])]),
    ("grab the red whisk", [("Taking", "grab", [("Theme", "the red whisk")])]),
    ("grab the whisk on the desk", [("Taking", "grab", [("Theme", "the whisk on the desk")])]),
    (
        "drive slowly to the sink",
        [("Motion", "drive", [("Manner", "slowly"), ("Goal", "to the sink")])],
    ),
    ("poke the lantern", [("Manipulation", "poke", [("Entity", "the lantern")])]),
]


def as_xml(sentence: Said) -> str:
    """A file of the corpus's form."""
    text, frames = sentence
    words = text.split()

    def numbers(part: str) -> str:
        of = part.split()
        first = next(i for i in range(len(words)) if words[i : i + len(of)] == of)
        return "".join(f'<token id="{first + n + 1}"/>' for n in range(len(of)))

    tokens = "".join(f'<token id="{n}" surface="{word}"/>' for n, word in enumerate(words, 1))
    told = "".join(
        f'<frame name="{name}"><lexicalUnit>{numbers(verb)}</lexicalUnit><frameElements>'
        + "".join(f'<frameElement type="{k}">{numbers(w)}</frameElement>' for k, w in said)
        + "</frameElements></frame>"
        for name, verb, said in frames
    )
    return (
        f"<huricExample><commands><command><sentence>{text}</sentence><tokens>{tokens}</tokens>"
        f"<semantics><frames>{told}</frames></semantics></command></commands></huricExample>"
    )


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    root = tmp_path_factory.mktemp("huric")
    (root / "en" / "part").mkdir(parents=True)
    for number, sentence in enumerate(SENTENCES):
        (root / "en" / "part" / f"{number}.hrc").write_text(as_xml(sentence))
    return huric.read(root)


def program(*lines: str) -> str:
    return "def task_program():\n" + "".join(f"    {line}\n" for line in lines)


def search(thing: str, *then: str) -> tuple[str, ...]:
    found = ("for room in get_all_rooms():", "    go_to(room)", f'    if is_in_room("{thing}"):')
    return (*found, f'        pick("{thing}")', *(f"        {line}" for line in (*then, "return")))


def test_bringing_goes_from_where_the_thing_is_found_to_the_goal(
    found: Suite, trials: Trials
) -> None:
    case = case_that(found, "carry")
    right = search("lantern", 'go_to("couch")', 'place("lantern")')
    assert not program_fault(case, program(*right), trials)
    assert program_fault(case, program(*right[:-2], "        return"), trials)


def test_a_thing_is_taken_where_the_robot_was_sent_and_brought_to_the_start(
    found: Suite, trials: Trials
) -> None:
    case = case_that(found, "robot drive")
    right = ('go_to("stove")', 'pick("whisk")', 'go_to("entrance")', 'place("whisk")')
    assert not program_fault(case, program(*right), trials)
    assert program_fault(case, program(*right[:2]), trials)


def test_it_is_the_thing_that_was_taken(found: Suite, trials: Trials) -> None:
    case = case_that(found, "grab a box")
    for name in ("box of matches", "matches"):
        right = search(name, 'go_to("sink")', f'place("{name}")')
        assert not program_fault(case, program(*right), trials)


def test_what_is_sought_is_told_of(found: Suite, trials: Trials) -> None:
    case = case_that(found, "seek")
    there, missing = 'say("The whisk is here")', 'say("There is no whisk")'
    look = ('go_to("oven")', f'{there} if is_in_room("whisk") else {missing}')
    assert not program_fault(case, program(*look), trials)
    assert program_fault(case, program(look[0], there), trials)


def test_what_the_robot_cannot_do_and_what_is_no_task(found: Suite) -> None:
    assert case_that(found, "dim").wanted == REFUSAL
    assert case_that(found, "this is").wanted == IN_WORDS


def test_a_sentence_that_says_more_is_left_out_with_the_reason(found: Suite) -> None:
    assert len(found.cases) == 6
    assert found.left_out == {
        "a place that the map does not have": 1,
        "words that no frame covers": 1,
        "a thing that is not a plain name": 2,
        "an argument beside thing and place": 1,
        "frame Manipulation": 1,
    }
