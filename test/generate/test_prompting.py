"""What a model is told: the task to change, what stays, and examples near to the words."""

from __future__ import annotations

import ast
import threading
from collections.abc import Sequence
from dataclasses import replace

import pytest
from builders import GOOD, verdict_on
from scripted_backend import ScriptedBackend
from versions import AND_KITCHEN, BOX, ONE, THREE, VERSIONS, version

from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.domain.task_version import Steering
from roboinstruct_ros.generate.backends.backend import ModelDescription
from roboinstruct_ros.generate.generation import Generation
from roboinstruct_ros.generate.program_writer import write_program
from roboinstruct_ros.generate.prompts.example_choice import Example, choose_examples
from roboinstruct_ros.generate.prompts.examples import AS_MANY_AS_ASKED, EXAMPLES
from roboinstruct_ros.generate.prompts.nearest_text import has_full_text, nearest
from roboinstruct_ros.generate.prompts.prompt import (
    FeedbackDesign,
    prompt_format,
)
from roboinstruct_ros.generate.prompts.prompting import notes_on_change
from roboinstruct_ros.generate.prompts.surroundings import Surroundings
from roboinstruct_ros.generate.rounds.steering import instructed, read_follow_up
from roboinstruct_ros.generate.site import Site, site_for
from roboinstruct_ros.generate.writing_job import WritingJob
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.program.violation import Violation, ViolationCode

DEFAULT = FeedbackDesign.PROGRAM_AND_ERRORS


def changed(text: str, versions: tuple = VERSIONS) -> Instruction:  # type: ignore[type-arg]
    return instructed(Instruction(text), read_follow_up(text, versions))


def violation(line: int, message: str) -> Violation:
    return Violation(code=next(iter(ViolationCode)), line=line, column=0, message=message)


# The format of a model of unknown training


def test_a_change_shows_the_program_what_stays_and_the_words() -> None:
    prompt = prompt_format("completion").revise(changed("the banana instead of the apple"))
    assert prompt is not None
    last = prompt.partition(f"# Instruction: {THREE.words}\n")[2]
    assert last == (
        f"{AND_KITCHEN}# Keep in the changed program:\n"
        "# - Do this 2 times: Go to the storage room; Pick up the box; Go to the study; "
        "Put down the box.\n# - Go to the kitchen.\n"
        "# - These names: kitchen, storage room, box, study.\n"
        "# Change: the banana instead of the apple\ndef task_program():\n"
    )
    ast.parse(prompt + "    pass\n")


def test_a_pivot_keeps_nothing() -> None:
    prompt = prompt_format("completion").revise(changed("instead, count the boxes in the study"))
    assert prompt is not None and "# Keep" not in prompt


def test_chosen_examples_stand_behind_what_is_always_the_same() -> None:
    plain, told = (
        prompt_format("completion", Surroundings(examples=examples))
        for examples in ((), (Example("Do this", BOX).text,))
    )
    assert told.beginning == plain.beginning
    first = told.first(Instruction("Go"))
    chosen = f"# Instruction: Do this\n{BOX}\n"
    assert first == f"{plain.beginning}{chosen}# Instruction: Go\ndef task_program():\n"
    ast.parse(first + "    pass\n")


# Examples


DONE = (
    Example("Water the plant in the lobby", 'def task_program():\n    go_to("lobby")\n'),
    Example("Bring a towel to the gym", 'def task_program():\n    go_to("gym")\n'),
    Example("Bring two towels to the pool", 'def task_program():\n    go_to("pool")\n'),
)


def test_full_text_search_is_here() -> None:
    assert has_full_text()


def test_the_nearest_tasks_are_chosen_in_a_stable_order() -> None:
    towels = (DONE[1].text, DONE[2].text)
    assert choose_examples("Fetch a towel for the pool", DONE, 2) == towels
    assert choose_examples("Fetch the towels to the gym", DONE, 2) == towels
    assert choose_examples("Fetch the towels to the gym", DONE, 1) == (DONE[1].text,)
    assert choose_examples("Fetch a towel", DONE, 2, but_not=DONE[1].source) == (DONE[2].text,)


def test_an_example_that_is_always_there_is_not_told_twice() -> None:
    words, _, source = AS_MANY_AS_ASKED.partition("\n")
    known = Example(words.removeprefix("# Instruction: "), source)
    assert choose_examples("Ask Alice how many boxes she needs", (known, *DONE), 1) == ()


