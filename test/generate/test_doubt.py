"""A model that is sure is asked once; one that is not is heard more often, and then the person."""

from __future__ import annotations

import threading
from textwrap import indent
from unittest.mock import ANY

import pytest
from builders import verdict_on
from scripted_backend import WeighedBackend

from roboinstruct_ros.domain.answer import Answer, AnswerKind, with_choice
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.choice import Choice
from roboinstruct_ros.generate.doubt import LONGEST, NOTE, OTHER_WORDS, QUESTION, told_apart
from roboinstruct_ros.generate.generation import Generation
from roboinstruct_ros.generate.generator import Generator
from roboinstruct_ros.generate.program_text import HEAD
from roboinstruct_ros.generate.program_writer import write_program
from roboinstruct_ros.generate.rounds.rounds import Progressive
from roboinstruct_ros.generate.site import UNKNOWN_SITE, Site
from roboinstruct_ros.generate.writing_job import WritingJob
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.program.narrate import narrate
from roboinstruct_ros.program.task_program import TaskProgram
from roboinstruct_ros.verify.verdict import Verdict

KITCHEN = '    go_to("kitchen")\n'
ROUNDABOUT = '    room = "kitchen"\n    go_to(room)\n'
STUDY = '    go_to("study")\n'
BAD = '    pick("bad")\n'
CANNOT = Answer(AnswerKind.CANNOT, "I cannot open windows.")
SAID = f"    {CANNOT.line}\n"
TEXT = "Go to the kitchen"


def judge(source: str) -> Verdict:
    """Accepts what is not bad; all ways to the kitchen are one behaviour."""
    verdict = verdict_on(source, "bad" not in source)
    return verdict.model_copy(update={"behaviour": "to the kitchen" * ("kitchen" in source)})


def write(
    *answers: str,
    likely: float = 0.1,
    task: Instruction | None = None,
    site: Site = UNKNOWN_SITE,
    **options: object,
) -> tuple[Generation, int]:
    """The end, and how many texts were drawn."""
    backend = WeighedBackend(*answers, likely=likely)
    generation = write_program(
        task or Instruction(TEXT),
        WritingJob(
            backend,
            judge,
            WritingOptions(**{"check_prefixes": False, **options}),  # type: ignore[arg-type]
            lambda _: None,
            threading.Event(),
            site,
        ),
    )
    return generation, len(backend.requests)


@pytest.mark.parametrize("text", [KITCHEN, SAID])
def test_a_likely_text_is_taken_at_once(text: str) -> None:
    generation, drawn = write(text, STUDY, likely=0.8)
    assert drawn == 1 and generation.confidence == pytest.approx(0.8)
    assert generation.accepted == (text == KITCHEN) and NOTE not in generation.notes


def test_the_kind_of_an_answer_counts_and_not_its_wording() -> None:
    backend = WeighedBackend(SAID, likely=0.8, last=0.01)
    options = WritingOptions(check_prefixes=False)
    generation = write_program(
        Instruction(TEXT), WritingJob(backend, judge, options, lambda _: None, threading.Event())
    )
    assert generation.answer == CANNOT and len(backend.requests) == 1
    assert generation.confidence == pytest.approx(0.8)


def test_an_unlikely_text_that_the_others_agree_with_is_taken() -> None:
    generation, drawn = write(KITCHEN)
    assert generation.source == HEAD + KITCHEN and generation.notes == ()
    assert generation.confidence == 1.0
    assert drawn == 3, "the last two of five would change nothing"


def test_a_text_that_is_very_unlikely_has_a_note_whatever_the_others_say() -> None:
    generation, drawn = write(KITCHEN, likely=0.05)
    assert generation.source == HEAD + KITCHEN and generation.notes == (NOTE,)
    assert generation.confidence == 1.0 and drawn == 3
    assert write(KITCHEN, likely=0.05, ask_below=0.2)[0].notes == ()
    assert write(KITCHEN, likely=0.05, choice=Choice.FIRST)[0].notes == ()


def test_programs_that_do_the_same_are_counted_together() -> None:
    generation, _ = write(STUDY, STUDY, KITCHEN, ROUNDABOUT, KITCHEN)
    assert generation.source == HEAD + KITCHEN
    assert generation.confidence == pytest.approx(3 / 5)


def test_where_too_few_agree_the_person_is_asked_which_is_meant() -> None:
    generation, drawn = write(STUDY, KITCHEN, BAD, SAID, KITCHEN)
    assert drawn == 5 and not generation.accepted and generation.source == ""
    assert generation.error_code is TaskErrorCode.NO_ACCEPTED_PROGRAM
    choices = ("Go to the kitchen", "Go to the study")
    assert generation.answer == Answer(AnswerKind.QUESTION, QUESTION, choices)
    assert [offer.source for offer in generation.offers] == [HEAD + KITCHEN, HEAD + STUDY]
    assert generation.confidence == pytest.approx(2 / 5)


