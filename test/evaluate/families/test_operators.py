"""What each operator makes of a task; whether it goes together is told by the check."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import chain
from typing import Any

import pytest

from roboinstruct_ros.evaluate.families import elsewhere, stages, words
from roboinstruct_ros.evaluate.families.grow import OPERATORS, Families, grow
from roboinstruct_ros.evaluate.families.task import Task, Variant
from roboinstruct_ros.evaluate.suite.case import Place

PLACE = Place.of_names(
    {"hall": (), "pantry": ("larder",), "study": (), "attic": (), "Bob's office": ()},
    "hall",
    people=("Bob", "Mia"),
)
TASK: Task = {
    "name": "mug-for-bob",
    "kind": "fetching",
    "place": "flat",
    "phrasings": [
        "Bring the mug from the pantry to the study and come back.",
        "Mugs are in the larder. Take one to the study, then go back to where you started.",
        "Put a mug from the pantry in the study",
    ],
    "program": 'began = get_current_location()\ngo_to("pantry")\npick("mug")\ngo_to("study")\n'
    'place("mug")\ngo_to(began)\n',
    "conditions": [{"at_end": "robot_at(start)"}, {"never": 'go_to("attic")'}],
    "worlds": [
        {
            "name": "one mug",
            "objects": {"pantry": ["mug|cup", "plate@2"]},
            "people": {"Bob": "study"},
            "answers": {"Bob": ["yes"]},
            "goals": ['in_room("mug", "study")'],
        }
    ],
}


def of(operator: Any, task: Task = TASK) -> list[Variant]:
    return list(operator(task, PLACE, random.Random(1)))


def said(variant: Variant) -> list[str]:
    return list(variant.task["phrasings"])


def test_another_thing_is_another_thing_everywhere() -> None:
    variants = [one for one in of(words.other_thing) if one.arguments["to"] == "umbrella"]
    assert [one.arguments["from"] for one in variants] == ["mug"]  # nobody speaks of a plate
    task = variants[0].task
    assert task["phrasings"] == [
        "Bring the umbrella from the pantry to the study and come back.",
        "Umbrellas are in the larder. Take one to the study, then go back to where you started.",
        "Put an umbrella from the pantry in the study",
    ]
    assert 'pick("umbrella")' in task["program"] and "mug" not in str(task["worlds"])
    assert task["worlds"][0]["goals"] == ['in_room("umbrella", "study")']


def test_a_thing_that_is_called_otherwise_somewhere_is_left_alone() -> None:
    task = {**TASK, "conditions": [{"never": 'holding("*tall mug*")'}]}
    assert all('"*tall umbrella*"' in str(one.task) for one in of(words.other_thing, task)
               if one.arguments["to"] == "umbrella")  # fmt: skip
    pot = {**TASK, "worlds": [{"name": "a", "objects": {"pantry": ["mug|coffee mug"]}}]}
    pot["conditions"] = [{"never": 'say("~coffee")'}]
    assert not of(words.other_thing, pot)


def test_another_room_keeps_only_phrasings_that_name_it_as_one() -> None:
    variants = of(words.other_room)
    assert {(one.arguments["from"], one.arguments["to"]) for one in variants} >= {
        ("pantry", "hall"),
        ("study", "hall"),
    }
    pantry = next(one for one in variants if one.arguments["from"] == "pantry")
    assert len(said(pantry)) == 3 and "larder" not in str(pantry.task)
    others = {one.arguments["to"] for one in variants}
    assert "attic" not in others  # it is named already
    assert "Bob's office" not in others  # which would need other words around it


def test_another_person_answers_in_the_place_of_the_first() -> None:
    (variant,) = of(words.other_person, {**TASK, "phrasings": ["Ask Bob in the study."]})
    assert said(variant) == ["Ask Mia in the study."]
    assert variant.task["worlds"][0]["answers"] == {"Mia": ["yes"]}


@pytest.mark.parametrize(
    ("text", "new", "told"),
    [
        ("two mugs and a mug", "torch", "two torches and a torch"),
        ("An mug, or Mugs", "battery", "A battery, or Batteries"),
        ("the mugger's smug mug", "vase", "the mugger's smug vase"),
    ],
)
def test_a_new_name_has_its_own_plural_and_article(text: str, new: str, told: str) -> None:
    assert words.replaced(text, ("mug",), new) == told


def test_words_that_would_not_fit_the_new_name_go() -> None:
    ways = ["Ask Bob in the study.", "Ask Bob in the study if he is well."]
    (variant,) = of(words.other_person, {**TASK, "phrasings": ways})
    assert len(said(variant)) == 1
    many = {
        **TASK,
        "phrasings": ["Bring the shears, they are in the hall."],
        "program": 'pick("shears")',
        "worlds": [{"name": "a", "objects": {"hall": ["shears"]}}],
    }
    assert {one.arguments["to"][-1] for one in of(words.other_thing, many)} == {"s"}


@pytest.mark.parametrize(
    ("way", "told"),
    [
        ("asked", "Could you please bring the mug from the pantry to the study and come back?"),
        ("heard", "bring the mug from the pantry to the study and come back"),
        ("thanked", "Bring the mug from the pantry to the study and come back. Thanks a lot!"),
    ],
)
def test_other_words_leave_the_task_as_it_is(way: str, told: str) -> None:
    variant = next(one for one in of(words.other_words) if one.arguments == {"way": way})
    assert said(variant)[0] == told
    assert {**variant.task, "phrasings": 0} == {**TASK, "phrasings": 0}


def test_a_slip_of_the_finger_leaves_every_letter() -> None:
    variant = next(one for one in of(words.other_words) if one.arguments == {"way": "mistyped"})
    kept = TASK["phrasings"][::2]  # the other one has no long word without a capital or a dot
    for new, old in zip(said(variant), kept, strict=True):
        assert new != old and sorted(new) == sorted(old)


EMPTY = {"name": "none", "answers": {"Bob": ["no", "maybe"]}, "goals": ['holding("*")']}
FAILING = {**EMPTY, "name": "fails", "fails": [{"skill": "pick", "code": "grasp_failed"}]}
WORLDS = [*TASK["worlds"], EMPTY, FAILING]


def worlds_of(name: str, right: Any = lambda _: True) -> list[Variant]:
    chance = random.Random(1)
    task = {**TASK, "worlds": WORLDS}
    return list(elsewhere.other_worlds(elsewhere.CHANGES[name], task, PLACE, chance, right))


@pytest.mark.parametrize("name", sorted(elsewhere.CHANGES))
def test_other_worlds_leave_words_program_and_conditions(name: str) -> None:
    (variant,) = worlds_of(name)
    assert {**variant.task, "worlds": 0} == {**TASK, "worlds": 0}
    kept = [world for world in variant.task["worlds"] if world in WORLDS]
    assert len(kept) + len(variant.arguments["worlds"]) == len(WORLDS)
    assert all(world["name"].endswith(", changed") for world in variant.task["worlds"]
               if world not in kept)  # fmt: skip


def test_a_world_stays_as_it_is_where_no_change_is_right() -> None:
    assert not worlds_of("other-start", lambda _: False)
    (variant,) = worlds_of("other-start", lambda task: task["worlds"][0]["name"] == "none")
    assert variant.arguments == {"worlds": ["none"]}
    assert [one["name"] for one in variant.task["worlds"]] == ["one mug", "none, changed", "fails"]


def test_a_thing_elsewhere_is_still_there_once() -> None:
    moved = elsewhere.things_elsewhere(WORLDS[0], {"worlds": []}, PLACE, random.Random(1))
    for world in moved:
        objects: Mapping[str, list[str]] = world["objects"]
        assert sorted(chain.from_iterable(objects.values())) == ["mug|cup", "plate@2"]


def test_facts_of_another_world_come_with_its_outcome_too() -> None:
    task = {"worlds": WORLDS[:2]}
    mine, theirs, *_ = elsewhere.other_answers(WORLDS[0], task, PLACE, random.Random(1))
    assert mine["answers"] == theirs["answers"] == {"Bob": ["no", "maybe"]}
    assert mine["goals"] == WORLDS[0]["goals"] and theirs["goals"] == EMPTY["goals"]
    assert mine["objects"] == theirs["objects"] == WORLDS[0]["objects"]


def test_a_stage_more_is_asked_for_done_and_checked() -> None:
    (variant,) = of(stages.say_done)
    more = "When all of it is done, say that you are finished."
    assert said(variant)[2] == f"Put a mug from the pantry in the study. {more}"
    assert variant.task["program"].splitlines()[-1] == '    say("I am finished")'
    assert variant.task["conditions"][-1] == {"says": "finish|done|complete"}


def test_a_stage_more_comes_also_where_the_reference_returns_early() -> None:
    task = {
        **TASK,
        "program": 'if is_in_room("mug"):\n    return\ngo_to("study")\n',
        "conditions": [],
    }
    (variant,) = of(stages.come_back, task)
    lines = variant.task["program"].splitlines()
    assert lines[1:3] == ["    began_in = get_current_location()", "    def errand():"]
    assert lines[-2:] == ["    errand()", "    go_to(began_in)"]
    compile(variant.task["program"], "x", "exec")


def test_a_room_on_the_way_comes_after_the_reading_of_the_start() -> None:
    rooms = {one.arguments["room"]: one for one in of(stages.stop_by)}
    assert set(rooms) == {"hall"}  # the others are named, or named after somebody
    lines = rooms["hall"].task["program"].splitlines()
    assert lines[1:3] == ["    began = get_current_location()", "    go_to('hall')"]


def test_a_stage_less_takes_words_and_calls_away() -> None:
    (variant,) = of(stages.stay_there)
    assert said(variant) == [
        "Bring the mug from the pantry to the study.",
        "Mugs are in the larder. Take one to the study.",
    ]
    assert "go_to(began)" not in variant.task["program"]
    assert variant.task["conditions"] == [{"never": 'go_to("attic")'}]


def test_what_fails_once_is_tried_again() -> None:
    (variant,) = of(stages.try_again)
    assert variant.task["worlds"][0]["fails"][0]["skill"] == "pick"
    assert (
        "    try:\n        pick('mug')\n    except SkillError:\n        pick('mug')"
        in (variant.task["program"])
    )


def test_conditions_are_tightened_by_what_the_reference_keeps() -> None:
    (few,) = of(stages.few_drives)
    assert few.arguments == {"drives": 3}
    assert few.task["conditions"][-1] == {"at_most": 3, "of": "go_to(...)"}
    (silent,) = of(stages.silent)
    assert silent.task["conditions"][-1] == {"never": "say(...)"}
    assert not of(stages.few_drives, {**TASK, "program": 'for _ in "ab":\n    go_to("study")\n'})
    assert not of(stages.ask_once)


def test_conditions_are_loosened_in_words_and_in_fact() -> None:
    (variant,) = of(stages.any_end)
    assert variant.task["conditions"] == [{"never": 'go_to("attic")'}]
    assert not of(stages.any_order)


def all_of(seed: int = 1, each: int = 2, depth: int = 2, refuse: str = "") -> Families:
    class Judge:
        def __call__(self, task: Task) -> str:
            return "refused" if refuse and task["name"].endswith(refuse) else ""

        def is_right(self, task: Task) -> bool:
            return True

    return grow({"mug-for-bob": (TASK, PLACE)}, Judge(), each, depth, seed)


def test_a_family_has_every_kind_of_change_and_a_second_generation() -> None:
    families = all_of()
    steps = families.lineage.steps
    assert len(steps) == 6 + 36 and len(families.tasks) == 1 + len(steps)
    grandchild = steps[-1]
    path = families.lineage.path(grandchild.task)
    assert [one.parent for one in path] == ["mug-for-bob", path[0].task]
    assert families.lineage.root(grandchild.task) == "mug-for-bob"
    assert len({task["name"] for task in families.tasks}) == len(families.tasks)


def test_the_same_seed_grows_the_same_families() -> None:
    assert all_of().tasks == all_of().tasks != all_of(seed=2).tasks


def test_what_is_not_admitted_is_counted_and_not_there() -> None:
    families = all_of(each=13, depth=1, refuse="silent")
    assert families.refused[("silent", "refused")] == 1
    assert not [one for one in families.tasks if one["name"].endswith("silent")]
    assert {one.operator for one in families.lineage.steps} <= {
        name for operators in OPERATORS.values() for name in operators
    }
