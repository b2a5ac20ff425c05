"""A model that answers with words instead of a program, and one that only repeats itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

import llama_cpp
import pytest
from builders import GOOD, verdict_on
from drawn_pairs import drawn_pairs
from scripted_backend import ScriptedBackend, WeighedBackend

from roboinstruct_ros.domain.answer import Answer, AnswerKind, with_choice
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import CandidateText, Draw, Request, StopSignal
from roboinstruct_ros.generate.backends.constrained_decoding import admits
from roboinstruct_ros.generate.backends.grammar import grammars_for
from roboinstruct_ros.generate.backends.runaway import repeats_itself
from roboinstruct_ros.generate.choice import Choice
from roboinstruct_ros.generate.generation import (
    DraftVerified,
    Generation,
    GenerationEvent,
    TokensWritten,
)
from roboinstruct_ros.generate.program_writer import write_program
from roboinstruct_ros.generate.prompts.surroundings import Surroundings
from roboinstruct_ros.generate.rounds.round_writer import write_round
from roboinstruct_ros.generate.rounds.rounds import Progressive
from roboinstruct_ros.generate.site import Site
from roboinstruct_ros.generate.words.answer_checks import completed
from roboinstruct_ros.generate.words.clarifying_question import (
    with_all_rooms,
    with_known_choices,
    with_nearest_rooms,
)
from roboinstruct_ros.generate.writing_job import WritingJob
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.learn.draw import Split

CANNOT = Answer(AnswerKind.CANNOT, "I cannot open windows. I can look who is there.")
QUESTION = Answer(AnswerKind.QUESTION, "Which lab do you mean?", ("lab 1", "lab 2"))
REPLY = Answer(AnswerKind.REPLY, "Hello. Say what I should do, and where.")
BAD = '    pick("a")\n    pick("b")\n'
TASK = Instruction("Go to lab 1")
HOME = ("main bedroom", "guest bedroom", "Ann's office", "Bob's office", "bath 1", "bath 2")


def said(answer: Answer) -> str:
    return f"    {answer.line}\n"


class SideBySideBackend(ScriptedBackend):
    """Says its answers side by side; `order` has the index of each next token's text."""

    def __init__(self, answers: Sequence[str], order: Sequence[int]) -> None:
        super().__init__(answers, "robot_task")
        self._texts, self._order = answers, order

    def draw(
        self, request: Request, draws: Sequence[Draw], dropped: set[int], cancel: StopSignal
    ) -> Iterator[CandidateText]:
        self.requests.append(request)
        words = [list(text.replace(" ", " \0").split("\0")) for text in self._texts]
        for index in self._order:
            if index not in dropped and words[index]:
                yield CandidateText(index, words[index].pop(0), not words[index])


def write(
    backend: ScriptedBackend,
    seen: list[GenerationEvent] | None = None,
    rooms: tuple[str, ...] = ("lab 1", "lab 2"),
    task: Instruction = TASK,
    aliases: tuple[tuple[str, str], ...] = (),
    objects: tuple[str, ...] = (),
    **options: object,
) -> Generation:
    events = [] if seen is None else seen
    return write_program(
        task,
        WritingJob(
            backend,
            lambda source: verdict_on(source, source.endswith(GOOD)),
            WritingOptions(**{"check_prefixes": False, **options}),  # type: ignore[arg-type]
            events.append,
            threading.Event(),
            Site(
                surroundings=Surroundings(
                    rooms=rooms, objects=objects, here="hall", aliases=aliases
                )
            ),
        ),
    )


@pytest.mark.parametrize("answer", [CANNOT, QUESTION, REPLY])
@pytest.mark.parametrize("end", ["\n", "", '\n    go_to("lab 1")\n'])
def test_one_comment_is_an_answer_and_no_program(answer: Answer, end: str) -> None:
    backend, events = ScriptedBackend([f"    {answer.line}{end}"], "robot_task"), []
    generation = write(backend, events)
    assert generation.answer == answer
    assert not generation.accepted and generation.error_code is TaskErrorCode.NO_ACCEPTED_PROGRAM
    assert generation.error_msg == answer.words
    assert (generation.source, generation.sha256, generation.verdict) == ("", "", None)
    assert len(backend.requests) == 1
    assert not any(isinstance(event, DraftVerified | TokensWritten) for event in events)


