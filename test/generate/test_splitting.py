"""What can be done now, what has to wait, and what is never taken apart."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from drawn_pairs import drawn_pairs

from roboinstruct_ros.generate.prompts.examples import EXAMPLES
from roboinstruct_ros.generate.prompts.surroundings import Surroundings
from roboinstruct_ros.generate.rounds.rounds import Progressive, Round, plan_round
from roboinstruct_ros.generate.rounds.split_by_model import read_split
from roboinstruct_ros.generate.rounds.splitting import Deferred, Split, split
from roboinstruct_ros.learn.draw import Split as Part

ROWS = yaml.safe_load((Path(__file__).parent / "instructions.yaml").read_text())
_ACTS_ON_ANSWER = re.compile(r"ask\(.*\n(?:.*\n)*? *(?:pick|go_to)\((?!\")")
THREE_ROOMS = Surroundings(rooms=("study", "kitchen", "garage"))


def test_what_skills_can_decide_by_themselves_is_one_program() -> None:
    texts = [row["text"] for row in ROWS]
    texts += [example.split("\n")[0].removeprefix("# Instruction: ") for example in EXAMPLES]
    assert [text for text in texts if split(text) != Split(text)] == []


@pytest.mark.parametrize("part", list(Part))
def test_no_training_pair_is_taken_apart(part: Part) -> None:
    """But for those that act on an open answer, which only a person's words can give."""
    pairs = drawn_pairs(2000, "composed", part)
    texts = [pair.instruction for pair in pairs if not _ACTS_ON_ANSWER.search(pair.program)]
    assert len(texts) > 1400
    assert [text for text in texts if split(text).deferred] == []


@pytest.mark.parametrize(
    "text",
    [
        "Ask Emma what she wants, pasta or pizza, and bring it to me.",
        "Ask Emma what she wants: pasta or pizza, and bring it to me.",
        "Ask Bob what he needs and tell me.",
        "Ask Alice where she is going, then come back and tell me what she said.",
        "Find out where the hammer is and bring it to me.",
        "Find out who is in the kitchen and tell me.",
        "First go to the kitchen, then go to the study.",
        "Wait in the kitchen until I come, then say hello.",
        "Tell Bob in the study that I will tell him later.",
        "If there is no bottle in the kitchen, bring one from the pantry.",
    ],
)
def test_in_doubt_nothing_is_split(text: str) -> None:
    assert split(text) == Split(text)


@pytest.mark.parametrize(
    ("text", "now", "deferred"),
    [
        (
            "Ask Bob in the study what he needs and bring it to him.",
            "Tell Bob in the study to say what he needs",
            "When it is known what Bob needs: bring it to Bob in the study",
        ),
        (
            "Go to the study and ask Bob which book he wants, then fetch it for him",
            "Go to the study and tell Bob to say which book he wants",
            "When it is known which book Bob wants: fetch it for Bob in the study",
        ),
        (
            "Find out where the meeting is and put the chairs there.",
            "",
            "When it is known where the meeting is: put the chairs there",
        ),
        (
            "First go to the kitchen and look, then I will tell you what to do.",
            "Go to the kitchen and look",
            "When it is known what to do next: do it",
        ),
        (
            "Look around the kitchen, then decide with me.",
            "Look around the kitchen",
            "When it is known what to do next: do it",
        ),
        (
            "Look in the kitchen and, depending on what you find, bring me a snack.",
            "Look in the kitchen",
            "When it is known what is there: bring me a snack",
        ),
        ("In two steps: go to the kitchen; say hi", "Go to the kitchen", "Say hi"),
        (
            "In three steps: go to the kitchen, then say hi, then come back.",
            "Go to the kitchen",
            "In several steps: say hi; come back",
        ),
    ],
)
def test_the_rest_waits_where_it_must(text: str, now: str, deferred: str) -> None:
    assert split(text) == Split(now, deferred)


def test_a_short_list_of_the_map_becomes_the_answers() -> None:
    parts = split("Ask Bob where the hammer is and bring it to me", THREE_ROOMS)
    assert parts.now == "Ask Bob where the hammer is: study, kitchen or garage"
    assert parts.deferred == (
        "When it is known where the hammer is: bring the hammer from there to me"
    )


def test_steps_come_one_after_the_other() -> None:
    left, done = "In three steps: go to the kitchen; say hi; come back", []
    while left:
        planned = plan_round(left)
        done.append(planned.words)
        left = planned.deferred
    assert done == ["Go to the kitchen", "Say hi", "Come back"]


NEEDS = "When it is known what Bob needs: bring it to Bob in the study"
BOB = 'Bob answered "tea" to "What do you need?"'


