"""The node that runs programs: it verifies every one itself, and stops when told."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from typing import Any

from rcl_interfaces.msg import FloatingPointRange, ParameterDescriptor
from rclpy.action import ActionServer, CancelResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup, ReentrantCallbackGroup
from rclpy.node import Node

from roboinstruct_msgs.action import ExecuteProgram
from roboinstruct_msgs.msg import StopRequest
from roboinstruct_msgs.msg import TaskState as TaskStateMsg
from roboinstruct_msgs.srv import Stop, VerifyProgram
from roboinstruct_ros import names
from roboinstruct_ros.domain.policies import load_policies
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.domain.world_names import find_world
from roboinstruct_ros.execute.policy_guard import PolicyGuard
from roboinstruct_ros.execute.task_run import TaskOrder, TaskRun
from roboinstruct_ros.execute.task_runner import RunnerHooks, TaskRunner
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.nodes.conversions import (
    skill_call_from_msg,
    skill_call_to_msg,
    verdict_to_msg,
)
from roboinstruct_ros.nodes.events import EventPublisher
from roboinstruct_ros.nodes.heartbeat import Heartbeat, HeartbeatMonitor
from roboinstruct_ros.nodes.node_process import run_node
from roboinstruct_ros.nodes.qos import LATCHED, STREAM
from roboinstruct_ros.nodes.skill_clients import SkillClients
from roboinstruct_ros.program.narrate import narrate
from roboinstruct_ros.program.task_program import TaskProgram
from roboinstruct_ros.verify.from_here import FromHere
from roboinstruct_ros.verify.remains import RobotPast
from roboinstruct_ros.verify.worker import VerifierWorker

_STOP_LIMIT = 1.0  # s that a stopped task gets to end


class ExecutorNode(Node):
    """Serves `roboinstruct/execute_program`, `roboinstruct/verify_program`, `roboinstruct/stop`."""

    def __init__(self) -> None:
        super().__init__(names.EXECUTOR_NODE)
        self._declare_parameters()
        domain = load_domain()
        place = self._value("map")
        rooms = load_semantic_map(find_world(place)) if place else None
        given = self._value("policies")
        policies = load_policies(domain, Path(given).expanduser() if given else None)
        self._verifier = VerifierWorker(domain, rooms, policies)
        rules = [policy.name for policy in policies.enabled]
        self.get_logger().info(f"policies that hold: {', '.join(rules) or 'none'}")
        self.get_logger().info(f"confinement layers that hold: {', '.join(self._verifier.layers)}")
        self._events = EventPublisher(self)
        self._state = self.create_publisher(TaskStateMsg, names.TASK_STATE_TOPIC, LATCHED)
        self._stops = self.create_publisher(StopRequest, names.STOP_REQUEST_TOPIC, STREAM)
        self._monitor = HeartbeatMonitor(self)
        self._heartbeat = Heartbeat(self)
        port = SkillClients(
            self,
            self._heartbeat,
            self._monitor,
            tuple(self._value("skill_server_nodes")),
            self._value("skill_ready_limit"),
        )
        hooks = RunnerHooks(self._publish_state, self._events.publish, self._publish_call)
        self._past = RobotPast(domain)
        self._from_here = FromHere(self._verifier, self._past)
        self._guard = PolicyGuard(domain, policies, rooms)
        self._runner = TaskRunner(domain, self._from_here.verify, port, hooks, guard=self._guard)
        self._goal: ServerGoalHandle | None = None
        self._serve()
        self._state.publish(self._state_msg(TaskState.IDLE))

    def halt(self) -> None:
        """Stop motion, end the task."""
        if self._runner.running:
            self._request_stop(names.EXECUTOR_NODE, "the executor is shutting down")
            self._runner.stop(TaskErrorCode.STOPPED, names.EXECUTOR_NODE, "shutting down")
            self._runner.wait_ended(0.5)

    def close(self) -> None:
        """End the verifier's process."""
        self._verifier.close()

    def _serve(self) -> None:
        group = ReentrantCallbackGroup()
        self._server = ActionServer(
            self,
            ExecuteProgram,
            names.EXECUTE_PROGRAM_ACTION,
            self._execute,
            cancel_callback=self._cancel,
            callback_group=group,
        )
        self.create_service(
            VerifyProgram, names.VERIFY_PROGRAM_SERVICE, self._verify, callback_group=group
        )
        self.create_service(Stop, names.STOP_SERVICE, self._stop, callback_group=group)
        self.create_subscription(
            StopRequest,
            names.STOP_REQUEST_TOPIC,
            self._stop_requested,
            STREAM,
            callback_group=MutuallyExclusiveCallbackGroup(),
        )

    def _execute(self, goal: ServerGoalHandle) -> ExecuteProgram.Result:
        request = goal.request
        order = TaskOrder(
            request.task_id,
            request.instruction,
            request.source,
            request.program_sha256,
            request.approved_by,
        )
        if not self._runner.running:
            self._goal = goal
        run = self._runner.run(order)
        self._past.note(run.calls)
        self._guard.remains = self._past.remains
        self.get_logger().info(
            f"task {order.task_id}: {run.outcome.value} after {run.duration:.1f} s {run.message}"
        )
        _end(goal, run)
        return _result(run)

    def _cancel(self, goal: ServerGoalHandle) -> CancelResponse:
        if self._goal is not None and goal.goal_id == self._goal.goal_id:
            threading.Thread(
                target=self._runner.stop, args=(TaskErrorCode.CANCELED, "client", "cancelled")
            ).start()
        return CancelResponse.ACCEPT

    def _verify(
        self, request: VerifyProgram.Request, response: VerifyProgram.Response
    ) -> VerifyProgram.Response:
        try:
            calls = [skill_call_from_msg(call) for call in request.calls]
        except ValueError as error:
            response.error_code = int(TaskErrorCode.UNKNOWN)
            response.error_msg = f"calls: an argument or a result is not JSON: {error}"
            return response
        response.verdict = verdict_to_msg(self._from_here.verify_from(calls, request.source))
        response.plan = [str(step) for step in narrate(TaskProgram.from_text(request.source))]
        return response

    def _stop(self, request: Stop.Request, response: Stop.Response) -> Stop.Response:
        begin = time.monotonic()
        self._request_stop(request.source, request.reason)
        response.was_running = self._runner.stop(
            TaskErrorCode.STOPPED, request.source or "unknown", request.reason
        )
        ended = self._runner.wait_ended(_STOP_LIMIT)
        response.latency = time.monotonic() - begin
        if not response.was_running:
            response.message = "no task was running; the skill servers were told to stand still"
        else:
            response.message = "the task has ended" if ended else "the task is still ending"
        return response

    def _stop_requested(self, request: StopRequest) -> None:
        self._runner.stop(TaskErrorCode.STOPPED, request.source, request.reason)

    def _request_stop(self, source: str, reason: str) -> None:
        """Tell every skill server directly."""
        stamp = self.get_clock().now().to_msg()
        self._stops.publish(StopRequest(source=source, reason=reason, stamp=stamp))

    def _publish_state(self, state: TaskState, order: TaskOrder, line: int, message: str) -> None:
        self._state.publish(self._state_msg(state, order, line, message))
        if not line:
            self.get_logger().info(f"task {order.task_id}: {state.value} {message}")

    def _state_msg(
        self, state: TaskState, order: TaskOrder | None = None, line: int = 0, message: str = ""
    ) -> TaskStateMsg:
        return TaskStateMsg(
            state=state.value,
            task_id=order.task_id if order else "",
            instruction=order.instruction if order else "",
            program_sha256=order.program_sha256 if order else "",
            line=line,
            message=message,
            stamp=self.get_clock().now().to_msg(),
        )

    def _publish_call(self, call: SkillCall) -> None:
        if self._goal is not None and self._goal.is_active:
            feedback = ExecuteProgram.Feedback(line=call.line, call=skill_call_to_msg(call))
            self._goal.publish_feedback(feedback)

    def _value(self, name: str) -> Any:
        return self.get_parameter(name).value

    def _declare_parameters(self) -> None:
        self.declare_parameter(
            "map",
            "",
            ParameterDescriptor(
                description="world or map YAML, path or shipped name; programs may name its rooms "
                "only; empty allows any room",
                read_only=True,
            ),
        )
        self.declare_parameter(
            "policies",
            "",
            ParameterDescriptor(
                description="policies YAML that every program must keep; empty is the shipped one",
                read_only=True,
            ),
        )
        self.declare_parameter(
            "skill_server_nodes",
            [names.SIM_ROBOT_NODE],
            ParameterDescriptor(
                description="nodes whose heartbeat must not end during a skill call",
                read_only=True,
            ),
        )
        self.declare_parameter(
            "skill_ready_limit",
            5.0,
            ParameterDescriptor(
                description="how long to wait for a skill server that is not there, s",
                floating_point_range=[FloatingPointRange(from_value=0.1, to_value=60.0)],
                read_only=True,
            ),
        )


def _end(goal: ServerGoalHandle, run: TaskRun) -> None:
    if run.outcome is TaskState.SUCCEEDED:
        goal.succeed()
    elif goal.is_cancel_requested:
        goal.canceled()
    else:
        goal.abort()


def _result(run: TaskRun) -> ExecuteProgram.Result:
    result = ExecuteProgram.Result(
        outcome=run.outcome.value,
        calls=[skill_call_to_msg(call) for call in run.calls],
        duration=run.duration,
        error_code=int(run.error_code),
        error_msg=run.message,
    )
    if run.verdict is not None:
        result.verdict = verdict_to_msg(run.verdict)
    return result


def main(args: list[str] | None = None) -> int:
    """Run the node until SIGINT or SIGTERM."""
    return run_node(ExecutorNode, threads=8, args=args)


if __name__ == "__main__":
    sys.exit(main())
