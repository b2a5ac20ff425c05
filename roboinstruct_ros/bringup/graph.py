"""The ROS graph that the nodes of a stack, or a command, join."""

from __future__ import annotations

import re
from dataclasses import dataclass

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.option import option

_NAMESPACE = re.compile(r"/?[A-Za-z_][A-Za-z0-9_]*(/[A-Za-z_][A-Za-z0-9_]*)*/?")

_LONGEST = 128
"""Characters of a namespace; DDS allows 247 in a topic name, and the stack's own have up to 60."""


@dataclass(frozen=True, kw_only=True)
class GraphOptions:
    """Options of every node of the stack, and of every command that talks to it."""

    namespace: str = option("", "ROS namespace of every node and topic of the stack")
    security: str = option(
        "", "folder of an SROS 2 keystore; only nodes with a certificate from it can join"
    )


def check_namespace(namespace: str) -> None:
    """Reject a namespace that rcl would later reject in every node.

    Raises:
        ConfigError: it is not a ROS namespace, or too long.
    """
    if len(namespace) > _LONGEST:
        told = f"{len(namespace)} characters; a namespace has at most {_LONGEST}"
        raise ConfigError("namespace", 0, "", told)
    if namespace and not _NAMESPACE.fullmatch(namespace):
        rule = "letters, digits and _ are allowed, no digit first, / between parts; e.g. robot1"
        raise ConfigError("namespace", 0, "", f"'{namespace}' is no ROS namespace: {rule}")