@pytest.mark.parametrize(
    ("left", "found", "words"),
    [
        (NEEDS, [BOB], "bring the tea to Bob in the study"),
        (NEEDS, ['the person answered "my book" to "what Bob needs"'], "bring my book to Bob"),
        (NEEDS, [BOB, 'Bob answered "water" to "Really?"'], "bring the water to Bob in the study"),
        (
            "When it is known where the meeting is: put the chairs there",
            ['the person answered "study" to "where the meeting is"'],
            "put the chairs in the study",
        ),
        (
            "When it is known where the hammer is: bring the hammer from there to me",
            ['the person answered "garage" to "where the hammer is"'],
            "bring the hammer from the garage to me",
        ),
        (
            "When it is known where the party is: go there and say hi",
            ['the person answered "Alice\'s office" to "where the party is"'],
            "go to Alice's office and say hi",
        ),
        (
            "When it is known what to do next: do it",
            ['the person answered "Go to the study" to "what to do next"'],
            "Go to the study",
        ),
        (
            "Bring it to the study",
            ["the robot is in the kitchen and holds the apple"],
            "Bring the apple to the study",
        ),
    ],
)
def test_what_was_found_takes_the_place_of_it(left: str, found: list[str], words: str) -> None:
    planned = plan_round(left, found)
    assert planned.words.startswith(words)
    assert planned.question == ""


@pytest.mark.parametrize(
    "found",
    [
        [],
        ['Alice answered "tea" to "What do you need?"'],
        ['Bob answered "nothing" to "What do you need?"'],
        ['the person answered "tea" to "what Alice needs"'],
    ],
)
def test_what_is_not_known_is_asked(found: list[str]) -> None:
    assert plan_round(NEEDS, found) == Round(
        "",
        NEEDS,
        "Please say what Bob needs. The robot needs it to go on: bring it to Bob in the study.",
        tuple(found),
    )


def test_a_model_that_can_read_sees_for_itself_what_is_there() -> None:
    left = "When it is known what is there: bring me a snack"
    found = ["there is an apple in the kitchen"]
    assert plan_round(left, found).question
    read = plan_round(left, found, ask=lambda text, there: None)
    assert (read.words, read.found) == ("bring me a snack", tuple(found))


def test_found_is_text_from_outside() -> None:
    sentences = ["a\nb \u202e c", "x" * 301, " ", *(f"s {n}" for n in range(50))]
    found = plan_round("Go to the kitchen", sentences).found
    assert len(found) == 40
    assert plan_round("Go", sentences[:3]).found == ("a b  c",)


@pytest.mark.parametrize(
    ("left", "found", "words"),
    [
        (
            "When it is known where the book is: bring the apple there",
            [r'the person answered "C:\1\docs" to "where the book is"'],
            r"bring the apple to C:\1\docs",
        ),
        (
            "When it is known who needs it: tell him the time",
            [r'the person answered "Bob \d" to "who needs it"'],
            r"tell Bob \d the time",
        ),
        ("Bring it in", [r"the robot is in the hall and holds the \d mug"], r"Bring the \d mug in"),
    ],
)
def test_a_backslash_in_an_answer_is_a_letter(left: str, found: list[str], words: str) -> None:
    assert plan_round(left, found).words == words


def test_a_backslash_in_a_name_is_a_letter() -> None:
    parts = split(r"Ask Bob\d in the study where the \d mug is and bring it to him")
    assert parts.now == r"Tell Bob\d in the study to say where the \d mug is"
    assert parts.deferred == (
        r"When it is known where the \d mug is: bring the \d mug from there to Bob\d in the study"
    )


def test_switched_off_nothing_is_split() -> None:
    text = "In two steps: go to the kitchen; say hi"
    assert plan_round(text, how=Progressive.OFF) == Round(text)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Sure! Here is how I would split it.",
        " Go to the study.\nLater: nothing",
        " Go to the moon.\nLater: when it is known what Bob eats: bring it",
        " Ask Bob what he eats.\nLater: when it is known what Bob eats: buy a castle",
        "\nLater: when it is known what Bob eats: bring it",
        "```\nNow: x",
    ],
)
def test_a_model_that_says_something_else_splits_nothing(said: str) -> None:
    assert read_split("Ask Bob in the study what he eats and bring it.", said) is None


def test_a_split_by_a_model_is_taken_when_its_words_were_said() -> None:
    said = " Ask Bob what he eats.\nLater: when it is known what Bob eats: bring it\n\nRequest: x"
    parts = read_split("Find out what kind of thing Bob eats in the study; bring it.", said)
    assert parts == Split("Ask Bob what he eats.", str(Deferred("bring it", "what Bob eats")))
