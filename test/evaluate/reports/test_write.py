"""The reports of a folder: for machines as JSON and JUnit XML, for people as a page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from chromium import chromium, expect_no_wider
from made_up import folder_of, record
from made_up import records as made_up
from playwright.sync_api import Browser, Page, expect

from roboinstruct_ros.evaluate.figures.comparison import compared
from roboinstruct_ros.evaluate.reports.page import comparison_page
from roboinstruct_ros.evaluate.reports.write import write_reports
from roboinstruct_ros.evaluate.runs.folder import FolderError
from roboinstruct_ros.evaluate.runs.record import WorldRecord
from roboinstruct_ros.evaluate.suite.judge import Outcome

WRONG = record(
    "fetch-cup",
    2,
    1,
    outcome=Outcome.WRONG,
    text="Fetch a <b>cup</b> & go.",
    program="go_to('a\x00b')\n",
    why="it waits </script>",
    worlds=(WorldRecord(world="no cup", why="it waits", goals=(1, 2), calls=("go_to hall",)),),
    seconds=1.25,
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(params=["light", "dark"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    wanted: list[str] = []
    screen = {"width": 1024, "height": 768}
    page = browser.new_page(viewport=screen, offline=True, color_scheme=request.param)
    page.on("request", lambda one: wanted.append(one.url))
    yield page
    page.close()
    assert all(url.startswith("file:") for url in wanted) and len(wanted) == 1


def test_the_same_records_give_the_same_reports(tmp_path: Path) -> None:
    records = made_up(1)
    folders = [folder_of(tmp_path / name, records) for name in "ab"]
    for folder in folders:
        write_reports(folder)
    for name in ("report.json", "report.html", "junit.xml"):
        one, other = ((folder / name).read_bytes() for folder in folders)
        assert one == other and one


def test_json_has_what_was_asked_and_every_figure(tmp_path: Path) -> None:
    write_reports(folder_of(tmp_path, [record("a"), WRONG], items=5))
    told = json.loads((tmp_path / "report.json").read_text())
    assert told["asked"]["suite"] == "service" and told["missing"] == 3
    figures = told["figures"]
    assert figures["pass_at"]["1"]["value"] == 0.5
    assert figures["rows"][0]["outcomes"]["wrong"] == {**figures["wrong_unnoted"]}
    assert figures["seconds"]["p95"] == 1.25


def test_junit_has_a_case_for_each_item_and_failures_say_why(tmp_path: Path) -> None:
    write_reports(folder_of(tmp_path, [record("a"), WRONG]))
    suite = ElementTree.parse(tmp_path / "junit.xml").getroot()
    assert [suite.get(name) for name in ("name", "tests", "failures")] == ["service", "2", "1"]
    right, wrong = suite
    assert len(right) == 0
    assert (wrong.get("classname"), wrong.get("time")) == ("fetching.fetch-cup", "1.250")
    assert wrong.get("name") == "2.1 Fetch a <b>cup</b> & go."
    assert wrong[0].get("message") == "wrong, no note: it waits </script>"
    assert wrong[0].text == "go_to('a\ufffdb')\n"


def test_the_page_opens_alone_and_shows_figures_pictures_and_items(
    page: Page, tmp_path: Path
) -> None:
    write_reports(folder_of(tmp_path, [*made_up(1), WRONG], items=310))
    page.goto((tmp_path / "report.html").as_uri())
    expect_no_wider(page, 1024)
    expect(page.locator("h1")).to_have_text("service: made-up.gguf")
    expect(page.get_by_text("9 items are still to be done.")).to_be_visible()
    expect(page.locator("figure svg")).to_have_count(5)
    item = page.locator("details", has_text="Fetch a <b>cup</b> & go.")
    item.locator("summary").click()
    expect(item).to_contain_text("go_to('a")
    expect(item).to_contain_text("no cup: it waits (1 of 2 goals)")
    assert page.locator("script").count() == 0
    for text in page.locator("svg text").all():
        box = text.evaluate("one => [one.getBBox().x, one.getBBox().x + one.getBBox().width]")
        wide = text.evaluate("one => one.ownerSVGElement.viewBox.baseVal.width")
        moved = text.get_attribute("transform")
        assert moved or (box[0] >= -1 and box[1] <= wide + 1), text.text_content()


def test_the_page_of_a_few_records_has_nothing_to_draw_that_is_not_there(tmp_path: Path) -> None:
    write_reports(folder_of(tmp_path, [record("a")]))
    assert (tmp_path / "report.html").read_text().count("<svg") == 2


def test_two_evaluations_stand_beside_each_other(page: Page, tmp_path: Path) -> None:
    a, b = made_up(1), made_up(2, skill=0.9)[3:]
    path = tmp_path / "comparison.html"
    path.write_text(comparison_page(("old", "new"), compared(a, b)), encoding="utf-8")
    page.goto(path.as_uri())
    expect_no_wider(page, 1024)
    expect(page.locator("h1")).to_contain_text("B is better by")
    expect(page.get_by_text("Not compared: 3 items only in A")).to_be_visible()
    first = page.locator("details").first
    expect(first).to_contain_text('pick("cup")')
    expect(first).to_contain_text('pick("<b>mug</b>")')
    expect(first.locator("del").first).to_contain_text('is_in_room("cup")')


def test_a_folder_without_records_is_said_to_be_one(tmp_path: Path) -> None:
    for folder in (tmp_path / "none", folder_of(tmp_path / "empty", [])):
        with pytest.raises(FolderError, match=r"records\.jsonl"):
            write_reports(folder)