@pytest.mark.parametrize(
    ("offered", "rooms", "choices"),
    [
        (("wet lab", "dry lab"), ("wet lab", "hall", "dry lab", "top lab", "lab store"),
         ("wet lab", "dry lab", "top lab")),
        (("office 2", "office 1"), ("office 1", "office 2", "office 3", "room 3"),
         ("office 1", "office 2", "office 3")),
        (("kitchen", "hall"), ("kitchen", "hall", "attic"), ("kitchen", "hall")),
        (("big meeting room", "old meeting room"),
         ("living room", "old meeting room", "new meeting room", "big meeting room"),
         ("old meeting room", "new meeting room", "big meeting room")),
        (("red mug", "blue mug"), ("hall", "old mug"), ("red mug", "blue mug")),
        (("ward 1", "ward 2"), tuple(f"ward {number}" for number in range(1, 10)),
         ("ward 1", "ward 2")),
    ],
)  # fmt: skip
def test_a_question_offers_all_rooms_of_the_kind_that_the_model_offers_some_of(
    offered: tuple[str, ...], rooms: tuple[str, ...], choices: tuple[str, ...]
) -> None:
    question = Answer(AnswerKind.QUESTION, "Which one do you mean?", offered)
    generation = write(ScriptedBackend([said(question)], "robot_task"), rooms=rooms)
    assert generation.answer is not None
    assert generation.answer.choices == choices


def test_a_question_which_room_is_meant_offers_rooms_of_that_kind_and_no_others() -> None:
    question = Answer(AnswerKind.QUESTION, "Which bedroom do you mean?", ("hall", "bath 1", "hall"))
    asked = with_all_rooms(question, "Go to the bedroom", (*HOME, "hall"))
    assert asked.choices == HOME[:2]
    other = Answer(AnswerKind.QUESTION, "What should I bring to the bedroom?", ("cup", "towel"))
    assert with_all_rooms(other, "Bring it to the bedroom", HOME) == other


def test_a_question_offers_no_room_that_the_words_except() -> None:
    rooms = ("main bedroom", "guest bedroom", "kids bedroom", "old bedroom")
    question = Answer(AnswerKind.QUESTION, "Which bedroom?", ("guest bedroom", "kids bedroom"))
    for words in ("not the main bedroom", "but not in main bedroom", "other than the main bedroom"):
        asked = with_all_rooms(question, f"Put it in the bedroom, {words}", rooms)
        assert asked.choices == rooms[1:]


def test_a_question_offers_no_more_than_the_rooms_that_somebody_named() -> None:
    question = Answer(AnswerKind.QUESTION, "Which room do you mean?", ("Ann's room", "Bob's room"))
    rooms = (*question.choices, "Eve's room", "living room")
    assert with_all_rooms(question, "Look in Ann's or Bob's room", rooms) == question
    assert with_all_rooms(question, "Look in the room", rooms).choices == rooms


NAMES = (*HOME, "cup", "Red Cup", "Priya")


@pytest.mark.parametrize(
    ("words", "choices", "names", "offered"),
    [
        ("Which Alice do you mean?", ("Bob's office",) * 3, NAMES, None),
        ("Which Priya do you mean?", ("Priya is a robot.",), NAMES, None),
        ("Which cup do you mean?", ("cup 1", "cup 2"), NAMES, None),
        ("Which cup do you mean?", ("cup", "red cup", "cup 7"), NAMES, ("cup", "red cup")),
        ("Which cup do you mean?", ("cup 1", "cup 2"), (), ("cup 1", "cup 2")),
        ("Which cup do you mean?", ("cup 1", "cup 1"), (), None),
        ("What should I bring?", ("tea",), NAMES, ("tea",)),
    ],
)
def test_a_question_offers_two_things_that_there_are_or_is_none(
    words: str, choices: tuple[str, ...], names: tuple[str, ...], offered: tuple[str, ...] | None
) -> None:
    answer = with_known_choices(Answer(AnswerKind.QUESTION, words, choices), names)
    assert (answer and answer.choices) == offered


