"""The prompt `chat`: what stands in which turn, and words that cannot leave theirs."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from roboinstruct_ros.domain.instruction import Instruction, Reference
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.generate.backends.conversation import Conversation, Role
from roboinstruct_ros.generate.prompts.chat_format import defused
from roboinstruct_ros.generate.prompts.prompt import (
    FeedbackDesign,
    Rejected,
    prompt_format,
)
from roboinstruct_ros.generate.prompts.surroundings import Surroundings
from roboinstruct_ros.program.violation import Violation

FETCH = Instruction.checked("Fetch the apple")
PROGRAM = 'def task_program():\n    pick("apple")\n    pick("pear")\n'
CHAT = prompt_format("chat")
HOME = Surroundings(("hall", "attic"), people=("Eve",), here="attic", holding="pear")
SHOWN = len(load_domain().examples)


def rejected(source: str, message: str) -> Rejected:
    code = next(iter(ViolationCode))
    return Rejected(source, (Violation(code=code, line=3, column=0, message=message),))


def repair(design: FeedbackDesign) -> Conversation:
    earlier = rejected("def task_program():\n    pass\n", "does nothing")
    conversation = CHAT.repair(FETCH, [earlier, rejected(PROGRAM, "the hand is full")], design)
    assert isinstance(conversation, Conversation)
    return conversation


def roles(conversation: Conversation) -> str:
    return "".join(turn.role.value[0] for turn in conversation.turns)


def test_rules_examples_as_turns_then_the_instruction() -> None:
    conversation = CHAT.first(FETCH)
    assert isinstance(conversation, Conversation)
    assert roles(conversation) == "s" + "ua" * SHOWN + "u"
    system = conversation.turns[0].text
    assert "- def is_in_room(object: str) -> bool:" in system
    assert conversation.turns[-1].text == "Instruction: Fetch the apple"
    assert conversation.answer == "def task_program():\n"
    for turn in conversation.turns:
        if turn.role is Role.ASSISTANT:
            assert turn.text.startswith("def task_program():\n")
            # of an answer in words the body is a comment
            assert ast.parse(f"{turn.text}\n    pass")


def test_all_conversations_begin_alike_so_that_they_are_read_once() -> None:
    beginning = CHAT.beginning
    assert isinstance(beginning, Conversation) and not beginning.is_question
    count = len(beginning.turns)
    elsewhere = prompt_format("chat", HOME).first(FETCH)
    for conversation in (CHAT.first(FETCH), elsewhere, repair(FeedbackDesign.ALL_ERRORS)):
        assert isinstance(conversation, Conversation)
        assert conversation.turns[:count] == beginning.turns


def test_a_change_comes_after_the_old_task_and_its_program() -> None:
    old = Reference("Fetch the pear", PROGRAM, "", keep=("Pick the pear up.",), names=("pear",))
    conversation = CHAT.revise(replace(FETCH, text="Fetch the apple too", reference=old))
    assert isinstance(conversation, Conversation)
    task, program, change = (turn.text for turn in conversation.turns[-3:])
    assert task == "Instruction: Fetch the pear" and program == PROGRAM.strip()
    assert change.startswith("Change the program: Fetch the apple too")
    assert "- Pick the pear up." in change and "pear" in change.splitlines()[-1]


def test_chosen_examples_are_turns_after_the_ones_that_all_have() -> None:
    done = '# Instruction: Wave\ndef task_program():\n    say("hello")\n'
    conversation = prompt_format("chat", Surroundings(examples=(done,))).first(FETCH)
    assert isinstance(conversation, Conversation)
    assert roles(conversation) == "s" + "ua" * (SHOWN + 1) + "u"
    assert conversation.turns[-3].text == "Instruction: Wave"


@pytest.mark.parametrize(
    ("design", "asked", "program", "first", "last"),
    [
        (FeedbackDesign.NAIVE, "uau", True, False, False),
        (FeedbackDesign.LAST_ERROR, "u", False, False, True),
        (FeedbackDesign.ALL_ERRORS, "u", False, True, True),
        (FeedbackDesign.PROGRAM_AND_ERRORS, "uau", True, False, True),
    ],
)
def test_the_designs_of_feedback(
    design: FeedbackDesign, asked: str, program: bool, first: bool, last: bool
) -> None:
    conversation = repair(design)
    assert roles(conversation) == "s" + "ua" * SHOWN + asked
    turns = conversation.turns[1 + 2 * SHOWN :]
    assert turns[0].text.startswith("Instruction: Fetch the apple")
    if program:
        assert turns[1].text == PROGRAM.strip()
    told = turns[-1].text
    assert ("line 3: does nothing" in told, "line 3: the hand is full" in told) == (first, last)
    assert 'pick("pear")' not in told and told.endswith("Please fix the errors.")


def test_the_place_opens_the_turn_of_the_instruction() -> None:
    told = prompt_format("chat", HOME)
    revised = replace(
        FETCH, text="The pear too", reference=Reference("Fetch the apple", PROGRAM, "")
    )
    mended = told.repair(FETCH, [rejected(PROGRAM, "no")], FeedbackDesign.PROGRAM_AND_ERRORS)
    for conversation, turn in ((told.first(FETCH), -1), (told.revise(revised), -3), (mended, -3)):
        assert isinstance(conversation, Conversation)
        assert conversation.turns[turn].text == (
            "Rooms: hall, attic\nPeople: Eve\nHolding: pear\nInstruction: Fetch the apple"
        )


def test_what_was_found_stands_between_the_place_and_the_instruction() -> None:
    asked = prompt_format("chat", HOME).first(replace(FETCH, found=("Eve is in the attic.",)))
    assert isinstance(asked, Conversation)
    *_, found, last = asked.turns[-1].text.splitlines()
    assert found == "Found: Eve is in the attic." and last == "Instruction: Fetch the apple"


@pytest.mark.parametrize(
    "mark",
    [
        "<|im_end|>", "<|im_start|>system", "<|eot_id|>", "</s>", "<s>", "<start_of_turn>",
        "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "### Response:", "@@ Response",
        "<\uff5cUser\uff5c>", "<|", "<think>",
    ],
)  # fmt: skip
def test_marks_of_templates_lose_their_meaning_in_what_people_say(mark: str) -> None:
    conversation = CHAT.first(Instruction.checked(f"Go {mark} now"))
    assert isinstance(conversation, Conversation)
    said = conversation.turns[-1].text.removeprefix("Instruction: ")
    assert mark not in said and said.replace(" ", "") == f"Go{mark}now".replace(" ", "")


def test_plain_words_and_programs_stay_as_they_are() -> None:
    for text in (PROGRAM, "if a < b and b > c: x[0] -> [1, 2] # no", "Arjun's office & room [B2]"):
        assert defused(text) == text


def test_the_kind_of_a_follow_up_is_asked_in_turns() -> None:
    asked = CHAT.kind_question("Go to the kitchen.", "and to the <|im_end|> hall")  # type: ignore[attr-defined]
    assert roles(asked) == "s" + "ua" * 5 + "u" and asked.answer == "Kind:"
    assert asked.turns[0].text.startswith("A follow-up changes a robot's task")
    assert asked.turns[1].text.startswith("Task: Bring the apple")
    assert [turn.text for turn in asked.turns[2::2]] == [
        "Kind: tweak", "Kind: extend", "Kind: modify", "Kind: pivot", "Kind: fresh",
    ]  # fmt: skip
    assert asked.turns[-1].text.endswith("Follow-up: and to the < |im_end| > hall")
