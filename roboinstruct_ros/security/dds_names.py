"""The names of ROS 2 topics, services and actions in DDS."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from roboinstruct_ros.security.roles import BY_NAME, STOP_LINK_TOPICS, Role

NODE_SERVICES = (
    "describe_parameters", "get_parameter_types", "get_parameters", "list_parameters",
    "set_parameters", "set_parameters_atomically", "get_type_description",
)  # fmt: skip
"""Services that ROS gives a node; no node of the stack sets another's parameters."""

DISCOVERY = "ros_discovery_info"
"""The topic on which processes announce their nodes."""

STRANGE = ("*/roboinstruct/*", "*/skills/*")
"""The stack's names in any namespace, as DDS wildcard patterns."""

_ACTION_SERVICES = ("send_goal", "cancel_goal", "get_result")
_ACTION_TOPICS = ("feedback", "status")


@dataclass(frozen=True)
class DdsTopics:
    """DDS topics that a role may write and read, as wildcard patterns."""

    written: tuple[str, ...]
    read: tuple[str, ...]


def topics_of(role: Role, namespace: str) -> DdsTopics:
    """All topics that a role may use by name, including those open to every role, sorted."""
    full = [_full(namespace, node) for node in role.all_nodes]
    own = [f"{node}/{service}" for node in full for service in NODE_SERVICES]
    served = [*_resolved(role.serves, namespace), *own]
    called = list(_resolved(role.calls, namespace))
    published = [*_resolved((*role.publishes, *STOP_LINK_TOPICS), namespace)]
    heard = [*_resolved((*role.hears, *STOP_LINK_TOPICS), namespace)]
    for action in _resolved(role.carries_out, namespace):
        served += [f"{action}/_action/{part}" for part in _ACTION_SERVICES]
        published += [f"{action}/_action/{part}" for part in _ACTION_TOPICS]
    for action in _resolved(role.asks_for, namespace):
        called += [f"{action}/_action/{part}" for part in _ACTION_SERVICES]
        heard += [f"{action}/_action/{part}" for part in _ACTION_TOPICS]
    published += ["/rosout", "/parameter_events"]
    heard += ["/clock", "/parameter_events"]
    return DdsTopics(
        _sorted(_topics(published), _requests(called), _replies(served), [DISCOVERY]),
        _sorted(_topics(heard), _replies(called), _requests(served), [DISCOVERY]),
    )


def strange_topics() -> tuple[str, ...]:
    """Topics denied to a role with access outside the stack, unless it has them by name: the
    stack's names and the services of its nodes."""
    nodes = (node for role in BY_NAME.values() if not role.outside for node in role.all_nodes)
    return (*STRANGE, *(f"*/{node}/*" for node in nodes))


def _resolved(relative: Iterable[str], namespace: str) -> Iterator[str]:
    return (_full(namespace, name) for name in relative)


def _full(namespace: str, name: str) -> str:
    if name.startswith("/"):
        return name
    return f"/{namespace.strip('/')}/{name}" if namespace.strip("/") else f"/{name}"


def _topics(names: Iterable[str]) -> list[str]:
    return [f"rt{name}" for name in names]


def _requests(services: Iterable[str]) -> list[str]:
    return [f"rq{name}Request" for name in services]


def _replies(services: Iterable[str]) -> list[str]:
    return [f"rr{name}Reply" for name in services]


def _sorted(*groups: list[str]) -> tuple[str, ...]:
    return tuple(sorted({name for group in groups for name in group}))