def test_a_question_without_a_choice_is_not_asked() -> None:
    asked = Answer(AnswerKind.QUESTION, "Which cup do you mean?", ("cup 1", "cup 2"))
    task = Instruction.checked("Take the cup to bath 1")
    generation = write(ScriptedBackend([said(asked), GOOD], "robot_task"), rooms=HOME, task=task)
    assert generation.answer == asked  # the map tells no things
    backend = ScriptedBackend([said(asked), GOOD], "robot_task")
    generation = write(backend, rooms=HOME, task=task, objects=("cup", "pen"))
    assert generation.answer is None and generation.stats.drawn == 2


EACH = '    for room in get_all_rooms():\n        if "bedroom" in room:\n            go_to(room)\n'


def written_at_home(text: str, *body: str) -> Generation:
    """One program for these words; accepted by the verifier unless it says so."""
    lines = "".join(body) + "    return\n" + GOOD
    task, aliases = Instruction.checked(text), (("my office", HOME[2]), ("den", HOME[3]))
    backend = ScriptedBackend([lines], "robot_task")
    return write(backend, rooms=HOME, task=task, aliases=aliases)


@pytest.mark.parametrize(
    ("words", "near", "told"),
    [
        ("There is no kitchen on my map. I know the hall.", ("pantry",), "did you mean 'pantry'?"),
        ("There is no lab 9 on my map.", ("lab 1", "lab 2"), "did you mean 'lab 1' or 'lab 2'?"),
        ("There is no sauna on my map. I know the hall.", (), "I know the hall."),
        ("I cannot open windows.", ("pantry",), "windows."),
    ],
)
def test_a_refusal_for_want_of_a_room_names_the_nearest(
    words: str, near: tuple[str, ...], told: str
) -> None:
    names = {"kitchen": near, "lab 9": near, "sauna": near}
    answer = with_nearest_rooms(Answer(AnswerKind.CANNOT, words), lambda name: names[name])
    assert answer.kind is AnswerKind.CANNOT and answer.words.endswith(told)
    assert answer.words.startswith(words.partition(" no ")[0])


@pytest.mark.parametrize(
    ("kind", "words", "instruction", "told"),
    [
        ("cannot", "There is no attic on my map. I know bath 1 and bath 2.", "Go to the attic",
         "There is no attic on my map. I know 6 rooms, for example bath 1 and bath 2."),
        ("cannot", f"There is no attic on my map. I know {', '.join(HOME)}.", "Go to the attic",
         f"There is no attic on my map. I know {', '.join(HOME)}."),
        ("cannot", "There is no attic on my map. I know nobody.", "Go to the attic",
         "There is no attic on my map. I know nobody."),
        ("reply", "I am here.", "Are you there?", "I am here, in bath 1."),
        ("reply", "I am here.", "Come here", "I am in bath 1. Say which room I should come to."),
        ("reply", "Hello.", "Come here", "Hello."),
    ],
)  # fmt: skip
def test_an_answer_does_not_tell_a_part_for_the_whole(
    kind: str, words: str, instruction: str, told: str
) -> None:
    site = Site(surroundings=Surroundings(HOME, here="bath 1"))
    assert completed(Answer(AnswerKind(kind), words), instruction, site).words == told


def test_who_calls_a_robot_that_does_not_know_where_it_is_is_asked_for_the_room() -> None:
    here = Answer(AnswerKind.REPLY, "I am here.")
    assert completed(here, "come", Site()).words == "Say which room I should come to."
    assert completed(here, "Are you there?", Site()) == here


def test_what_cannot_be_done_in_an_unknown_room_is_not_offered_there() -> None:
    refusal = "I cannot describe what I see. I can look whether somebody is in the attic."
    task = Instruction("Tell me who is in the attic")
    backend = ScriptedBackend([said(Answer(AnswerKind.CANNOT, refusal))], "robot_task")
    answer = write(backend, rooms=HOME, task=task).answer
    assert answer is not None
    assert answer.words.startswith("I cannot describe what I see. There is no room 'attic' on the")