@pytest.mark.parametrize(
    ("one", "other", "asks"),
    [
        ('say("Lunch is ready")', 'say("lunch is there")', False),
        ('ask("Bob", "Tea?", ["Yes"])', 'ask("Bob", "Tea, Bob?", ["Yes"])', False),
        ('ask("Bob", "Tea?", ["Yes"])', 'ask("Bob", "Tea?", ["Yes", "No"])', True),
        ('ask("Bob", "Tea?", ["Yes"])', 'ask("Ann", "Tea?", ["Yes"])', True),
        ('say("Hi")', 'go_to("hall")', True),
        ('say("Ann, lunch is ready")', 'say("Ann, come to lunch")', False),
        ('say("Ann, lunch is ready")', 'say("Bob, lunch is ready")', True),
        (
            'if ask("Bob", "Tea?", ["Yes", "No"]) == "Yes": say("Fine")',
            'if ask("Bob", "Tea?", ["Yes", "No"]) == "No": say("Fine")',
            True,
        ),
        ('for r in ["lab", "hall"]: go_to(r)', 'for r in ["lab", "attic"]: go_to(r)', True),
    ],
)
def test_which_wording_is_meant_is_not_asked(one: str, other: str, asks: bool) -> None:
    first, second = (f"    {line}\n" for line in (one, other))
    generation, _ = write(first, second, BAD, SAID, BAD)
    assert (generation.answer is not None) is asks
    if not asks:
        assert generation.source == HEAD + first and generation.notes == (NOTE,)


def test_a_choice_tells_how_a_misspelt_word_was_read() -> None:
    task = Instruction("Go to the kichen")
    generation, _ = write(STUDY, KITCHEN, BAD, SAID, KITCHEN, task=task)
    read_as = ("I read \u201ckichen\u201d as \u201ckitchen\u201d.",)
    assert [offer.notes for offer in generation.offers] == [read_as, ()]


def test_below_which_confidence_it_asks_can_be_chosen() -> None:
    texts = (STUDY, KITCHEN, BAD, SAID, KITCHEN)
    assert write(*texts, ask_below=0.3)[0].source == HEAD + KITCHEN
    generation, drawn = write(*texts, ask_below=0.0)
    assert generation.source == HEAD + STUDY and drawn == 1


@pytest.mark.parametrize("more", [{}, {"found": ("Bob answered yes",)}])
def test_where_nothing_can_be_chosen_a_note_says_so(more: dict[str, object]) -> None:
    texts = (STUDY, KITCHEN) if more else (KITCHEN,)
    task = Instruction(TEXT, **more)  # type: ignore[arg-type]
    generation, _ = write(*texts, BAD, BAD, BAD, BAD, BAD, task=task)
    assert generation.accepted and NOTE in generation.notes


def test_an_unlikely_text_that_no_other_may_be_held_against_has_a_note() -> None:
    generation, drawn = write(KITCHEN, max_attempts=1)
    assert drawn == 1 and generation.accepted and generation.notes == (NOTE,)


def test_an_answer_wins_when_most_texts_give_it() -> None:
    generation, _ = write(KITCHEN, SAID, SAID, STUDY, BAD)
    assert generation.answer == CANNOT and generation.confidence == pytest.approx(2 / 5)
    generation, _ = write(SAID, KITCHEN, KITCHEN, KITCHEN)
    assert generation.source == HEAD + KITCHEN


def test_of_as_many_the_likeliest_text_wins() -> None:
    assert write(SAID, KITCHEN, BAD)[0].answer == CANNOT
    generation, _ = write(KITCHEN, SAID, BAD)
    assert generation.source == HEAD + KITCHEN and NOTE in generation.notes


def test_a_likely_text_with_a_note_is_not_taken_for_sure() -> None:
    site = Site(notes_on=lambda words, source, context: ("why?",) * ("study" in source))
    backend = WeighedBackend(STUDY, KITCHEN, likely=0.9)
    options = WritingOptions(check_prefixes=False)
    generation = write_program(
        Instruction(TEXT),
        WritingJob(backend, judge, options, lambda _: None, threading.Event(), site),
    )
    assert generation.source == HEAD + KITCHEN and generation.notes == ()


def test_the_first_choice_draws_and_asks_no_more_than_it_must() -> None:
    generation, drawn = write(STUDY, KITCHEN, choice=Choice.FIRST)
    assert generation.source == HEAD + STUDY and drawn == 1


# What becomes of the choice


class Judge:
    """A verifier; what is forbidden meanwhile is rejected."""

    rules_sha256 = ""

    def __init__(self) -> None:
        self.judged: list[str] = []
        self.forbidden = "bad"

    def verify(self, source: str) -> Verdict:
        self.judged.append(source)
        return judge(source) if self.forbidden not in source else verdict_on(source, False)

    def close(self) -> None: ...


