"""Checks the ROS parameter file of a robot's skill servers before any of them starts.

ROS ignores a parameter that no node declares, so a misspelt limit would silently keep its default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from roboinstruct_ros import names
from roboinstruct_ros.domain.configuration import ConfigError, dotted, nearest_name, read_text
from roboinstruct_ros.domain.files.yaml_lines import FieldPath, YamlFault, read_with_lines
from roboinstruct_ros.domain.option import Option, options_of, plain

_SECTION = "ros__parameters"
_OF_ROS = ("use_sim_time", "start_type_description_service", "qos_overrides")
"""Parameters, and the first part of their names, that every node has."""


def robot_servers() -> dict[str, Any]:
    """The skill servers of a real robot by node name, with the defaults of their parameters."""
    from roboinstruct_ros.skill_servers.motion_stop import MotionStopParameters
    from roboinstruct_ros.skill_servers.moveit.parameters import MoveItParameters
    from roboinstruct_ros.skill_servers.nav2.parameters import Nav2Parameters
    from roboinstruct_ros.skill_servers.perception.parameters import PerceptionParameters
    from roboinstruct_ros.skill_servers.speech.parameters import SpeechParameters

    return {
        names.NAV2_SKILLS_NODE: Nav2Parameters(),
        names.PERCEPTION_NODE: PerceptionParameters(),
        names.MOVEIT_SKILLS_NODE: MoveItParameters(),
        names.SPEECH_NODE: SpeechParameters(),
        names.MOTION_STOP_NODE: MotionStopParameters(),
    }


def check_robot_parameters(path: str) -> None:
    """Check the sections of our skill servers; those of other nodes and of all (`/**`) are theirs.

    Raises:
        ConfigError: it is no ROS parameter file, or a server does not have such a parameter or
            allows no such value.
    """
    try:
        data, lines = read_with_lines(read_text(path))
    except YamlFault as fault:
        raise ConfigError(path, fault.line, fault.field, fault.message) from None
    if not isinstance(data, dict):
        raise ConfigError(path, 1, "", "no ROS parameter file: expected NODE: ros__parameters: ...")
    servers = robot_servers()
    for place, section in _sections(data):
        name = str(place[-1]).rpartition("/")[2]
        if name in servers:
            options = {one.name: one for one in options_of(servers[name]) if one.parameter}
            _check_section(path, (*place, _SECTION), section, options, lines)
        elif near := nearest_name(name, list(servers), cutoff=0.8):
            message = "is no skill server of a robot"
            raise ConfigError(path, lines[place], dotted(place), message, near)


def _sections(data: Mapping[Any, Any], place: FieldPath = ()) -> Iterator[tuple[FieldPath, Any]]:
    """The nodes of the file, also below their namespaces, each with its parameters."""
    for key, value in data.items():
        if isinstance(value, dict) and _SECTION in value:
            yield (*place, key), value[_SECTION]
        elif isinstance(value, dict):
            yield from _sections(value, (*place, key))


def _check_section(
    path: str,
    place: FieldPath,
    section: Any,
    options: Mapping[str, Option],
    lines: Mapping[FieldPath, int],
) -> None:
    for name, value in section.items() if isinstance(section, dict) else ():
        if str(name).partition(".")[0] in _OF_ROS:
            continue
        at = (*place, name)
        where = (path, lines[at], dotted(at))
        if name not in options:
            near = nearest_name(str(name), list(options))
            raise ConfigError(*where, "no such parameter", near)
        if fault := _fault(options[name], value):
            raise ConfigError(*where, fault)


def _fault(one: Option, value: Any) -> str:
    """Why the parameter cannot have this value, by ROS's rules for types."""
    kind = list if isinstance(one.default, tuple) else str if one.known else type(one.default)
    fits = type(value) is kind and all(
        isinstance(each, str) for each in (value if kind is list else ())
    )
    if not fits:
        return f"expected {_KINDS[kind]}, such as {plain(one.default)!r}"
    return one.fault(value)


_KINDS = {
    bool: "true or false", int: "a whole number", float: "a number with a decimal point",
    str: "a text", list: "a list of texts",
}  # fmt: skip
