"""From words to versions: what is kept, returned to, said again, and never lost to the library."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from scripted_backend import ScriptedBackend

from roboinstruct_ros.domain.answer import Answer, AnswerKind
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.instruction import IN_BACKGROUND
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import Backend
from roboinstruct_ros.generate.backends.llama_cpp_backend import LlamaCppBackend
from roboinstruct_ros.generate.backends.llama_opening import LlamaCppSettings
from roboinstruct_ros.generate.generation import DraftVerified, Generation, GenerationEvent
from roboinstruct_ros.generate.generator import Generator
from roboinstruct_ros.generate.prompts.surroundings import Surroundings
from roboinstruct_ros.generate.rounds.rounds import Progressive
from roboinstruct_ros.generate.site import Site
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.library.library_file import LibraryError
from roboinstruct_ros.library.task_library import TaskLibrary
from roboinstruct_ros.library.task_writer import (
    TaskWriter,
    WritingOrder,
    examples_from,
    note_run,
)
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.verifier import verify

KITCHEN = '    go_to("kitchen")\n'
STUDY = '    go_to("study")\n'
SAY = '    say("hello")\n'


HOME_ROOMS = ("kitchen", "study", "bathroom")


class HomeVerifier:
    """The real verifier, on a map that a test may change."""

    def __init__(self, world: str) -> None:
        self.rooms = load_semantic_map(find_world(world))

    rules_sha256 = ""

    def verify(self, source: str) -> Verdict:
        return verify(source, load_domain(), self.rooms)

    def close(self) -> None: ...


class Desk:
    """A task writer over a scripted model and the real verifier."""

    def __init__(
        self,
        *answers: str,
        prompts: str = "completion",
        backend: Backend | None = None,
        library: TaskLibrary | None = None,
        world: str = "home",
    ) -> None:
        self.model = ScriptedBackend(answers, prompts)
        self.library = library or TaskLibrary.open("none")
        self.warnings: list[str] = []
        self.events: list[GenerationEvent] = []
        examples = examples_from(self.library, self.warnings.append)
        self.generator = Generator(
            lambda: backend or self.model,
            lambda: HomeVerifier(world),
            lambda: Site(examples=examples, surroundings=Surroundings(HOME_ROOMS)),
        )
        self.writer = TaskWriter(self.generator, self.library, self.warnings.append)
        self._count = 0

    def write(self, text: str, follows: str = "", request: str = "") -> Generation:
        self._count += 1
        order = WritingOrder(text, request or f"request{self._count}", follows, asked_by="test")
        options = WritingOptions(check_prefixes=False, max_attempts=2, progressive=Progressive.CUES)
        return self.writer.write(order, options, self.events.append, threading.Event())

    def prompts(self) -> list[str]:
        return [request.prompt for request in self.model.requests]


@pytest.fixture
def desk() -> Callable[..., Desk]:
    def make(*answers: str, **given: object) -> Desk:
        desk = Desk(*answers, **given)  # type: ignore[arg-type]
        desk.generator.load()
        return desk

    return make


def test_a_follow_up_is_a_version_with_its_parent(desk: Callable[..., Desk]) -> None:
    here = desk(KITCHEN, KITCHEN + STUDY)
    first = here.write("Go to the kitchen", request="aaaa")
    second = here.write("also go to the study", follows="aaaa", request="bbbb")
    assert (first.task_id, first.version, first.steering, first.parent_sha256) == (
        "aaaa",
        1,
        "",
        "",
    )
    assert (second.task_id, second.version, second.steering) == ("aaaa", 2, "extend")
    assert second.parent_sha256 == first.sha256 and here.events[-1] is second
    assert second.notes == ()
    told = here.prompts()[1]
    program = f"# Instruction: Go to the kitchen\n{first.source}# Keep in the changed program:\n"
    assert program in told and "# Change: go to the study\n" in told.partition(program)[2]
    one, two = here.library.versions("aaaa")
    assert (two.parent, two.said) == (1, "also go to the study")
    assert two.words == "Go to the kitchen, then go to the study" and one.words == one.said


def test_more_rooms_are_the_same_task_there(desk: Callable[..., Desk]) -> None:
    look = '    go_to("{0}")\n    if is_in_room("cup"):\n        say("in the {0}")\n'
    kitchen, study, bathroom = map(look.format, HOME_ROOMS)
    here = desk(kitchen, kitchen + study, kitchen + study + bathroom)
    here.write("Look for a cup in the kitchen", request="aaaa")
    here.write("also check the study", "aaaa")
    here.write("the bathroom too", "aaaa")
    assert here.library.versions("aaaa")[-1].words == (
        "Look for a cup in the kitchen, then look for a cup in the study. "
        "Then look for a cup in the bathroom"
    )


def test_the_way_back_asks_no_model(desk: Callable[..., Desk]) -> None:
    here = desk(KITCHEN)
    first = here.write("Go to the kitchen", request="aaaa")
    back = here.write("and come back", "aaaa")
    assert back.accepted and back.plan[-1].text == "Go back to where I started."
    assert (back.version, back.steering, back.parent_sha256) == (2, "extend", first.sha256)
    assert here.library.versions("aaaa")[-1].words == "Go to the kitchen, then come back"
    assert len(here.prompts()) == 1


def test_a_later_follow_up_builds_on_the_newest_or_the_one_that_is_named(
    desk: Callable[..., Desk],
) -> None:
    here = desk(KITCHEN, KITCHEN + STUDY, KITCHEN + SAY, KITCHEN + STUDY + SAY)
    here.write("Go to the kitchen", request="aaaa")
    here.write("also go to the study", "aaaa", "bbbb")
    here.write("also say hello", "aaaa/1", "cccc")
    here.write("also say hello", "bbbb", "dddd")
    parents = [version.parent for version in here.library.versions("aaaa")]
    assert parents == [0, 1, 1, 2]


def test_a_return_is_judged_anew_and_asks_no_model(desk: Callable[..., Desk]) -> None:
    here = desk(KITCHEN, KITCHEN + STUDY)
    first = here.write("Go to the kitchen", request="aaaa")
    here.write("also go to the study", "last")
    back = here.write("go back to the first version", "last", "dddd")
    assert back.accepted and back.source == first.source and back.steering == "return"
    assert back.verdict is not None and back.plan == first.plan
    assert back.verdict.program_sha256 == back.sha256 == first.sha256
    assert len(here.prompts()) == 2 and isinstance(here.events[-2], DraftVerified)
    assert back.notes == ("This is version 1 again.",) and back.version == 1
    assert (back.as_json["words"], back.as_json["succeeded"]) == ("Go to the kitchen", 0)
    here.library.succeeded("aaaa", first.sha256)
    assert here.write("version 1", "aaaa/2").as_json["succeeded"] == 1
    assert len(here.library.versions("aaaa")) == 2
    # what follows goes on from there
    assert here.library.find("dddd").number == here.library.find("last").number == 1


def test_undo_ends_at_the_first_version(desk: Callable[..., Desk]) -> None:
    here = desk(KITCHEN, KITCHEN + STUDY, KITCHEN + STUDY + KITCHEN)
    here.write("Go to the kitchen")
    here.write("also go to the study", "last")
    here.write("also go to the kitchen again", "last")
    assert [here.write("undo", "last").version for _ in "two"] == [2, 1, 0]
    answer = here.write("undo", "last").answer
    assert answer == Answer(AnswerKind.REPLY, "There is nothing to undo.")
    assert here.library.find("last").number == 1


def test_a_return_to_what_is_not_allowed_any_more_is_refused(desk: Callable[..., Desk]) -> None:
    here = desk(KITCHEN, KITCHEN + STUDY)
    here.write("Go to the kitchen", request="aaaa")
    here.write("also go to the study", "aaaa")
    moved = desk(KITCHEN, library=here.library, world="office")
    back = moved.write("go back to version 2", "aaaa")
    assert back.error_code is TaskErrorCode.NO_ACCEPTED_PROGRAM and back.verdict is not None
    assert back.verdict.program_sha256 == here.library.versions("aaaa")[1].sha256
    assert "version 2 is not accepted any more" in back.error_msg and "kitchen" in back.error_msg


def test_a_program_that_was_there_before_is_said(desk: Callable[..., Desk]) -> None:
    here = desk(KITCHEN, KITCHEN + STUDY, KITCHEN)
    here.write("Go to the kitchen", request="aaaa")
    here.write("also go to the study", "aaaa")
    again = here.write("skip the study", "aaaa")
    assert again.version == 1 and "This is version 1 again." in again.notes


def test_something_else_is_a_task_of_its_own(desk: Callable[..., Desk]) -> None:
    here = desk(KITCHEN, STUDY, prompts="instruction_comment")
    here.write("Go to the kitchen", request="aaaa")
    other = here.write("forget that, go to the study", "aaaa", "bbbb")
    assert (other.task_id, other.version, other.steering) == ("bbbb", 1, "fresh")
    assert other.parent_sha256 == "" and other.notes == ()
    assert here.prompts()[1] == "# Instruction: go to the study\ndef task_program():\n"
    assert here.library.find("bbbb").words == "go to the study"


def test_the_models_reading_decides_where_the_words_do_not(desk: Callable[..., Desk]) -> None:
    here = desk(KITCHEN, " extend", KITCHEN + STUDY, prompts="completion")
    here.write("Go to the kitchen", request="aaaa")
    other = here.write("look in the study", "aaaa")
    assert (other.task_id, other.version, other.steering) == ("aaaa", 2, "extend")
    assert here.library.versions("aaaa")[1].words == "Go to the kitchen, then look in the study"


@pytest.mark.parametrize(
    ("text", "follows", "code", "says"),
    [
        ("also go", "nothing", TaskErrorCode.UNKNOWN, "no task 'nothing'"),
        ("", "aaaa", TaskErrorCode.INSTRUCTION_EMPTY, "empty"),
        ("do something else", "aaaa", TaskErrorCode.NO_ACCEPTED_PROGRAM, "say what the robot"),
        ("go back to version 9", "aaaa", TaskErrorCode.NO_ACCEPTED_PROGRAM, "No version"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(
    desk: Callable[..., Desk], text: str, follows: str, code: TaskErrorCode, says: str
) -> None:
    here = desk(KITCHEN)
    here.write("Go to the kitchen", request="aaaa")
    generation = here.write(text, follows)
    assert generation.error_code is code and says in generation.error_msg
    assert "\n" not in generation.error_msg and here.events[-1] is generation
    assert len(here.prompts()) == 1


def test_twenty_follow_ups_keep_a_consistent_tree(desk: Callable[..., Desk]) -> None:
    programs = [f'    go_to("kitchen")\n    say("{count}")\n' for count in range(20)]
    here = desk(*programs)
    here.write("Go to the kitchen and say hello", request="aaaa")
    for count in range(1, 20):
        text = "undo" if count % 5 == 0 else f"also say {count}"
        assert here.write(text, f"request{count - 1}" if count > 1 else "aaaa", f"request{count}")
    versions = here.library.versions("aaaa")
    assert [version.number for version in versions] == list(range(1, 18))
    by_number = {version.number: version for version in versions}
    for version in versions[1:]:
        parent = by_number[version.parent]
        assert version.words.startswith(parent.words) and version.parent < version.number
    # after an undo the next one builds on what it led back to
    assert [version.parent for version in versions[4:8]] == [4, 4, 6, 7]


def test_a_full_or_locked_library_costs_no_program(desk: Callable[..., Desk]) -> None:
    class Locked(TaskLibrary):
        def record(self, *_: object) -> None:  # type: ignore[override]
            raise LibraryError("library.sqlite: database is locked")

    here = desk(KITCHEN, library=Locked.open("none"))
    generation = here.write("Go to the kitchen")
    assert generation.accepted and generation.task_id == "" and generation.version == 0
    assert here.warnings == ["library.sqlite: database is locked; this program is not kept, and "
                             "cannot be followed up"]  # fmt: skip


def test_what_was_not_accepted_is_not_kept(desk: Callable[..., Desk]) -> None:
    here = desk('    pick("a")\n    pick("b")\n')
    assert not here.write("Take a and b").accepted and here.library.tasks() == ()


def test_a_task_that_was_approved_and_succeeded_is_the_next_ones_example(
    desk: Callable[..., Desk],
) -> None:
    here = desk(KITCHEN, STUDY, prompts="completion")
    first = here.write("Water the plant in the kitchen", request="aaaa")
    sha256 = {"program_sha256": first.sha256}
    note_run(here.library, "program_approved", "aaaa", sha256)
    here.write("Water the plant in the study")
    note_run(here.library, "run_finished", "aaaa", {**sha256, "outcome": "failed"})
    note_run(here.library, "run_finished", "bbbb", {**sha256, "outcome": "succeeded"})
    here.write("Water the plant in the garage")
    assert all("Water the plant in the kitchen" not in prompt for prompt in here.prompts()[1:])
    note_run(here.library, "run_finished", "aaaa", {**sha256, "outcome": "succeeded"})
    here.write("Water the plant in the attic")
    example = f"# Instruction: Water the plant in the kitchen\n{first.source}"
    fixed, _, rest = here.prompts()[-1].partition(example)
    assert rest.startswith("\n# Instruction: Water the plant in the attic\n")
    # the beginning that the model has read already is the same with and without it
    assert here.prompts()[0].startswith(fixed) and here.warnings == []


def test_the_shipped_model_changes_what_can_be_said_as_one_instruction(
    desk: Callable[..., Desk],
) -> None:
    model = Path(__file__).parents[2] / "models" / "roboinstruct-small.gguf"
    here = desk(backend=LlamaCppBackend(LlamaCppSettings(model)))
    first = here.write("Go to the kitchen.", request="aaaa")
    second = here.write("also go to the study", "aaaa")
    assert first.accepted and second.accepted, second.error_msg
    assert 'go_to("kitchen")' in second.source and 'go_to("study")' in second.source
    assert (second.version, second.parent_sha256) == (2, first.sha256)


def test_a_later_round_of_a_task_is_no_version_of_it(desk: Callable[..., Desk]) -> None:
    here = desk(KITCHEN, STUDY, STUDY + SAY)
    here.write("Go to the kitchen", request="aaaa")
    later = here.write("Go to the study", request="aaaa")
    found = WritingOrder("Go to the study and say hello", "bbbb", found=("Bob wants tea.",))
    options = WritingOptions(check_prefixes=False)
    after = here.writer.write(found, options, here.events.append, threading.Event())
    assert later.accepted and after.accepted and later.version == after.version == 0
    assert [version.said for version in here.library.versions("aaaa")] == ["Go to the kitchen"]
    assert len(here.library.tasks()) == 1


def test_what_nobody_waits_for_is_not_kept(desk: Callable[..., Desk]) -> None:
    here = desk(KITCHEN)
    order = WritingOrder("Go to the kitchen", "aaaa", asked_by=IN_BACKGROUND, background=True)
    options = WritingOptions(check_prefixes=False)
    written = here.writer.write(order, options, here.events.append, threading.Event())
    assert written.accepted and not here.library.tasks()


def test_a_program_that_leaves_something_for_later_is_no_example(
    desk: Callable[..., Desk],
) -> None:
    here = desk(KITCHEN)
    first = here.write("In two steps: go to the kitchen, then go to the study", request="aaaa")
    assert first.accepted and first.deferred, first
    (version,) = here.library.versions("aaaa")
    assert version.deferred == first.deferred and version.words == version.said
    for kind in ("program_approved", "run_finished"):
        data = {"program_sha256": first.sha256, "outcome": "succeeded"}
        note_run(here.library, kind, "aaaa", data)
    assert here.library.versions("aaaa")[0].succeeded == 1 and here.library.examples() == ()