@pytest.mark.parametrize(
    ("text", "kind", "choices"),
    [
        ("Take the cup to the bedroom", "bedroom", HOME[:2]),
        ("go to the office, then come back", "office", HOME[2:4]),
        ("Is there soap in the bath?", "bath", HOME[4:]),
    ],
)
@pytest.mark.parametrize("room", [*HOME, "hall"])
def test_a_room_of_which_there_are_several_is_asked_for_and_not_guessed(
    text: str, kind: str, choices: tuple[str, ...], room: str
) -> None:
    generation = written_at_home(text, f'    go_to("{room}")\n')
    question = Answer(AnswerKind.QUESTION, f"Which {kind} do you mean?", choices)
    assert generation.answer == question and not generation.accepted
    chosen = written_at_home(with_choice(text, choices[1]), f'    go_to("{choices[1]}")\n')
    assert chosen.accepted


@pytest.mark.parametrize(
    "text",
    [
        "Go to the main bedroom and leave the bedroom at once",
        "Ask Ann for the key and take it to the office",
        "Go to my office, then leave the office",
        "Bring the bedroom lamp here",
        "Look into the bedroom where Ann is",
        "Look into every bedroom",
        "Take the soap to bath 2, the bath is empty",
    ],
)
def test_a_room_that_the_words_tell_from_the_others_is_not_asked_for(text: str) -> None:
    assert written_at_home(text, '    go_to("main bedroom")\n').accepted


@pytest.mark.parametrize("body", [EACH, "".join(f'    go_to("{room}")\n' for room in HOME)])
def test_a_program_that_takes_all_of_them_is_asked_about_too(body: str) -> None:
    assert written_at_home("See to the bedroom", body).answer is not None


def test_which_room_is_asked_after_one_text_even_if_the_model_is_not_sure() -> None:
    backend = WeighedBackend('    go_to("hall")\n' + GOOD, likely=0.1)
    generation = write(backend, rooms=HOME, task=Instruction("Look into the bedroom"))
    assert generation.answer and generation.answer.choices == HOME[:2]
    assert len(backend.requests) == 1


@pytest.mark.parametrize(("likely", "drawn"), [(0.9, 1), (0.1, 3)])
def test_a_refusal_is_weighed_as_ever_and_not_given_up_for_the_question_which_room(
    likely: float, drawn: int
) -> None:
    backend = WeighedBackend(said(CANNOT), likely=likely)
    generation = write(backend, rooms=HOME, task=Instruction("Open the window in the bedroom"))
    assert generation.answer == CANNOT and len(backend.requests) == drawn


OFFICES = Answer(AnswerKind.QUESTION, "Which office do you mean?", HOME[2:4])
BATHS = Answer(AnswerKind.QUESTION, "Which office do you mean?", HOME[4:])


@pytest.mark.parametrize(
    ("text", "room"),
    [
        ("See if Bob is in his office", "Bob's office"),
        ("Take Ann's mug to her office and come back", "Ann's office"),
        ("See if he is in his office", ""),
        ("See if Ann and Bob are in their office", ""),
        ("Take Ann's mug to one office", ""),
        ("See if Bob is in his bath", ""),
    ],
)
@pytest.mark.parametrize("question", [OFFICES, BATHS])
def test_the_room_of_somebody_who_is_named_answers_the_question_which_one(
    text: str, room: str, question: Answer
) -> None:
    backend = WeighedBackend(said(question), f'    go_to("{room}")\n' + GOOD, likely=0.9)
    generation = write(backend, rooms=HOME, task=Instruction(text))
    assert (generation.answer == question) is not bool(room)
    assert generation.accepted is bool(room)
    if room:
        assert f"# Instruction: {with_choice(text, room)}\n" in str(backend.requests[-1].prompt)
        assert generation.stats.drawn == 2  # the cost of the question counts too


