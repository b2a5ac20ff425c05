"""Calls the skills of a domain over ROS, and detects servers that vanish."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from action_msgs.msg import GoalStatus
from rclpy.node import Node

from roboinstruct_msgs.action import CallSkill
from roboinstruct_msgs.msg import Admission as AdmissionMsg
from roboinstruct_ros import names
from roboinstruct_ros.domain.arrival import read_json
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.domain.stop_number import Admission
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.nodes.asked_service import settled
from roboinstruct_ros.nodes.discovery import feedback_type, servers_of
from roboinstruct_ros.nodes.result_client import ResultClient
from roboinstruct_ros.nodes.skill_interfaces import SkillInterface, interface_of
from roboinstruct_ros.nodes.stop_link import StopLink

_POLL = 0.02  # polling period for cancels and heartbeats, s
_CANCEL_LIMIT = 0.5  # s for a server to end a cancelled goal
_ANSWER_LIMIT = 5.0  # s for a service response or the acceptance of a goal
_LOOK = 0.25  # polling period for the ROS graph, s
_CANCELED = "the call was cancelled"
_FEEDBACK = "_FeedbackMessage"
_UNAVAILABLE = SkillErrorCode.SERVER_UNAVAILABLE


class _Failed(Exception):
    """The call has failed; carries the outcome for the program."""

    def __init__(self, code: SkillErrorCode, message: str, lost_node: str = "") -> None:
        super().__init__(message)
        self.outcome = SkillOutcome(error_code=code, message=message, lost_node=lost_node)


class SkillClients:
    """A `SkillPort` over DDS. One call at a time.

    Args:
        node: of the clients; spun by another thread.
        stop_link: of the executor; goals carry its session, whose silence ends them.
        servers: nodes whose heartbeat must not stop during a call.
        ready_limit: wait for a server that is not yet available (s).
        call_limit: limit for one skill call (s), after which its goal is cancelled.
        domain: defines the skills.
    """

    def __init__(
        self,
        node: Node,
        stop_link: StopLink,
        servers: tuple[str, ...],
        ready_limit: float,
        call_limit: float,
        domain: Domain,
    ) -> None:
        self._node = node
        self._session = stop_link.session
        self._monitor = stop_link.heard
        self._servers = servers
        self._ready_limit = ready_limit
        self._call_limit = call_limit
        self._offered: dict[str, tuple[Any, SkillInterface]] = {}
        for skill in domain.skills:
            one = interface_of(skill)
            make = partial(ResultClient, node) if one.is_action else node.create_client
            self._offered[skill.name] = make(one.kind, one.name), one

    def call(self, skill: str, arguments: Mapping[str, Any], cancel: Admission) -> SkillOutcome:
        client, interface = self._offered[skill]
        try:
            if isinstance(client, ResultClient):
                return self._run(client, _goal(interface, arguments), cancel, interface)
            return self._serve(client, interface, cancel)
        except _Failed as failed:
            return failed.outcome
        except (AssertionError, TypeError, ValueError) as error:  # rosidl rejects a value's type
            message = f"the arguments do not fit the interface: {error}"
            return SkillOutcome(error_code=SkillErrorCode.INVALID_ARGUMENT, message=message)

    def _run(
        self, client: ResultClient, goal: Any, cancel: Admission, interface: SkillInterface
    ) -> SkillOutcome:
        name = client.name
        if not client.is_ready():
            self._check_server(name, interface)  # one of another type never is
        self._wait_ready(client.is_ready, name, cancel)
        self._check_server(name, interface)
        goal.admission = AdmissionMsg(stop_number=cancel.number, session=self._session)
        sent = client.send(goal)

        def limit() -> float:
            return self._call_limit if sent.accepted else _ANSWER_LIMIT

        try:
            self._wait(sent.over, name, cancel, client.is_ready, limit)
        except _Failed as failed:
            sent.give_up()  # cancel an unwanted goal, even if the server seems gone
            if sent.accepted and failed.outcome.error_code is SkillErrorCode.CANCELED:
                sent.over.wait(_CANCEL_LIMIT)
            raise
        if sent.fault is not None:
            raise _Failed(_UNAVAILABLE, f"'{name}' failed: {sent.fault}", name)
        if sent.response is None:
            raise _Failed(SkillErrorCode.BUSY, f"{name} refused the goal")
        outcome = _outcome(sent.response.result, interface)
        if outcome.error_code is SkillErrorCode.NONE:
            _check_succeeded(name, sent.response.status)
        return outcome

    def _serve(self, client: Any, interface: SkillInterface, cancel: Admission) -> SkillOutcome:
        self._wait_ready(client.service_is_ready, client.srv_name, cancel)
        future = client.call_async(interface.kind.Request())
        over, ready = settled(future), client.service_is_ready
        try:
            self._wait(over, client.srv_name, cancel, ready, lambda: _ANSWER_LIMIT)
        except _Failed:
            client.remove_pending_request(future)
            raise
        error = future.exception()
        if error is not None:
            raise _Failed(_UNAVAILABLE, f"'{client.srv_name}' failed: {error}", client.srv_name)
        return _outcome(future.result(), interface)

    def _wait_ready(self, ready: Callable[[], bool], name: str, cancel: Admission) -> None:
        """Wait for a server. Raises _Failed if there is none in time or the call is cancelled."""
        deadline = time.monotonic() + self._ready_limit
        while not ready() or self._lost():
            if cancel.wait(_POLL):
                break
            if time.monotonic() > deadline:
                message = f"no server offers '{name}'; start the robot's skill servers"
                raise _Failed(_UNAVAILABLE, message, self._lost() or name)
        if cancel.is_set():
            raise _Failed(SkillErrorCode.CANCELED, _CANCELED)

    def _check_server(self, name: str, interface: SkillInterface) -> None:
        """Two servers would both take the goal, and the end of one would hide the other's motion.

        Raises:
            _Failed: there are two, or the one has another type of action.
        """
        servers = servers_of(self._node, name)
        nodes = sorted({node for node, _ in servers})
        if len(nodes) > 1:
            message = f"{len(nodes)} nodes offer '{name}': {', '.join(nodes)}; end all but one"
            raise _Failed(_UNAVAILABLE, message)
        for node, kind in servers:
            if kind != feedback_type(interface.kind):
                wanted = feedback_type(interface.kind).removesuffix(_FEEDBACK)
                message = f"{node} offers '{name}' as {kind.removesuffix(_FEEDBACK)}, not {wanted}"
                raise _Failed(_UNAVAILABLE, message)
        for node in nodes:
            self._check_single(node, len(servers))

    def _check_single(self, node: str, servers: int) -> None:
        """Raises _Failed if two processes have the name of this node."""
        short = node.rpartition("/")[2]
        if self._monitor.doubled(short) or (servers > 1 and not self._monitor.session(short)):
            message = f"{node} was started twice; end one of the two"
            raise _Failed(_UNAVAILABLE, message)

    def _wait(
        self,
        over: threading.Event,
        name: str,
        cancel: Admission,
        ready: Callable[[], bool],
        limit: Callable[[], float],
    ) -> None:
        """Wait for the response. Raises _Failed on time-out, cancel, or loss of the server."""
        begin = seen = looked = time.monotonic()
        sessions = {server: self._monitor.session(server) for server in self._servers}
        while not over.wait(_POLL):
            now = time.monotonic()
            if cancel.is_set():
                raise _Failed(SkillErrorCode.CANCELED, _CANCELED)
            self._check_servers(sessions, name)
            if now - looked >= _LOOK:
                looked = now
                seen = now if ready() else seen
            if looked - seen > names.HEARTBEAT_TIMEOUT:
                raise _Failed(_UNAVAILABLE, f"the server of '{name}' is gone", name)
            if now - begin > (most := limit()):
                message = f"'{name}' did not answer within {most:g} s"
                if most == _ANSWER_LIMIT:
                    raise _Failed(_UNAVAILABLE, message, name)
                raise _Failed(SkillErrorCode.TIMEOUT, message)

    def _lost(self) -> str:
        return next((name for name in self._servers if self._monitor.lost(name)), "")

    def _check_servers(self, sessions: Mapping[str, str], call: str) -> None:
        for server, session in sessions.items():
            silent = self._monitor.lost(server)
            if silent or self._monitor.restarted(server, session):
                twice = self._monitor.doubled(server)
                how = "fell silent" if silent else "runs twice" if twice else "was restarted"
                raise _Failed(_UNAVAILABLE, f"the node '{server}' {how} during '{call}'", server)


def _goal(interface: SkillInterface, arguments: Mapping[str, Any]) -> Any:
    """The goal with these arguments. Raises what rosidl raises."""
    if interface.kind is CallSkill:
        return CallSkill.Goal(arguments=json.dumps(dict(arguments)))
    given = {name: arguments[of] for name, of in interface.fields if of in arguments}
    return interface.kind.Goal(
        **{name: list(v) if isinstance(v, tuple) else v for name, v in given.items()}
    )


def _value(interface: SkillInterface, result: Any) -> Any:
    """The answer in a result. Raises ValueError: it is no JSON, or too much."""
    if interface.kind is CallSkill:
        return read_json(result.result, "its answer") if result.result else None
    value = getattr(result, interface.answer) if interface.answer else None
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else value


def _outcome(response: Any, interface: SkillInterface) -> SkillOutcome:
    try:
        code = SkillErrorCode(response.error_code)
    except ValueError:
        code = SkillErrorCode.UNKNOWN
    if code is not SkillErrorCode.NONE:
        return SkillOutcome(None, code, response.error_msg)
    try:
        return SkillOutcome(_value(interface, response), code, response.error_msg)
    except ValueError as error:
        message = f"the server of '{interface.name}': {error}"
        raise _Failed(SkillErrorCode.UNKNOWN, message) from None


def _check_succeeded(name: str, status: int) -> None:
    """An unsuccessful goal has failed whatever its result says: when a server raises, rclpy sends
    an empty result without an error. Raises _Failed."""
    if status == GoalStatus.STATUS_CANCELED:
        raise _Failed(SkillErrorCode.CANCELED, f"somebody else cancelled '{name}'")
    if status != GoalStatus.STATUS_SUCCEEDED:
        message = f"'{name}' was aborted by its server, which gave no reason"
        raise _Failed(SkillErrorCode.UNKNOWN, message)
