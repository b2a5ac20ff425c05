"""Policies files: shapes and conditions, and faults with their line."""

from __future__ import annotations

from pathlib import Path

import pytest

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.files.world_names import find_domain, find_world
from roboinstruct_ros.domain.policies import load_policies
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import Predicate, load_domain

DOMAIN = load_domain()


def read(tmp_path: Path, rule: str):  # type: ignore[no-untyped-def]
    path = tmp_path / "policies.yaml"
    path.write_text(f"policies:\n  - name: a rule\n{rule}")
    return load_policies(DOMAIN, path)


def test_the_shipped_rules_are_examples_and_switched_off() -> None:
    policies = load_policies(DOMAIN)
    assert [policy.name for policy in policies.policies] == [
        "ask before a bedroom", "no knife near a child", "home at the end",
    ]  # fmt: skip
    assert not policies.enabled
    assert policies.switched_on(("home at the end",)).mention_start


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("    never: say(...)", "never say(...)"),
        ("    before: pick(\"*\")\n    require: ask(...)\n    each_time: true",
         'before pick("*"), require ask(...), each time'),
        ("    after: pick(\"a\")\n    until: place(\"a\")\n    never: say(...)",
         'after pick("a"), until place("a"), never say(...)'),
        ("    at_most: 3\n    of: ask(person=\"Jack\")", 'at most 3, of ask(person="Jack")'),
        ("    only: say(...)\n    when: in_room(\"nurse\", here)",
         'only say(...), when in_room("nurse", here)'),
        ("    at_end: robot_at(start) and not holding(\"*\")",
         'at end robot_at(start) and not holding("*")'),
        ("    at_least: 2\n    of: say(...)", "at least 2, of say(...)"),
        ("    exactly: 0\n    of: say(...)", "exactly 0, of say(...)"),
        ("    first: say(\"~hello\")", 'first say("~hello")'),
        ("    in_order: [say(...), ask(...)]", "in order say(...), ask(...)"),
    ],
)  # fmt: skip
def test_the_shapes_of_a_rule(tmp_path: Path, rule: str, text: str) -> None:
    (policy,) = read(tmp_path, rule + "\n").policies
    assert policy.text == text


@pytest.mark.parametrize(
    ("rule", "line", "words"),
    [
        ('    never: goto("x")', 3, "did you mean 'go_to'?"),
        ("    never: go_to(x)", 3, "'x' is no text in quotes, nor here, start or ..."),
        ('    never: go_to("x", "y")', 3, "go_to takes 1 arguments, not 2"),
        ('    never: in_room("child")', 3, "in_room takes 2 arguments, not 1"),
        ('    never: ask(who="Jack")', 3, "has no free argument 'who'"),
        ("    never: go_to(", 3, "is not a condition; write it as"),
        ("    in_order:\n      - say(...)\n      - aks(...)", 5, "did you mean 'ask'?"),
        ("    in_order: [say(...)]", 3, "expected at least 2 in the list"),
        ("    says: hello", 3, "unknown field"),
        ('    never: say("/(/")', 3, "'/(/' has no regular expression"),
        (r"""    never: 'say("/\bgo\b/")'""", 3, r"the control character \x08; in a regular expr"),
        (r"""    never: 'say("/(o)\1/")'""", 3, r"the control character \x01; in a regular expr"),
        ('    never: holding("/knife/")', 3, "of names only * and ? are patterns"),
        ('    never: go_to("~bed room")', 3, "of names only * and ? are patterns"),
        ('    <<: {never: goto("x")}', 2, "did you mean 'go_to'?"),
        ("    never: 3 > 2", 3, "is no skill call and no literal"),
        ("    before: say(...)", 2, "one of these shapes"),
        ("    never: say(...)\n    at_end: robot_at(start)", 2, "one of these shapes"),
        ("    nevr: say(...)", 3, "did you mean 'never'?"),
        ("    at_most: -1\n    of: say(...)", 3, "at_most"),
        ("    never: say(...)\n    each_time: true", 4, "only a rule with 'before'"),
    ],
)
def test_a_fault_is_named_with_its_line(tmp_path: Path, rule: str, line: int, words: str) -> None:
    with pytest.raises(ConfigError) as fault:
        read(tmp_path, rule + "\n")
    assert f"policies.yaml:{line}: " in str(fault.value)
    assert words in str(fault.value)


HOME = load_semantic_map(find_world("home"))


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ('go_to("kitchn")', "no room is named 'kitchn'; did you mean 'kitchen'?"),
        ('holding("*knife*") and in_room("child", "gargae")', "did you mean 'garage'?"),
        ('go_to("Parent\'s bedroom")', "did you mean 'parents' bedroom'?"),
    ],
)
def test_a_misspelt_room_is_refused(tmp_path: Path, condition: str, words: str) -> None:
    path = tmp_path / "policies.yaml"
    path.write_text(f"policies:\n  - name: a rule\n    never: {condition}\n")
    with pytest.raises(ConfigError) as fault:
        load_policies(DOMAIN, path, HOME)
    assert str(fault.value).startswith(f"{path}:3: policies[0].never: no room is named ")
    assert words in str(fault.value)
    load_policies(DOMAIN, path)  # an open world has any room


@pytest.mark.parametrize("world", ["home", "lab", "office"])
def test_worlds_may_share_their_rules(tmp_path: Path, world: str) -> None:
    rooms = load_semantic_map(find_world(world))
    load_policies(DOMAIN, None, rooms)
    path = tmp_path / "policies.yaml"
    names = ["kitchen", "Laundry", "chemical store", "classroom 3", "classroom 9", "main office",
             "main bedroom", "kitchn*", "roof"]  # fmt: skip
    rules = [f'  - {{name: "{name}", never: \'go_to("{name}")\'}}\n' for name in names]
    path.write_text("policies:\n" + "".join(rules))
    load_policies(DOMAIN, path, rooms)


def test_two_rules_of_one_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'a rule' is given twice"):
        read(tmp_path, "    never: say(...)\n  - name: a rule\n    never: ask(...)\n")


def test_a_name_of_a_skill_and_a_predicate_means_the_call(tmp_path: Path) -> None:
    predicate = Predicate(name="pick", arguments=("object", "person"), when_true="", when_false="")
    domain = DOMAIN.model_copy(update={"predicates": (*DOMAIN.predicates, predicate)})
    path = tmp_path / "policies.yaml"
    path.write_text(
        "policies:\n  - name: a\n    never: pick()\n  - name: b\n    never: pick('cup')\n"
    )
    assert len(load_policies(domain, path).enabled) == 2


def test_here_needs_a_domain_with_rooms(tmp_path: Path) -> None:
    path = tmp_path / "policies.yaml"
    path.write_text("policies:\n  - name: a\n    never: on_table(here)\n")
    with pytest.raises(ConfigError, match="need a predicate robot_at"):
        load_policies(load_domain(find_domain("arm")), path)