def asked(text: str = TEXT, **options: object) -> tuple[Generator, Judge, Generation]:
    backend, verifier = WeighedBackend(STUDY, KITCHEN, BAD, SAID, KITCHEN), Judge()
    generator = Generator(lambda: backend, lambda: verifier)
    generator.load()
    question = say(generator, text, **options)
    assert question.answer is not None
    verifier.judged.clear()
    return generator, verifier, question


def say(generator: Generator, text: str, **options: object) -> Generation:
    writing = WritingOptions(**{"check_prefixes": False, **options})  # type: ignore[arg-type]
    return generator.write(text, writing, lambda _: None, threading.Event())


@pytest.mark.parametrize("number, body", [(0, KITCHEN), (1, STUDY)])
def test_a_choice_gives_its_program_after_a_verdict_of_its_own(number: int, body: str) -> None:
    generator, verifier, question = asked(f"  {TEXT} ")
    assert question.answer is not None
    chosen = say(generator, with_choice(f"{TEXT}  ", question.answer.choices[number]))
    assert chosen.accepted and chosen.source == HEAD + body and chosen.now == TEXT
    assert chosen.verdict is not None and verifier.judged == [HEAD + body]


def test_a_chosen_program_that_is_forbidden_meanwhile_does_not_run() -> None:
    generator, verifier, question = asked()
    assert question.answer is not None
    verifier.forbidden = "kitchen"
    chosen = say(generator, with_choice(TEXT, question.answer.choices[0]))
    assert not chosen.accepted and "what was chosen is not accepted" in chosen.error_msg


def test_other_words_behind_the_instruction_are_for_the_model() -> None:
    generator, _, _ = asked()
    assert say(generator, with_choice(TEXT, "Go to the cellar")).stats.drawn == 3


def test_what_is_left_for_later_stays_with_the_choice() -> None:
    text = f"{TEXT}, then I will tell you what to do next"
    generator, _, question = asked(text, progressive=Progressive.CUES)
    assert question.answer is not None and question.deferred == ""
    chosen = say(
        generator, with_choice(text, question.answer.choices[0]), progressive=Progressive.CUES
    )
    assert chosen.accepted and chosen.deferred


# How two plans are told apart


def apart(one: str, other: str) -> tuple[str, str]:
    plans = [narrate(TaskProgram.from_text(HEAD + indent(body, "    "))) for body in (one, other)]
    return told_apart(plans[0], plans[1])


SEARCH = """start = get_current_location()
found = []
for room in get_all_rooms():
    go_to(room)
    if is_in_room("cup"):
        found.append(room)
go_to(start)
say(f"I saw it in {found}")
"""


def test_a_choice_says_what_the_other_plan_does_not() -> None:
    said = SEARCH.replace("I saw it in", "The cup is in")
    assert apart(SEARCH, said) == (
        'Say "I saw it in the list “found”"',
        'Say "The cup is in the list “found”"',
    )
    assert apart(SEARCH, SEARCH.replace('"cup"', '"mug"')) == (
        "If there is a cup here",
        "If there is a mug here",
    )


REPORT = """missing = []
for room in ["kitchen", "bathroom", "laundry room"]:
    go_to(room)
    if not is_in_room("soap"):
        missing.append(room)
go_to("hallway")
if missing:
    say(f"There is no soap in: {missing}")
else:
    say("There is soap in all of them")
"""


def test_of_a_long_difference_only_the_steps_that_differ_are_told() -> None:
    other = REPORT.replace("no soap in", "soap in").replace("if not is", "if is")
    assert apart(REPORT, other.replace("There is soap in all", "I found no soap in any")) == (
        "If there is no soap here ... If the list “missing” is not empty: "
        'Say "There is no soap in: the list “missing”" ... '
        'Otherwise: Say "There is soap in all of them"',
        'If there is soap here ... If the list “missing” is not empty: Say "There is soap in: '
        'the list “missing”" ... Otherwise: Say "I found no soap in any of them"',
    )


KEY = """start = get_current_location()
for room in get_all_rooms():
    if room != "kitchen":
        go_to(room)
        if is_in_room("key"):
            go_to(start)
            say("I found it in " + room)
            return
go_to(start)
say("I could not find a key")
"""


def test_a_step_is_told_with_the_condition_or_loop_that_it_stands_in() -> None:
    look = KEY.split("            go_to(start)")[0].split("\n", 1)[1] + "            return\n"
    assert apart(KEY, look) == (
        'If there is a key here: Go back to where I started; Say "I found it in that room"; '
        'afterwards: Go back to where I started; Say "I could not find a key"',
        'For every room: If that room is not "kitchen": Go to that room',
    )
    assert apart(KEY, KEY.replace('say("I found', 'go_to("study")\n            say("I found')) == (
        "Without: If there is a key here: Go to the study",
        "If there is a key here: Go to the study",
    )