def test_a_question_that_the_words_answer_is_passed_on_if_the_model_asks_it_again() -> None:
    backend = WeighedBackend(*[said(BATHS)] * 2, likely=0.9)
    generation = write(backend, rooms=HOME, task=Instruction("See if Bob is in his office"))
    assert generation.answer == BATHS and len(backend.requests) == 2


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Go to the lab", False),
        ("Go to Lab 1", True),  # which has another name on the map
        ("Go there", True),
    ],
)
def test_which_room_is_not_asked_of_a_room_that_the_words_name_as_the_map_does(
    text: str, asked: bool
) -> None:
    which = Answer(AnswerKind.QUESTION, "Which lab do you mean?", ("lab 2", "lab 1"))
    backend = ScriptedBackend([said(which), GOOD], "robot_task")
    generation = write(backend, rooms=("lab", "lab 2", "hall"), task=Instruction(text))
    assert (generation.answer is not None, generation.accepted) == (asked, not asked)


@pytest.mark.parametrize(("room", "refused"), [("lab", False), ("Study", False), ("attic", True)])
def test_a_room_that_the_map_has_is_not_refused_for_want_of_it(room: str, refused: bool) -> None:
    cannot = Answer(AnswerKind.CANNOT, f"There is no {room} on my map.")
    generation = write(
        ScriptedBackend([said(cannot), GOOD], "robot_task"),
        rooms=("lab", "den"),
        aliases=(("study", "den"),),
    )
    assert (generation.answer is not None, generation.accepted) == (refused, not refused)


@pytest.mark.parametrize(
    ("text", "refused"), [("see if there's a plant in lab 1", False), ("Count the plants", True)]
)
def test_a_refusal_that_offers_what_is_asked_is_drawn_again(text: str, refused: bool) -> None:
    cannot = Answer(
        AnswerKind.CANNOT, "I cannot see. I can look whether there is a plant in lab 1."
    )
    backend = ScriptedBackend([said(cannot), GOOD], "robot_task")
    generation = write(backend, task=Instruction(text))
    assert (generation.answer == cannot, generation.accepted) == (refused, not refused)


def test_an_offer_that_nobody_named_is_not_passed_on() -> None:
    cannot = Answer(AnswerKind.CANNOT, "I cannot see. I can bring the cake to lab 1.")
    generation = write(ScriptedBackend([said(cannot)], "robot_task"), task=Instruction("Sing"))
    assert generation.answer == Answer(AnswerKind.CANNOT, "I cannot see.")


def test_the_room_alone_is_no_kind_of_room() -> None:
    backend, rooms = ScriptedBackend([GOOD], "robot_task"), ("living room", "dining room")
    assert write(backend, rooms=rooms, task=Instruction("Drive once around the room")).accepted


def test_which_room_is_not_asked_again_in_a_later_round() -> None:
    task = Instruction("Go to the bedroom", found=("Ann is in the main bedroom",))
    backend = ScriptedBackend(['    go_to("main bedroom")\n' + GOOD], "robot_task")
    assert write(backend, rooms=HOME, task=task).accepted


def test_a_room_that_is_only_spoken_of_is_not_asked_for() -> None:
    spoken, looked = (f"{verb} whether Eve is in the bedroom" for verb in ("Ask", "Tell me"))
    assert written_at_home(spoken, '    say("Is Eve in the bedroom?")\n').accepted
    assert written_at_home(spoken, '    go_to("main bedroom")\n').answer is not None
    assert written_at_home(looked, '    say("Eve is in the bedroom")\n').answer is not None


def test_the_model_is_told_the_place_without_being_asked_to() -> None:
    backend = ScriptedBackend([said(REPLY)], "robot_task")
    write(backend)
    prompt = backend.requests[0].prompt
    assert isinstance(prompt, str) and prompt.startswith("# Rooms: lab 1, lab 2\n# Here: hall\n")


def test_of_a_model_of_another_format_a_comment_is_no_answer() -> None:
    backend = ScriptedBackend([said(CANNOT), GOOD], "instruction_comment")
    generation = write(backend)
    assert generation.accepted and generation.answer is None


