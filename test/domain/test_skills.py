"""Domain files: what is shipped is read, what is wrong is named with its line."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.files.world_names import find_domain
from roboinstruct_ros.domain.skills import load_domain

SMALL = """\
name: small
entity_types: [gripper]
predicates:
  - {name: robot_at, arguments: [location], single: true, when_true: at, when_false: not at}
quantities:
  - {name: angle, arguments: [gripper], from: -pi/6, to: 1}
timelines: [day]
skills:
  - name: go
    parameters:
      - {name: where, type: location}
    effects:
      - {literal: robot_at(where), becomes: true}
  - name: turn
    parameters:
      - {name: hand, type: gripper}
      - {name: by, type: number}
    adds:
      - {quantity: angle(hand), amount: by, message: "no {hand} by {by}"}
  - name: book
    parameters:
      - {name: what, type: object}
      - {name: start, type: time}
      - {name: length, type: duration}
    books:
      - {timeline: day, what: what, start: start, duration: length, message: "{other}"}
"""


def fault_of(tmp_path: Path, text: str) -> str:
    path = tmp_path / "domain.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as fault:
        load_domain(path)
    return str(fault.value).removeprefix(f"{path}:")


GREENHOUSE = """\
name: greenhouse
entity_types: [valve, plant]
entities: {valve: [north valve, south valve]}
predicates:
  - {name: is_open, arguments: [valve], when_true: open, when_false: shut}
  - {name: dry, arguments: [plant], when_true: dry, when_false: wet}
quantities:
  - {name: poured, arguments: [valve], from: 0, to: 20}
skills:
  - name: water
    parameters:
      - {name: plant, type: plant}
      - {name: valve, type: valve}
      - {name: litres, type: number}
    effects:
      - {literal: dry(plant), becomes: false}
    adds:
      - {quantity: poured(valve), amount: litres, message: "no"}
simulation:
  holds:
    - dry(basil)
    - is_open(the North valve)
  quantities:
    poured(north valve): 3
