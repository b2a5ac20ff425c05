"""The page in each language, and in each of its colours."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from chromium import chromium, expect_no_wider
from fake_link import ACCEPTED, REJECTED, FakeLink
from fastapi import FastAPI
from playwright.sync_api import Browser, Page, expect
from served_kiosk import served
from test_page import AXE, SIX_STEPS, UP, ask, phase
from waiting import until

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.phrase import LANGUAGES, messages
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.web.robot_link import NodesSeen, Question, StopAnswer

FOREIGN = [one for one in LANGUAGES if one != "en"]
LOCALES = {"de": "de-DE", "es": "es-ES", "en": "en-GB"}
ENGLISH = re.compile(
    r"\b(the|and|of|with|you|your|this|that|from|not|are|is|which|when|what|nothing|here|there|"
    r"program|written|approve|robot's)\b",
    re.IGNORECASE,
)
"""Words that stand in most English sentences, and in none of the other languages."""

READ = """() => [...document.querySelectorAll("body *")].flatMap(one => {
    const apart = one.closest("[lang=en], code, .code, script, style, .bubble");
    if (apart || !one.checkVisibility()) return [];
    const own = [...one.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim());
    const told = ["aria-label", "title", "placeholder"].map(name => one.getAttribute(name) ?? "");
    return [...own, ...told].filter(Boolean);
})"""
"""All that is shown or read aloud, but for what is marked as English: a task's own words."""

