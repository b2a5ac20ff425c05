"""A picture of each main state of the page, to be looked at: `build/pictures/SIZE/STATE.png`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import test_page
from chromium import chromium
from fake_link import ACCEPTED, FakeLink, sha256
from playwright.sync_api import Browser, Page, expect
from test_kept_tasks import keep
from waiting import until

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import SemanticMap, load_semantic_map
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.web.robot_link import (
    AnswerTime,
    Dictated,
    DictationSeen,
    InterruptedRun,
    InterruptedSeen,
    NodesSeen,
    Question,
    RobotPose,
    StopAnswer,
    Thing,
    WorldSeen,
)

screen = test_page.screen
FOLDER = Path(__file__).parents[2] / "build" / "pictures"
TASK = "Go to the kitchen and if there is an apple, bring it to the living room"
PROGRAM = """\
def task_program():
    go_to("kitchen")
    if is_in_room("apple"):
        pick("apple")
        go_to("living room")
        place("apple")
        say("The apple is here")
    else:
        say("There is no apple in the kitchen")
"""
SIZES = {
    "1024x600": (1024, 600, "light"),
    "800x480-dark": (800, 480, "dark"),
    "360x740": (360, 740, "light"),
    "1920x1080-dark": (1920, 1080, "dark"),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def maps() -> list[SemanticMap]:
    return [load_semantic_map(find_world("home"))]


class Album:
    """Pictures of one size; nobody is shut out in any of them."""

    def __init__(self, screen: Page, size: str) -> None:
        self._screen, self.folder = screen, FOLDER / size
        shutil.rmtree(self.folder, ignore_errors=True)
        width, height, colours = SIZES[size]
        screen.set_viewport_size({"width": width, "height": height})
        screen.emulate_media(color_scheme="dark" if colours == "dark" else "light")

    def take(self, name: str) -> None:
        """As soon as all that moves on the page stands."""
        path = self.folder / f"{name}.png"
        self._screen.screenshot(path=path, animations="disabled")
        assert not test_page.unreachable(self._screen), name


@pytest.mark.parametrize("size", SIZES)
def test_each_main_state_is_pictured(
    screen: Page,
    link: FakeLink,
    maps: list[SemanticMap],
    library: Path,
    runs: Path,
    size: str,
) -> None:
    faults: list[str] = []
    screen.on("pageerror", lambda error: faults.append(str(error)))
    keep(library, "tour", "Check every bedroom for a pillow and tell me which ones have one")
    shutil.copytree(test_page.BAGS / "brought", runs / "20260102T030405Z_brought")
    album = Album(screen, size)
    screen.reload()
    link.ready()
    link.prove(*maps[-1].examples)
    expect(screen.locator("#examples button")).to_have_count(len(maps[-1].examples))
    link.say(WorldSeen(
        doors=(Thing("kitchen", 4.0, 2.0),),
        objects=(Thing("apple", 1.5, 1.0), Thing("cup", 2.2, 1.8)),
        people=(Thing("Alice", 6.0, 6.5),),
    ))  # fmt: skip
    link.say(RobotPose(5.0, 3.0, 0.4))
    expect(screen.locator("#kept li")).to_have_count(1)
    expect(screen.locator("#runs li")).to_have_count(1)
    expect(screen.locator("#where")).to_contain_text("Robot:")
    album.take("01-nothing-asked-yet")
    link.say(DictationSeen(True))
    expect(screen.locator("#talk")).to_be_enabled()
    expect(screen.locator("#talk")).to_be_visible()  # else it takes no focus
    screen.locator("#talk").focus()
    screen.keyboard.down("Space")
    until(lambda: link.talks)
    album.take("02-talking")
    screen.keyboard.up("Space")
    link.say(Dictated(TASK))
    expect(screen.locator("#words")).to_have_value(TASK)
    _wrote(screen, link, album)
    _ran(screen, link, album)
    _answered(screen, link, album)
    _faults(screen, link, album)
    _replayed(screen, album)
    assert len(list(album.folder.iterdir())) >= 18 and not faults


def _wrote(screen: Page, link: FakeLink, album: Album) -> None:
    screen.locator("#words").fill("?")
    screen.locator("#words").press("Enter")
    expect(screen.locator("#ask-error")).to_be_visible()
    album.take("03-nothing-to-do")
    task_id = test_page.ask(screen, link, TASK)
    text = PROGRAM[: PROGRAM.index("        place")]
    link.event(EventKind.TOKENS, task_id, draft=1, text=text, tokens=30)
    expect(screen.locator("#plan li").first).to_be_visible()
    album.take("04-writing")
    link.judges = [ACCEPTED | {"assumptions": ["I take it that the kitchen can be reached."]}]
    notes = ("The program uses 'living room'.",)
    link.finish_generation(task_id, PROGRAM, notes=notes, task="fetch", version=1)
    expect(screen.locator("#approve")).to_be_enabled()
    album.take("05-plan-with-doubts")
    screen.get_by_role("button", name="Code").click()
    album.take("06-code")
    screen.get_by_role("button", name="Code").click()


def _ran(screen: Page, link: FakeLink, album: Album) -> None:
    screen.locator("#approve").click()
    until(lambda: link.executed)
    task_id = link.executed[-1][0]
    link.event(EventKind.RUN_STARTED, task_id, instruction="", program_sha256=sha256(PROGRAM))
    for index, (skill, name, line) in enumerate(
        [("go_to", "kitchen", 2), ("is_in_room", "apple", 3), ("pick", "apple", 4)]
    ):
        call = {"index": index, "skill": skill, "arguments": [name], "line": line}
        link.event(EventKind.SKILL_STARTED, task_id, **call)
        done = {"result": True if skill == "is_in_room" else None, "error_code": 0}
        link.event(EventKind.SKILL_FINISHED, task_id, **call, **done, error_msg="")
    call = {"index": 3, "skill": "go_to", "arguments": ["living room"], "line": 5}
    link.event(EventKind.SKILL_STARTED, task_id, **call)
    expect(screen.locator("#run li")).to_have_count(4)
    album.take("07-running")
    link.event(EventKind.RUN_PAUSED, task_id, paused=True)
    test_page.phase(screen, "paused")
    album.take("08-paused")
    link.event(EventKind.RUN_PAUSED, task_id, paused=False)
    link.say(Question("Are you hungry?", "Alice", ("Yes", "No", "A little"), live=True))
    link.say(AnswerTime(40.0))
    expect(screen.locator("#question-left")).to_be_visible()
    album.take("09-question-to-a-person")
    link.say(Question())
    screen.locator("#stop").click()
    expect(screen.locator("#stop-word")).to_have_text("Stopping…")
    album.take("10-stopping")
    link.say(StopAnswer(True, 0.01, ""))
    link.end_run(task_id, "cancelled", error_code=int(TaskErrorCode.STOPPED))
    test_page.phase(screen, "cancelled")
    album.take("11-stopped")


def _answered(screen: Page, link: FakeLink, album: Album) -> None:
    link.judges = [ACCEPTED]
    test_page.tell_story(screen, link)
    screen.get_by_role("button", name="Next").click()
    album.take("12-rejected-with-its-story")
    words = "I cannot open windows. I can drive, carry things, look, say and ask."
    link.say_instead(test_page.ask(screen, link, "Open the window"), "cannot", words)
    expect(screen.locator("#said-title")).to_have_text("I cannot do that")
    album.take("13-cannot")
    link.say_instead(
        test_page.ask(screen, link, "Clean up the bedroom"),
        "question", "Which bedroom do you mean?", "bedroom 1", "bedroom 2",
    )  # fmt: skip
    expect(screen.locator("#said-choices button")).to_have_count(2)
    album.take("14-question-back")
    first = test_page.ask(screen, link, "Go to the kitchen.")
    link.finish_generation(first, test_page.SIX_STEPS, task="lib", version=1)
    screen.get_by_label("Change it").fill("say hello instead")
    screen.get_by_label("Change it").press("Enter")
    until(lambda: link.generated[-1][0] != first)
    changed = test_page.SIX_STEPS.replace("It is done", "hello")
    parent = sha256(test_page.SIX_STEPS)
    place = {"task": "lib", "version": 2, "steering": "tweak", "parent_sha256": parent}
    link.finish_generation(link.generated[-1][0], changed, **place)
    screen.get_by_role("button", name="Changes from 1").click()
    expect(screen.locator("#diff .added")).to_be_visible()
    album.take("15-changed")


def _faults(screen: Page, link: FakeLink, album: Album) -> None:
    screen.get_by_role("button", name="Discard").click()
    task_id = test_page.ask(screen, link, TASK)
    test_page.phase(screen, "writing")  # so that the plan below is not the one before
    link.finish_generation(task_id, PROGRAM)
    expect(screen.locator("#approve")).to_be_enabled()
    screen.locator("#approve").click()
    until(lambda: link.executed[-1][0] == task_id)
    link.finish_run(task_id, ("go_to", ["kitchen"], None), outcome="failed")
    test_page.phase(screen, "failed")
    album.take("16-failed")
    link.say(NodesSeen({**test_page.UP.states, "executor": "lost"}))
    run = InterruptedRun("t", "Bring the cup to Alice", PROGRAM, sha256(PROGRAM), 3, "go_to")
    link.say(InterruptedSeen((run,)))
    expect(screen.locator("#interrupted")).to_be_visible()
    expect(screen.locator("#banners")).to_contain_text("lost")
    album.take("17-runner-lost-and-a-run-interrupted")
    link.say(test_page.UP)
    link.say(InterruptedSeen(()))


def _replayed(screen: Page, album: Album) -> None:
    screen.locator("#runs button").first.click()
    replay = screen.frame_locator("#replay-frame")
    expect(replay.locator("#where")).to_contain_text("Robot:")
    expect(replay.locator("#calls li")).to_have_count(4)
    album.take("18-replay")