@pytest.mark.parametrize("words", ['"quoted" AND (NEAR* "', "the of a", "", "ünïcödé", "a-b:c^2"])
def test_any_words_may_be_searched_for(words: str) -> None:
    assert set(choose_examples(words, DONE, 2)) <= {one.text for one in DONE}


def test_numbers_and_endings_are_alike() -> None:
    assert nearest("2 box", ["three boxes", "two boxes", "a plant"], 2) == [1, 0]


class Shelf:
    """A site whose examples are told, and who asked for them."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int, str]] = []

    def __call__(
        self, words: str, most: int, but_not: str, shown: Sequence[str]
    ) -> tuple[str, ...]:
        self.asked.append((words, most, but_not))
        return (Example("Water the plant", 'def task_program():\n    go_to("lobby")\n').text,)


class SmallBackend(ScriptedBackend):
    """Reads `context` words."""

    def __init__(self, answer: str, prompt_format: str, context: int) -> None:
        super().__init__([answer], prompt_format)
        self._context = context

    def describe(self) -> ModelDescription:
        return replace(super().describe(), context=self._context)


def write(
    task: Instruction, prompts: str, context: int = 10_000, **options: int
) -> tuple[Generation, SmallBackend, Shelf]:
    backend, shelf = SmallBackend(GOOD, prompts, context), Shelf()
    generation = write_program(
        task,
        WritingJob(
            backend,
            lambda source: verdict_on(source, True),
            WritingOptions(check_prefixes=False, **options),  # type: ignore[arg-type]
            lambda _: None,
            threading.Event(),
            Site(examples=shelf),
        ),
    )
    return generation, backend, shelf


def test_a_model_that_is_shown_examples_is_shown_the_nearest() -> None:
    task = changed("only if nobody is there", (ONE,))
    generation, backend, shelf = write(task, "completion", examples=1)
    assert generation.stats.examples == 1
    assert shelf.asked == [(task.words, 1, BOX)]
    prompt = backend.requests[0].prompt
    assert prompt.count("# Instruction: ") == len(EXAMPLES) + 2 and "Water the plant" in prompt
    _, backend, shelf = write(task, "completion", examples=0)
    assert shelf.asked == [] and "Water the plant" not in backend.requests[0].prompt
    told = Instruction("Go to the kitchen")
    generation, _, shelf = write(told, "instruction_comment", examples=1)
    assert shelf.asked == [] and generation.stats.examples == 0


def test_examples_that_do_not_fit_are_left_out_and_that_is_told() -> None:
    task = Instruction("Go to the kitchen")
    whole = write(task, "completion")[1]
    used = whole.count_tokens(whole.requests[0].prompt)
    generation, backend, _ = write(task, "completion", used + 63)
    assert generation.accepted and "Water the plant" not in backend.requests[0].prompt
    assert generation.stats.fallbacks == ("the chosen examples do not fit and were left out",)
    assert generation.stats.examples == 0


def test_a_place_that_does_not_fit_is_left_out_and_that_is_told() -> None:
    place = Site(surroundings=Surroundings(rooms=tuple(f"room {n}" for n in range(30))))

    def written(context: int) -> tuple[Generation, str]:
        backend = SmallBackend(GOOD, "robot_task", context)
        generation = write_program(
            Instruction("Go to the kitchen"),
            WritingJob(
                backend,
                lambda source: verdict_on(source, True),
                WritingOptions(check_prefixes=False),
                lambda _: None,
                threading.Event(),
                place,
            ),
        )
        return generation, str(backend.requests[0].prompt)

    generation, prompt = written(10_000)
    assert prompt.startswith("# Rooms: room 0, ") and generation.stats.fallbacks == ()
    generation, prompt = written(100)
    assert (
        generation.accepted and prompt == "# Instruction: Go to the kitchen\ndef task_program():\n"
    )
    assert generation.stats.fallbacks == ("the names of the place do not fit and were left out",)


# Changes


def test_a_change_goes_to_a_model_that_reads_it_and_comes_back_with_its_parent() -> None:
    generation, backend, _ = write(changed("only if nobody is there"), "completion")
    assert "# Change: only if nobody is there\n" in backend.requests[0].prompt
    assert generation.steering == "modify" and generation.parent_sha256 == THREE.sha256


def test_a_model_that_reads_no_program_gets_both_as_one_instruction() -> None:
    _, backend, _ = write(changed("make it three boxes", (ONE,)), "instruction_comment")
    assert backend.requests[0].prompt == (
        "# Instruction: Bring three boxes from the storage room to the study.\n"
        "def task_program():\n"
    )


def test_more_steps_are_written_alone_and_come_after_the_old_program() -> None:
    task = changed("also go to the kitchen and say that you are there", (ONE,))
    generation, backend, _ = write(task, "instruction_comment")
    assert backend.requests[0].prompt == (
        "# Instruction: go to the kitchen and say that you are there\ndef task_program():\n"
    )
    assert generation.source == ONE.source + GOOD
    assert generation.steering == "extend" and generation.parent_sha256 == ONE.sha256


def test_nothing_comes_after_a_program_that_may_end_early() -> None:
    early = ONE.source + '    if is_in_room("box"):\n        return\n    say("none")\n'
    task = changed("also go to the kitchen", (replace(ONE, source=early),))
    _, backend, _ = write(task, "instruction_comment")
    assert backend.requests[0].prompt.startswith(f"# Instruction: {ONE.said[:-1]}")


def test_or_says_that_it_cannot() -> None:
    generation, backend, _ = write(changed("only if nobody is there"), "instruction_comment")
    assert not backend.requests and generation.steering == "modify"
    assert generation.error_code is TaskErrorCode.NO_ACCEPTED_PROGRAM
    assert "this model cannot change a program in this way; say the whole" in generation.error_msg


def test_a_program_that_does_not_fit_is_written_anew_from_all_words() -> None:
    task = changed("also check the bathroom")
    whole = write(task, "completion", examples=0)[1]
    room = whole.count_tokens(whole.requests[0].prompt) - 1
    generation, backend, _ = write(task, "completion", room, examples=0, max_tokens=16)
    assert "# Change" not in backend.requests[0].prompt
    assert "Then check the bathroom\n" in backend.requests[0].prompt
    assert f"does not fit into {room} tokens" in generation.stats.fallbacks[0]
    assert generation.notes[-1] == (
        "The program was too long to be changed and is written anew: compare it with the one "
        "before."
    )


def test_or_says_that_it_does_not_fit() -> None:
    generation, backend, _ = write(changed("only if nobody is there"), "completion", 100)
    assert not backend.requests and "does not fit into the 100 tokens" in generation.error_msg
    assert generation.error_code is TaskErrorCode.INSTRUCTION_TOO_LONG


# Whether the change is the one that was asked for


ANYWHERE = site_for(load_domain(), None)


@pytest.mark.parametrize(
    ("text", "old", "new", "noted"),
    [
        ("also check the bathroom", "", '    go_to("bathroom")\n    is_in_room("apple")\n', ()),
        ("also check the bathroom", "", "", ("from before",)),
        ("the banana instead of the apple", '"apple"', '"banana"', ()),
        ("the banana instead of the apple", '"kitchen"', '"lab"', ("'lab'",)),
        ("make it three boxes", "range(2)", "range(3)", ()),
        ("skip the kitchen", '    go_to("kitchen")\n', "", ()),
        ("only if nobody is in the study", '"apple"', '"kitchen"', ("no longer uses 'apple'",)),
    ],
)
def test_a_change_is_judged_by_old_and_new_words(
    text: str, old: str, new: str, noted: tuple[str, ...]
) -> None:
    source = AND_KITCHEN.replace(old, new) if old else AND_KITCHEN + new
    notes = notes_on_change(changed(text), source, ANYWHERE)
    assert all(any(part in note for note in notes) for part in noted), notes
    assert bool(notes) == bool(noted), notes


def test_what_old_words_named_may_be_named_now() -> None:
    told = version(1, "Go to the lab and tell Alice", 'def task_program():\n    go_to("lab")\n')
    source = (
        'def task_program():\n    go_to("lab")\n    if is_in_room("Alice"):\n'
        '        ask("Alice", "Here?", ["Yes"])\n'
    )
    assert notes_on_change(changed("only if she is there", (told,)), source, ANYWHERE) == ()


def test_a_new_task_is_judged_by_its_own_words() -> None:
    task = changed("forget that, go to the kitchen")
    assert task.steering is Steering.FRESH
    assert notes_on_change(task, 'def task_program():\n    go_to("kitchen")\n', ANYWHERE) == ()
    assert notes_on_change(task, AND_KITCHEN, ANYWHERE)