def test_an_answer_that_was_cut_off_is_none() -> None:
    generation = write(ScriptedBackend([said(CANNOT)], "robot_task"), max_tokens=8)
    assert generation.answer is None and generation.error_code is TaskErrorCode.MODEL_FAILED


def test_another_comment_is_no_answer() -> None:
    backend = ScriptedBackend(["    # Sorry: no.\n", GOOD], "robot_task")
    assert write(backend).accepted


def test_a_sampled_answer_is_not_taken() -> None:
    backend = ScriptedBackend([BAD, said(CANNOT), GOOD], "robot_task")
    generation = write(backend)
    assert generation.accepted and generation.answer is None
    assert backend.requests[1].temperature > 0


@pytest.mark.parametrize("choice", list(Choice))
@pytest.mark.parametrize("attempts", [1, 6])
@pytest.mark.parametrize("order", [[0, 1] * 20, [1] * 10 + [0] * 20, [0] * 2 + [1] * 10 + [0] * 20])
def test_the_likeliest_text_has_the_last_word(
    order: list[int], attempts: int, choice: Choice
) -> None:
    options = {"candidates": 2, "max_attempts": attempts, "choice": choice}
    generation = write(SideBySideBackend([said(CANNOT), GOOD], order), **options)
    assert generation.answer == CANNOT and not generation.accepted
    generation = write(SideBySideBackend([GOOD, said(CANNOT)], order), **options)
    assert generation.accepted and generation.answer is None


def test_words_for_a_part_of_the_instruction_leave_nothing_for_later() -> None:
    text = "Go to the lab, then I will tell you what to do next"
    generation = write_round(
        Instruction(text),
        WritingJob(
            ScriptedBackend([said(QUESTION)], "robot_task"),
            lambda source: verdict_on(source, True),
            WritingOptions(progressive=Progressive.CUES),
            lambda _: None,
            threading.Event(),
        ),
    )
    assert generation.answer == QUESTION and generation.now and generation.deferred == ""


def test_the_grammar_lets_a_model_answer() -> None:
    grammar = grammars_for(load_domain(), None).any_room
    llama = llama_cpp.Llama("models/roboinstruct-small.gguf", vocab_only=True, verbose=False)
    for answer in (CANNOT, QUESTION, REPLY):
        assert admits(llama, grammar, said(answer))


# Text that only repeats itself


@pytest.mark.parametrize(
    "unit",
    ["a", "in", "lab, ", "    return\n", '    go_to("lab")\n    say("I am here")\n', "# \n"],
)
def test_a_text_that_repeats_itself_is_cut_early(unit: str) -> None:
    runaway = '    go_to("' + unit * 1000
    seen = next(end for end in range(len(runaway)) if repeats_itself(runaway[:end]))
    assert seen <= 11 + 8 * max(len(unit), 6)
    tokens = [unit] * 1000
    backend = ScriptedBackend(['    go_to("' + " ".join(tokens)], "robot_task")
    generation = write(backend)
    assert generation.error_code is TaskErrorCode.MODEL_FAILED
    assert generation.error_msg == ("the model only repeated itself; say the task in other words")
    assert len(backend.requests) == 3 and generation.generated_tokens <= 3 * 200


def test_after_a_runaway_another_text_is_drawn() -> None:
    generation = write(ScriptedBackend(["    x = 'in" + " in" * 100, GOOD], "robot_task"))
    assert generation.accepted and generation.stats.drawn == 2


def test_no_right_program_is_taken_for_a_runaway() -> None:
    for split in Split:
        for pair in drawn_pairs(1000, "composed", split):
            program = pair.program
            assert not any(repeats_itself(program[:end]) for end in range(len(program) + 1))


@pytest.mark.parametrize(
    "text",
    [
        "if x:\n" + " " * 60,
        'say("ha ha ha ha ha ha ha ha")',
        'for item in ["box", "box", "box", "box", "box", "box"]:\n',
        '    say("hello")\n' * 7,
        "-" * 47,
    ],
)
def test_what_a_person_may_want_is_no_runaway(text: str) -> None:
    assert not any(repeats_itself(text[:end]) for end in range(len(text) + 1))
