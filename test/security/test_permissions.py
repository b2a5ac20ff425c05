"""Permissions name what a role may do in DDS's words, and nothing else."""

from __future__ import annotations

from datetime import datetime
from fnmatch import fnmatchcase
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from roboinstruct_ros.security.dds_names import topics_of
from roboinstruct_ros.security.roles import BY_NAME, ROLES
from roboinstruct_ros.security.rules_xml import governance, permissions

BEGIN, END = datetime(2026, 1, 2, 3, 4, 5), datetime(2027, 1, 2, 3, 4, 5)
PAGE = Path(__file__).parents[2] / "docs" / "security.md"
MOTION = tuple(f"rq/skills/{name}/_action/send_goalRequest" for name in ("go_to", "pick", "place"))


def may(name: str, verb: str, topic: str, namespace: str = "") -> bool:
    """As DDS decides: the first rule that fits, then the default."""
    root = Xml.fromstring(permissions(BY_NAME[name], namespace, BEGIN, END))
    grant = root.find("permissions/grant")
    assert grant is not None
    assert grant.findtext("default") == "DENY"
    for rule in grant:
        listed = [str(one.text) for one in rule.findall(f"{verb}/topics/topic")]
        if any(fnmatchcase(topic, pattern) for pattern in listed):
            return rule.tag == "allow_rule"
    return False


@pytest.mark.parametrize("topic", MOTION)
def test_only_the_executor_moves_the_robot(topic: str) -> None:
    assert [role.name for role in ROLES if may(role.name, "publish", topic)] == ["executor"]


def test_only_a_person_starts_a_program() -> None:
    topic = "rq/roboinstruct/execute_program/_action/send_goalRequest"
    assert [one.name for one in ROLES if may(one.name, "publish", topic)] == ["kiosk", "cli"]


def test_only_who_writes_and_runs_programs_and_their_recorder_tell_events() -> None:
    topic = "rt/roboinstruct/events"
    told = [role.name for role in ROLES if may(role.name, "publish", topic)]
    assert told == ["executor", "generator", "recorder"]


def test_everybody_may_stop_and_hears_a_stop() -> None:
    for role in ROLES:
        for verb in ("publish", "subscribe"):
            assert may(role.name, verb, "rt/roboinstruct/stop_request")
            assert may(role.name, verb, "rt/roboinstruct/heartbeat")


def test_nobody_sets_a_parameter_of_another() -> None:
    for role in ROLES:
        for node in ("executor", "generator", "kiosk", "recorder", "sim_robot"):
            assert not may(role.name, "publish", f"rq/{node}/set_parametersRequest"), role.name


def test_what_drives_a_robot_may_use_what_is_not_the_stacks() -> None:
    for name in ("nav2_skills", "moveit_skills", "perception", "robot"):
        assert may(name, "publish", "rq/navigate_to_pose/_action/send_goalRequest")
        assert may(name, "subscribe", "rt/tf")
        assert not may(name, "publish", "rt/roboinstruct/events")
        assert not may(name, "publish", "rt/other/roboinstruct/task_state")
    assert not may("kiosk", "publish", "rt/cmd_vel")


def test_a_namespace_moves_all_but_the_absolute_names() -> None:
    assert may("executor", "publish", "rt/robot1/roboinstruct/events", "robot1")
    assert not may("executor", "publish", "rt/roboinstruct/events", "robot1")
    assert may("executor", "publish", "rr/robot1/executor/get_parametersReply", "robot1")
    assert may("executor", "publish", "rt/diagnostics", "robot1")
    assert may("executor", "publish", "rt/rosout", "robot1")


def test_the_five_parts_of_an_action() -> None:
    action = "/roboinstruct/execute_program/_action"
    server, client = topics_of(BY_NAME["executor"], ""), topics_of(BY_NAME["cli"], "")
    for part in ("send_goal", "cancel_goal", "get_result"):
        assert f"rr{action}/{part}Reply" in server.written
        assert f"rq{action}/{part}Request" in server.read
        assert f"rq{action}/{part}Request" in client.written
        assert f"rr{action}/{part}Reply" in client.read
    for part in ("feedback", "status"):
        assert f"rt{action}/{part}" in server.written
        assert f"rt{action}/{part}" in client.read


def test_nobody_is_in_a_domain_without_a_certificate_and_all_is_encrypted() -> None:
    (rule,) = Xml.fromstring(governance()).iter("domain_rule")
    assert rule.findtext("allow_unauthenticated_participants") == "false"
    assert rule.findtext("enable_join_access_control") == "true"
    assert rule.findtext("discovery_protection_kind") == "ENCRYPT"
    (topic,) = rule.iter("topic_rule")
    said = {one.tag: one.text for one in topic}
    assert said["topic_expression"] == "*"
    assert said["enable_read_access_control"] == said["enable_write_access_control"] == "true"
    assert said["metadata_protection_kind"] == said["data_protection_kind"] == "ENCRYPT"


def test_the_documents_have_the_order_that_the_schema_of_dds_wants() -> None:
    for role in ROLES:
        root = Xml.fromstring(permissions(role, "", BEGIN, END))
        (grant,) = root.iter("grant")
        tags = [one.tag for one in grant]
        assert tags[:2] == ["subject_name", "validity"]
        assert tags[-1] == "default"
        for rule in grant.findall("allow_rule") + grant.findall("deny_rule"):
            assert [one.tag for one in rule] == ["domains", "publish", "subscribe"]
        assert grant.findtext("validity/not_after") == "2027-01-02T03:04:05"


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.name)
def test_the_page_says_what_each_role_may(role: object) -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith(f"| `{role.name}` |")]
    assert len(rows) == 1
    columns = [column.strip() for column in rows[0].strip("|").split("|")][1:]
    wanted = (
        role.publishes, role.hears, (*role.carries_out, *role.serves), (*role.asks_for, *role.calls)
    )  # fmt: skip
    for column, names in zip(columns, wanted, strict=True):
        told = {part.strip(" `") for part in column.split(",")} - {"", "everything else"}
        assert told == set(names)
        assert ("everything else" in column) == (role.outside and column in columns[:2])