"""


@pytest.mark.parametrize("name", ["service_robot", "arm", "calendar"])
def test_the_shipped_domains_are_read(name: str) -> None:
    assert load_domain(find_domain(name)).skills


def test_the_service_robot_has_the_eight_skills() -> None:
    assert set(load_domain().skill_names) == {
        "get_current_location", "get_all_rooms", "is_in_room", "go_to", "ask", "say", "pick",
        "place",
    }  # fmt: skip


def test_a_bound_may_be_a_part_of_pi(tmp_path: Path) -> None:
    path = tmp_path / "domain.yaml"
    path.write_text(SMALL)
    quantity = load_domain(path).quantity("angle")
    assert (quantity.low, quantity.high) == (-math.pi / 6, 1.0)


@pytest.mark.parametrize(
    ("right", "wrong", "line", "words"),
    [
        ("type: location}", "type: loction}", 11, "did you mean 'location'?"),
        ("literal: robot_at(where)", "literal: robot_in(where)", 13, "did you mean 'robot_at'?"),
        (
            "literal: robot_at(where)",
            "literal: robot_at(place)",
            13,
            "no parameter or word 'place'",
        ),
        ("literal: robot_at(where)", "literal: robot_at where", 13, "is not a literal"),
        ("literal: robot_at(where)", "literal: 'robot_at(where, here)'", 13, "takes 1 arguments"),
        ("arguments: [location], single", "arguments: [place], single", 4, "entity type 'place'"),
        ("quantity: angle(hand)", "quantity: angel(hand)", 19, "did you mean 'angle'?"),
        ("amount: by", "amount: hand", 19, "parameter of type number 'hand'"),
        ("no {hand} by {by}", "no {hnd}", 19, "nothing fills {hnd}"),
        ("no {hand} by {by}", "no {hand", 19, "the braces do not match"),
        ("when_true: at", "when_true: 'at {1}'", 4, "when_true: nothing fills {1}; known are 0"),
        ("when_false: not at", "when_false: 'not {0'", 4, "when_false: the braces do not match"),
        ("no {hand} by {by}", "{hand:d}", 19, "the braces do not match"),
        ("no {hand} by {by}", "{here}", 19, "nothing fills {here}; known are hand, by, now"),
        ("{name: by,", "{name: now,", 17, "'now' has another meaning in a skill"),
        ("{name: where,", "{name: here,", 11, "'here' has another meaning in a skill"),
        (
            "    effects:",
            "    advice: [{literal: robot_at(where), is: true, message: '{whre}'}]\n    effects:",
            12,
            "advice[0].message: nothing fills {whre}; known are where",
        ),
        (
            "timelines:",
            "entities: {gripper: []}\ntimelines:",
            7,
            "entities.gripper: expected at least 1",
        ),
        ("timeline: day", "timeline: dya", 26, "did you mean 'day'?"),
        ("duration: length", "duration: start", 26, "parameter of type duration 'start'"),
        ("name: turn", "name: go", 14, "'go' is given twice"),
        ("name: turn", "name: turn-by", 14, "skills[1].name: 'turn-by' is no name for a function"),
        ("name: turn", "name: größe", 14, "use letters, digits and _"),
        ("name: turn", "name: for", 14, "'for' has another meaning in a program"),
        ("name: turn", "name: print", 14, "'print' has another meaning"),
        ("name: turn", "name: time", 14, "'time' has another meaning"),
        ("name: turn", "name: task_program", 14, "'task_program' has another meaning"),
        ("{name: by,", "{name: the angle,", 17, "parameters[1].name: 'the angle' is no name"),
        ("{name: by,", "{name: is,", 17, "'is' is no name for a parameter"),
        ("{name: by,", "{name: hand,", 17, "parameters[1].name: 'hand' is given twice"),
        ("becomes: true", "becomes: yes", 13, "becomes"),
        ("    effects:", "    effect:", 12, "did you mean 'effects'?"),
        (
            "    parameters:\n      - {name: where",
            "    returns: one_of_options\n    parameters:\n      - {name: where",
            10,
            "returns: one_of_options needs one parameter of the type 'options', not 0",
        ),
        ("from: -pi/6", "from: minus pi", 6, "expected a number"),
        ("from: -pi/6", "from: pi/0", 6, "expected a number, got 'pi/0'"),
        (
            "timelines:",
            "  - {name: angle, arguments: [object], from: 0, to: 9}\ntimelines:",
            7,
            "'angle' is given twice",
        ),
    ],
)
def test_a_fault_is_named_with_its_line(
    tmp_path: Path, right: str, wrong: str, line: int, words: str
) -> None:
    assert right in SMALL
    if wrong == "becomes: yes":  # YAML's word for true is no fault
        wrong = "becomes: perhaps"
    text = fault_of(tmp_path, SMALL.replace(right, wrong, 1))
    assert text.startswith(f"{line}: "), text
    assert words in text


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("from: 0, to: 20", "from: 20, to: 0",
         "8: quantities[0].to: 0 is less than 20, where the range begins"),
        ("north valve): 3", "north valve): 99",
         "24: simulation.quantities.poured(north valve): 99 is out of its range, 0 to 20"),
        ("is_open(the North valve)", "is_open(noth valve)",
         "22: simulation.holds[1]: there is no valve 'noth valve'; there are north valve, south "
         "valve; did you mean 'north valve'?"),
        ("poured(north valve)", "poured(east valve)",
         "24: simulation.quantities.poured(east valve): there is no valve 'east valve'"),
        ("dry(plant), becomes", "dry(valve), becomes",
         "16: skills[0].effects[0].literal: dry takes plant, but 'valve' is of type valve"),
        ("poured(valve), amount", "poured(plant), amount",
         "18: skills[0].adds[0].quantity: poured takes valve, but 'plant' is of type plant"),
        ("poured(valve), amount", "poured(tap), amount",
         "18: skills[0].adds[0].quantity: there is no parameter or word 'tap'"),
        ("[valve], from", "[vale], from", "8: quantities[0].arguments: there is no entity type"),
        ("[north valve, south valve]", "[north valve, North Valve]",
         "3: entities.valve[1]: 'North Valve' means the same as 'north valve'; leave one out"),
    ],
)  # fmt: skip
def test_a_contradiction_is_named_with_its_line(
    tmp_path: Path, right: str, wrong: str, told: str
) -> None:
    path = tmp_path / "right.yaml"
    path.write_text(GREENHOUSE)
    load_domain(path)
    assert right in GREENHOUSE
    assert fault_of(tmp_path, GREENHOUSE.replace(right, wrong, 1)).startswith(told)


def test_a_violation_code_is_one_of_the_list(tmp_path: Path) -> None:
    shipped = find_domain("service_robot").read_text()
    text = fault_of(tmp_path, shipped.replace("violation: hand_full", "violation: hand_ful"))
    assert "did you mean 'hand_full'?" in text