CUT = """() => [...document.querySelectorAll("button, .status")].filter(one => {
    if (!one.checkVisibility() || one.closest(".examples, .versions")) return false; // they scroll
    const own = one.getBoundingClientRect();
    const around = one.closest(".card, .asked, .bar, body").getBoundingClientRect();
    const outside = own.left < around.left - 1 || own.right > around.right + 1;
    return outside || one.scrollWidth > one.clientWidth + 1;
}).map(one => one.innerText)"""
"""Buttons and states whose words do not fit."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


Opened = Callable[[str], Page]


@pytest.fixture
def opened(app: FastAPI, link: FakeLink, browser: Browser) -> Iterator[Opened]:
    """The kiosk in a browser of that language."""
    with served(app) as port:

        def open_in(language: str) -> Page:
            page = browser.new_page(
                locale=LOCALES[language], viewport={"width": 1280, "height": 800}
            )
            page.goto(f"http://localhost:{port}")
            link.say(UP)
            expect(page.locator("#write")).to_be_enabled()
            return page

        yield open_in
        for context in browser.contexts:
            context.close()


def expect_no_english(page: Page) -> None:
    wrong = [text for text in page.evaluate(READ) if ENGLISH.search(text)]
    assert not wrong


def expect_words_fit(page: Page) -> None:
    for width, height in ((800, 480), (360, 740), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        expect_no_wider(page, width)
        assert page.evaluate(CUT) == []


SEEN = 'def task_program():\n    go_to("kitchen")\n    if is_in_room("cup"):\n        pick("cup")\n'


@pytest.mark.parametrize("language", FOREIGN)
def test_nothing_english_is_left_on_the_way_of_a_task(
    opened: Opened, link: FakeLink, language: str
) -> None:
    screen, words = opened(language), messages(language)
    expect(screen.locator("html")).to_have_attribute("lang", language)
    expect(screen.locator("#ask-english")).to_be_visible()
    expect_no_english(screen)

    link.judges = [ACCEPTED | {"assumptions": ["I take it that a cup is in the kitchen."]}]
    task_id = ask(screen, link)
    link.event(EventKind.TOKENS, task_id, draft=1, text=SEEN, tokens=9)
    expect(screen.locator("#plan li")).to_have_count(3)
    expect_no_english(screen)

    note = "The instruction names 'sugar', which the program never uses."
    link.tell_generation(task_id, confidence=0.6, agreed=[3, 5])
    link.finish_generation(task_id, SEEN, notes=(note,))
    phase(screen, "ready")
    steps = {"de": "Wenn „cup“ hier ist:", "es": "Si aquí hay «cup»:"}
    expect(screen.locator("#plan li").nth(1)).to_contain_text(steps[language])
    expect(screen.locator("#approve")).to_be_enabled()
    expect_no_english(screen)
    expect_words_fit(screen)

    screen.locator("#approve").click()
    link.event(EventKind.RUN_STARTED, task_id, instruction="x")
    link.event(EventKind.SKILL_STARTED, task_id, index=0, skill="go_to", arguments=["kitchen"],
               line=2)  # fmt: skip
    phase(screen, "running")
    expect(screen.locator("#run li")).to_have_count(1)
    link.event(EventKind.RUN_PAUSED, task_id, paused=True)
    phase(screen, "paused")
    expect_no_english(screen)
    link.say(Question("Ann", "Tea?", ("tea", "milk"), live=True))
    expect(screen.locator("#question")).to_be_visible()
    expect_no_english(screen)
    expect_words_fit(screen)
    link.say(Question())
    expect(screen.locator("#question")).to_be_hidden()

    screen.locator("#stop").click()
    until(lambda: link.stops)
    expect(screen.locator("#stop-word")).to_have_text(str(words["stop.sent"]))
    link.say(StopAnswer(True, 0.01, "stopped"))
    link.end_run(task_id, "cancelled", error_code=int(TaskErrorCode.STOPPED), error_msg="stopped")
    phase(screen, "cancelled")
    expect(screen.locator("#stop-word")).to_have_text(str(words["stop.done"]))
    expect_no_english(screen)
    expect_words_fit(screen)


@pytest.mark.parametrize("language", LANGUAGES)
def test_stop_is_whole_on_every_low_screen(opened: Opened, link: FakeLink, language: str) -> None:
    screen = opened(language)
    servers = ("perception", "speech", "nav2_skills", "moveit_skills")
    for states in (UP.states, UP.states | dict.fromkeys(servers, "up")):
        link.say(NodesSeen(states))
        expect(screen.locator("#nodes li")).to_have_count(len(states))
        for width, height in ((560, 300), (568, 320), (640, 400), (800, 480), (1024, 600)):
            screen.set_viewport_size({"width": width, "height": height})
            expect_no_wider(screen, width)
            expect(screen.locator("#stop")).to_be_in_viewport(ratio=1)
            box = screen.locator("#stop").bounding_box()
            assert box is not None and box["y"] < 5 and 88 <= box["height"] < 89


@pytest.mark.parametrize("language", FOREIGN)
def test_no_refusal_is_in_english(opened: Opened, link: FakeLink, language: str) -> None:
    screen = opened(language)
    task_id = ask(screen, link)

    def asked_again() -> str | None:
        """While the first request is under way the page does nothing with a second one."""
        screen.locator("#words").press("Enter")
        return screen.locator("#ask-error").text_content()

    until(asked_again)
    expect(screen.locator("#ask-error")).to_contain_text(str(messages(language)["error.BUSY"]))
    code = TaskErrorCode.NO_ACCEPTED_PROGRAM
    full = {"code": "hand_full", "line": 2, "message": "the hand is full", "counterexample": {
        "calls": [{"skill": "pick", "arguments": ["cup"], "line": 2, "result": None, "failed": ""}]
    }}  # fmt: skip
    wrong = REJECTED | {"violations": [full]}
    link.event(EventKind.DRAFT_VERIFIED, task_id, draft=1, source=SEEN, verdict=wrong)
    link.finish_generation(task_id, SEEN, verdict=REJECTED, code=code)
    phase(screen, "rejected")
    why = str(messages(language)["violation.hand_full"])
    expect(screen.locator("#said-words")).to_contain_text(why)
    expect_no_english(screen)
    expect_words_fit(screen)
    screen.locator("#said-choices button").click()
    expect(screen.locator("#story-words")).to_contain_text("cup")
    expect_no_english(screen)

    cannot = {"kind": "cannot", "words": "I cannot open the windows.", "choices": []}
    link.finish_generation(ask(screen, link), "", answer=cannot)
    phase(screen, "answered")
    expect(screen.locator("#said-words")).to_have_attribute("lang", "en")
    expect_no_english(screen)
    for name in ("MODEL_FAILED", "SKILL_FAILED"):
        task_id = ask(screen, link)
        failed = TaskErrorCode[name]
        link.finish_generation(task_id, SEEN, code=failed, error_msg="the thing is not what it was")
        expect(screen.locator("#run li").last).to_contain_text(
            str(messages(language)[f"error.{name}.text"])
        )
        expect_no_english(screen)


SAID = {
    "de": {
        "warning": "⚠ In manchem Fall wartet der Roboter womöglich endlos.",
        "later": "Später: sobald bekannt ist, was dort ist: Tee",
        "ahead": "Voraus: Zeile 3: „cup“ kann nicht abgelegt werden: die Hand ist leer",
        "call": "der Greifer hält schon „apple“",
        "own": "der Roboter konnte es nicht greifen",
        "why": "„pick“ ist misslungen: der Greifer hält schon „apple“ (Schritt 2)",
        "found": "„apple“ ist nicht in „kitchen“",
    },
    "es": {
        "warning": "⚠ En algún caso el robot puede quedarse esperando para siempre.",
        "later": "Después: cuando se sepa qué hay allí: Tee",
        "ahead": "Más adelante: línea 3: no se puede dejar «cup»: la mano está vacía",
        "call": "la pinza ya sostiene «apple»",
        "own": "el robot no pudo agarrarlo",
        "why": "falló «pick»: la pinza ya sostiene «apple» (paso 2)",
        "found": "«apple» no está en «kitchen»",
    },
}
"""What pages say where the stack has said it in English; `Tee` stands for what people wrote."""


@pytest.mark.parametrize("language", FOREIGN)
def test_nothing_english_is_left_of_a_run_that_fails(
    opened: Opened, link: FakeLink, language: str
) -> None:
    screen, said = opened(language), SAID[language]
    warned = ACCEPTED | {"warnings": ["In some world the robot may wait for ever."]}
    link.judges = [warned]
    task_id = ask(screen, link)
    link.finish_generation(
        task_id, SEEN, warned, now="Tee", deferred="When it is known what is there: Tee"
    )
    phase(screen, "ready")
    screen.locator("#code-fold").click()
    expect(screen.locator("#warnings")).to_have_text(said["warning"])
    expect(screen.locator("#rounds")).to_contain_text(said["later"])
    expect_no_english(screen)

    screen.locator("#approve").click()
    link.event(EventKind.RUN_STARTED, task_id, instruction="x")
    ahead = "cup cannot be put down: the hand is empty."
    link.event(
        EventKind.HAZARD_SEEN, task_id, line=3, code="hand_empty", message=ahead, reaction="pause"
    )
    link.event(EventKind.RUN_PAUSED, task_id, paused=True)
    expect(screen.locator("#notes")).to_contain_text(said["ahead"])
    made = [
        {"index": 0, "skill": "pick", "arguments": ["cup"], "line": 2, "result": None,
         "error_code": 201, "error_msg": "planner: no valid grasp (-31)"},
        {"index": 1, "skill": "pick", "arguments": ["cup"], "line": 3, "result": None,
         "error_code": 202, "error_msg": "the gripper already holds apple"},
    ]  # fmt: skip
    why = "pick failed: the gripper already holds apple (line 3)"
    link.end_run(task_id, "failed", made=made, error_code=220, error_msg=why)
    phase(screen, "failed")
    expect(screen.locator("#run")).to_contain_text(said["own"])
    expect(screen.locator("#run")).to_contain_text(said["call"])
    expect(screen.locator("#run")).to_contain_text(said["why"])
    expect_no_english(screen)
    expect_words_fit(screen)


@pytest.mark.parametrize("language", FOREIGN)
def test_nothing_english_is_left_between_two_rounds(
    opened: Opened, link: FakeLink, language: str
) -> None:
    screen, said = opened(language), SAID[language]
    left = "When it is known what is there: Tee"
    task_id = ask(screen, link)
    link.finish_generation(task_id, SEEN, now="Tee", deferred=left)
    phase(screen, "ready")
    screen.locator("#approve").click()
    until(lambda: link.executed)
    calls = (("go_to", ["kitchen"], None), ("is_in_room", ["apple"], False))
    link.finish_run(task_id, *calls)
    expect(screen.locator("#rounds summary")).to_be_visible()
    link.ask_first(task_id, "What should the robot do next?", "")
    if not screen.locator("#rounds details").get_attribute("open"):
        screen.locator("#rounds summary").click()
    expect(screen.locator("#rounds li").first).to_have_text(said["found"])
    expect_no_english(screen)


@pytest.mark.parametrize(("width", "height"), [(800, 480), (1024, 600), (360, 740)])
@pytest.mark.parametrize("language", FOREIGN)
def test_a_plan_is_seen_whole_with_approve_and_stop(
    opened: Opened, link: FakeLink, language: str, width: int, height: int
) -> None:
    screen = opened(language)
    screen.set_viewport_size({"width": width, "height": height})
    link.finish_generation(
        ask(screen, link, "Bring the cup. " * 8), SIX_STEPS, task="lib", version=1
    )
    expect(screen.locator("#approve")).to_be_enabled()
    rows, buttons = screen.locator("#plan li"), ("#approve", "#at-a-time", "#stop")
    for one in (rows.first, rows.last, *map(screen.locator, buttons)):
        expect(one).to_be_in_viewport(ratio=1)


def test_a_language_is_chosen_on_the_page_and_kept(opened: Opened, link: FakeLink) -> None:
    screen = opened("en")
    expect(screen.locator("#ask-english")).to_be_hidden()
    screen.locator("#words").fill("Go to the kitchen")
    screen.locator("#settings-open").click()
    screen.locator("#language").select_option("de")
    expect(screen.locator("html")).to_have_attribute("lang", "de")
    expect(screen.locator("#words")).to_have_value("Go to the kitchen")
    expect(screen.locator("#stop-word")).to_have_text("Stopp")
    screen.reload()
    expect(screen.locator("html")).to_have_attribute("lang", "de")


def test_what_was_just_told_again_is_the_last_to_be_forgotten(opened: Opened) -> None:
    told = """async () => {
        const { learn, isOwn } = await import("/static/words.js");
        const one = { key: "yes", values: {} };
        learn({ again: one });
        for (let n = 1; n < 1000; n++) learn({ [`sentence ${n}`]: one });
        learn({ again: one });
        learn({ last: one });
        return [isOwn("again"), isOwn("sentence 1"), isOwn("last")];
    }"""
    assert opened("de").evaluate(told) == [True, False, True]


def test_numbers_are_written_as_people_there_write_them(opened: Opened, link: FakeLink) -> None:
    screen = opened("de")
    link.judges = [ACCEPTED | {"paths": 1234}]
    link.finish_generation(ask(screen, link))
    expect(screen.locator("#verdict-facts")).to_contain_text("1.234 Fälle")
    expect(screen.locator("#verdict-facts")).to_contain_text("2,0 ms")


HINTS = """() => [...document.querySelectorAll("[placeholder]")].filter((one) => {
    const { color, opacity } = getComputedStyle(one, "::placeholder");
    return color !== getComputedStyle(document.querySelector("h2")).color || opacity !== "1";
}).map((one) => one.outerHTML)"""
"""Hints in text fields that are not as strong as a title, which axe does not look at."""


def faint(screen: Page) -> list[str]:
    """What has less contrast than 7:1 (WCAG AAA), by axe."""
    screen.evaluate(AXE.read_text())
    rule = "() => axe.run({runOnly: {type: 'rule', values: ['color-contrast-enhanced']}})"
    found = screen.evaluate(rule)["violations"]
    return [node["html"] for one in found for node in one["nodes"]] + screen.evaluate(HINTS)


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("asked_by", ["page", "device"])
def test_high_contrast_is_seven_to_one(
    opened: Opened, link: FakeLink, colours: str, asked_by: str
) -> None:
    screen = opened("en")
    screen.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
    if asked_by == "device":
        screen.emulate_media(color_scheme=colours, contrast="more")  # type: ignore[arg-type]
        expect(screen.locator("html")).to_have_class(re.compile("more-contrast"))
    else:
        screen.locator("#settings-open").click()
        screen.locator("#theme").select_option("contrast")
        assert not faint(screen)
        screen.reload()
        expect(screen.locator("html")).to_have_attribute("data-theme", "contrast")
    link.say(UP)
    expect(screen.locator("#write")).to_be_enabled()
    assert not faint(screen)
    task_id = ask(screen, link)
    link.finish_generation(task_id, SEEN, notes=("The program uses 'study'.",))
    expect(screen.locator("#approve")).to_be_enabled()
    assert not faint(screen)
    screen.locator("#approve").click()
    phase(screen, "running")
    link.say(Question("Ann", "Tea?", ("tea", "milk"), live=True))
    expect(screen.locator("#question")).to_be_visible()
    assert not faint(screen)
    link.say(Question())
    link.finish_run(task_id)
    phase(screen, "succeeded")
    assert not faint(screen)
    code = TaskErrorCode.NO_ACCEPTED_PROGRAM
    link.finish_generation(ask(screen, link), verdict=REJECTED, code=code)
    phase(screen, "rejected")
    assert not faint(screen)


def test_forced_colours_leave_nothing_without_an_edge(opened: Opened, link: FakeLink) -> None:
    screen = opened("en")
    screen.emulate_media(forced_colors="active")
    for name in ("#stop", "#write"):
        width = screen.locator(name).evaluate("one => getComputedStyle(one).borderTopWidth")
        assert width == "1px"