def test_the_same_steps_in_a_loop_and_after_it_are_told_apart() -> None:
    loop = 'for room in get_all_rooms():\n    go_to(room)\n{}say("done")'
    assert apart(loop.format("    "), loop.format("")) == (
        'For every room: Say "done"',
        'Say "done"',
    )


def test_otherwise_is_told_with_what_follows() -> None:
    fruit = 'if is_in_room("banana"):\n    pick("banana")\n{}:\n    pick("apple")\nplace("it")'
    assert apart(fruit.format("else"), fruit.format('elif is_in_room("apple")')) == (
        "Otherwise: Pick up the apple",
        "Otherwise, if there is an apple here: Pick up the apple",
    )


def test_what_both_plans_do_and_what_they_keep_in_mind_is_left_out() -> None:
    more = SEARCH.replace("found = []", 'found = []\nseen = 0\nsay("off I go")')
    assert apart(more, SEARCH) == ('Say "off I go"', 'Without: Say "off I go"')


def test_a_short_plan_that_only_lacks_steps_is_told_as_a_whole() -> None:
    fetch = 'pick("cup")\ngo_to("study")\nplace("cup")\n'
    search = f"for room in get_all_rooms():\n    go_to(room)\n{indent(fetch, '    ')}"
    assert apart(search, fetch) == (
        "For every room: Go to that room",
        "Pick up the cup; Go to the study; Put down the cup",
    )


@pytest.mark.parametrize(
    "old, new", [("found", "places"), ("start", "origin"), ("saw it", "saw, it")]
)
def test_plans_that_read_the_same_are_no_choice(old: str, new: str) -> None:
    assert apart(SEARCH, SEARCH.replace(old, new)) == ("", "")


def test_what_is_noted_and_then_asked_for_is_seen() -> None:
    tea = 'wanted = "tea"\nif ask("Bob", "What?", ["tea", "milk"]) == wanted:\n    say("so")'
    assert apart(tea, tea.replace('wanted = "tea"', 'wanted = "milk"')) == (
        'Note wanted: "tea"',
        'Note wanted: "milk"',
    )


def test_choices_are_short_and_never_the_same() -> None:
    many = "".join(f"say({number!r})\n" for number in "abcdefghijklmnopqrstuvwxyz" * 4)
    assert apart(many, "time.sleep(5)") == (ANY, "Wait 5 seconds")
    speech = "say('" + "on and on " * 30 + "{}')"
    assert apart(speech.format("left"), speech.format("right")) == ('... left"', '... right"')
    assert all(0 < len(told) <= LONGEST for told in apart(many, "time.sleep(5)"))
    assert all(0 < len(told) <= LONGEST for told in (*apart(many, ""), *apart("", many)))


def test_a_condition_is_told_with_what_it_decides() -> None:
    look = 'if {}is_in_room("Alice"):\n    say("hello")\n    go_to("study")'
    assert apart(look.format(""), look.format("not ")) == (
        'If Alice is here: Say "hello"',
        'If Alice is not here: Say "hello"',
    )


def test_what_only_ends_something_is_no_choice() -> None:
    seek = "for room in get_all_rooms():\n    go_to(room)\n    if is_in_room('cup'):\n        {}"
    assert apart(seek.format("return"), seek.format("break")) == ("", "")


def test_a_program_with_a_note_is_not_offered() -> None:
    doubts = Site(notes_on=lambda words, source, held: ("odd",) if "study" in source else ())
    generation, _ = write(STUDY, KITCHEN, BAD, SAID, KITCHEN, site=doubts)
    assert generation.source == HEAD + KITCHEN and not generation.offers
    assert generation.notes == (NOTE,)


def test_what_is_unlikely_and_cannot_be_told_in_a_line_is_asked_for_in_other_words() -> None:
    one, other = ("".join(f"    say('{n} {m}')\n" for n in range(40)) for m in "ab")
    one, other = one.replace("say", "go_to"), other.replace("say", "go_to")
    generation, _ = write(one, other, BAD, SAID, BAD)
    assert generation.answer == Answer(AnswerKind.QUESTION, OTHER_WORDS)
    assert not generation.accepted and not generation.offers
    likelier, _ = write(one, other, BAD, SAID, one)
    assert likelier.source == HEAD + one and likelier.notes == (NOTE,)


def test_where_no_difference_can_be_seen_the_likeliest_is_taken() -> None:
    renamed = '    found = []\n    go_to("study")\n'
    generation, _ = write(STUDY, renamed, renamed, BAD, SAID)
    assert generation.accepted and generation.source == HEAD + renamed
    assert NOTE in generation.notes
