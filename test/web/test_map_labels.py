"""Names on the map: none over another, the robot or the edge; inside the walls where they fit."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
import test_page
from chromium import chromium
from fake_link import FakeLink
from playwright.sync_api import Browser, Page, expect

from roboinstruct_ros.domain.files.world_names import find_world, shipped_worlds
from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap, load_semantic_map
from roboinstruct_ros.web.robot_link import RobotPose, Thing, WorldSeen

screen = test_page.screen

FAULTS = """() => {
    const box = (one) => one.getBoundingClientRect();
    const covers = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const names = [...document.querySelectorAll("#map svg text")].filter((one) => one.textContent);
    const edge = box(document.querySelector("#map svg"));
    const robot = box(document.querySelector("#map .robot-body"));
    return names.flatMap((one, i) => {
        const { left, top, right, bottom } = box(one);
        const out = left < edge.left - 1 || top < edge.top - 1 || right > edge.right + 1 || bottom > edge.bottom + 1;
        const over = names.slice(i + 1).filter((other) => covers(box(one), box(other)));
        return [...(out ? [`${one.textContent} is cut`] : []), ...(covers(box(one), robot) ? [`${one.textContent} on the robot`] : []),
            ...over.map((other) => `${one.textContent} on ${other.textContent}`)];
    });
}"""  # noqa: E501
"""What no name on a map may do."""

ACROSS = """() => {
    const walls = [...document.querySelectorAll("#map .room")];
    const point = (x, y) => Object.assign(document.querySelector("#map svg").createSVGPoint(), { x, y });
    return [...document.querySelectorAll("#map svg text")].filter((one) => one.textContent).filter((one) => {
        const { x, y, width, height } = one.getBBox();
        const corners = [point(x, y), point(x + width, y), point(x, y + height), point(x + width, y + height)];
        return !walls.some((wall) => corners.every((corner) => wall.isPointInFill(corner)));
    }).map((one) => one.textContent);
}"""  # noqa: E501
"""Names that are not wholly in one room."""

ON_DOTS = """() => {
    const box = (one) => one.getBoundingClientRect();
    const dots = [...document.querySelectorAll("#map .object")];
    return [...document.querySelectorAll("#map .object-name")].filter((name) => dots.some((dot) => {
        const [a, b] = [box(name), box(dot)];
        const [x, y] = [(b.left + b.right) / 2, (b.top + b.bottom) / 2];
        return a.left < x && x < a.right && a.top < y && y < a.bottom;
    })).map((one) => one.textContent);
}"""
"""Names of things that stand on the dot of one."""

SIZES = {"800x480": (800, 480), "1024x600": (1024, 600), "360x740": (360, 740)}
LONG = (
    "Grandma",
    "Ms. Featherstonehaugh",
    "山田さん太郎の赤いコップ",
    "a" * 40,
    "tool box " * 4 + "tool",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def crowd(rooms: SemanticMap, seed: int) -> WorldSeen:
    """People and things with long names, most of them in one room."""
    chance = random.Random(seed)

    def somewhere(room: Room) -> tuple[float, float]:
        xs, ys = zip(*room.polygon, strict=True)
        return chance.uniform(min(xs), max(xs)), chance.uniform(min(ys), max(ys))

    full = chance.choice(rooms.rooms)
    people = tuple(Thing(name, *somewhere(chance.choice(rooms.rooms))) for name in LONG)
    things = [Thing(f"{chance.choice(LONG)} {number}", *somewhere(full)) for number in range(12)]
    return WorldSeen(objects=tuple(things), people=people, held=chance.choice(LONG))


def settled(screen: Page) -> None:
    """Two frames: sizes are measured in the first, and drawn in the second."""
    screen.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("world", shipped_worlds())
def test_no_name_covers_another_or_the_robot_on_a_shipped_map(
    screen: Page, link: FakeLink, maps: list[SemanticMap], world: str, size: str
) -> None:
    rooms = load_semantic_map(find_world(world))
    maps.append(rooms)
    width, height = SIZES[size]
    screen.set_viewport_size({"width": width, "height": height})
    link.say(RobotPose(rooms.rooms[0].pose.x, rooms.rooms[0].pose.y, 0.0))
    named = " ".join(f'pick("{name}")' for name in LONG[:2])
    link.finish_generation(test_page.ask(screen, link), f"def task_program():\n    {named}\n")
    expect(screen.locator("#map .room")).to_have_count(len(rooms.rooms))
    for seed, room in enumerate(rooms.rooms):
        link.say(crowd(rooms, seed))
        link.say(RobotPose(room.pose.x, room.pose.y, 0.3 * seed))
        expect(screen.locator("#where")).to_have_text(f"Robot: {room.name}")
        settled(screen)
        assert screen.evaluate(FAULTS) == [], room.name
        assert screen.locator("#map .room-name").count() > 0


@pytest.mark.parametrize("world", shipped_worlds())
def test_names_of_rooms_stand_inside_their_walls(
    screen: Page, link: FakeLink, maps: list[SemanticMap], world: str
) -> None:
    rooms = load_semantic_map(find_world(world))
    maps.append(rooms)
    link.say(RobotPose(rooms.rooms[0].pose.x, rooms.rooms[0].pose.y, 0.0))
    test_page.ask(screen, link)
    expect(screen.locator("#map .room")).to_have_count(len(rooms.rooms))
    settled(screen)
    # Where it has no place inside, only the room with the robot has its name.
    assert set(screen.evaluate(ACROSS)) <= {rooms.rooms[0].name}
    assert screen.locator("#map .room-name").count() >= len(rooms.rooms) // 2


def test_people_have_names_on_a_small_map_too_where_their_rooms_have_the_space(
    screen: Page, link: FakeLink, maps: list[SemanticMap]
) -> None:
    rooms = load_semantic_map(find_world("lab"))
    maps.append(rooms)
    there = ("chemistry lab", "robotics lab", "clean room")
    poses = [next(room.pose for room in rooms.rooms if room.name == name) for name in there]
    people = tuple(Thing(name, at.x, at.y) for name, at in zip("ABC", poses, strict=True))
    link.say(WorldSeen(people=people))
    link.say(RobotPose(rooms.rooms[0].pose.x, rooms.rooms[0].pose.y, 0.0))
    screen.reload()
    expect(screen.locator("#map .person-name")).to_have_text(["A", "B", "C"])
    settled(screen)
    assert screen.evaluate(FAULTS) == []


def test_no_name_of_a_thing_stands_on_the_dot_of_another(
    screen: Page, link: FakeLink, maps: list[SemanticMap]
) -> None:
    outline = ((0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0))
    maps.append(SemanticMap((Room("hall", (), Pose(2.0, 1.0, 0.0), outline),)))
    lone = Thing("saucepan", 0.5, 2.8)
    near = [
        Thing("a box of matches", 2.0 + 0.12 * x, 0.4 + 0.12 * y)
        for x in range(5)
        for y in range(5)
    ]
    link.say(WorldSeen(objects=(lone, *near)))
    link.say(RobotPose(3.5, 2.5, 0.0))
    screen.reload()
    expect(screen.locator("#map .object")).to_have_count(26)
    expect(screen.locator("#map .object-name")).to_contain_text(["saucepan"])
    settled(screen)
    assert screen.evaluate(ON_DOTS) == []


def test_names_make_way_for_the_robot_and_come_back(
    screen: Page, link: FakeLink, maps: list[SemanticMap]
) -> None:
    outline = ((0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0))
    maps.append(SemanticMap((Room("hall", (), Pose(2.0, 1.0, 0.0), outline),)))
    link.say(RobotPose(2.0, 0.6, 0.0))
    test_page.ask(screen, link)
    name = screen.locator("#map .room-name")
    expect(name).to_have_text(["hall"])
    settled(screen)
    before = name.locator("tspan").get_attribute("x")
    assert before
    link.say(RobotPose(0.4, 2.7, 0.0))
    expect(name.locator("tspan")).not_to_have_attribute("x", before)
    assert screen.evaluate(FAULTS) == []
    link.say(RobotPose(2.0, 0.6, 0.0))
    expect(name.locator("tspan")).to_have_attribute("x", before)


def test_a_touch_shows_the_name_that_had_no_place(
    screen: Page, link: FakeLink, maps: list[SemanticMap]
) -> None:
    narrow = [((x, 0.0), (x + 1.0, 0.0), (x + 1.0, 9.0), (x, 9.0)) for x in range(12)]
    rooms = [
        Room(f"pneumology {n}", (), Pose(shape[0][0] + 0.5, 4.0, 0.0), shape)
        for n, shape in enumerate(narrow)
    ]
    maps.append(SemanticMap(tuple(rooms)))
    screen.set_viewport_size({"width": 360, "height": 740})
    link.say(RobotPose(0.5, 4.0, 0.0))
    test_page.ask(screen, link)
    expect(screen.locator("#map .room")).to_have_count(12)
    expect(screen.locator("#map .room-name")).to_have_text(["pneumology 0"])
    screen.locator("#map .room").nth(7).click()
    expect(screen.locator("#map .room-name")).to_contain_text(["pneumology 7"])
    settled(screen)
    assert screen.evaluate(FAULTS) == []
    assert screen.locator("#map .room title").nth(3).text_content() == "pneumology 3"
