"""The executor node: verifies every program itself, runs it, and obeys stops."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path

from rclpy.action import ActionServer, CancelResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node

from roboinstruct_msgs.action import ExecuteProgram
from roboinstruct_msgs.msg import InterruptedRuns
from roboinstruct_msgs.srv import ForgetRun, Pause, Stop
from roboinstruct_ros import names
from roboinstruct_ros.domain.arrival import check_texts
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.diagnosis import Diagnosis
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.files.rule_files import RuleFiles
from roboinstruct_ros.domain.option import names_in
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.skills import Domain, domain_named
from roboinstruct_ros.domain.stop_number import Admission
from roboinstruct_ros.domain.task_error import TaskError, TaskErrorCode
from roboinstruct_ros.execute.executor_diagnosis import (
    TaskNow,
    executor_diagnoses,
    policies_diagnosis,
)
from roboinstruct_ros.execute.journal import JournalError
from roboinstruct_ros.execute.recovery_policies import load_recovery
from roboinstruct_ros.execute.run_report import RunnerHooks
from roboinstruct_ros.execute.runner_options import RunnerOptions
from roboinstruct_ros.execute.sole_executor import claim_robot
from roboinstruct_ros.execute.task_run import TaskOrder, failed
from roboinstruct_ros.execute.task_runner import TaskRunner
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.execute.transition_log import TransitionLog
from roboinstruct_ros.nodes.conversions import end_goal, interrupted_run_to_msg, run_to_msg
from roboinstruct_ros.nodes.diagnostics import Diagnostics
from roboinstruct_ros.nodes.executor.parameters import ExecutorParameters
from roboinstruct_ros.nodes.executor.run_publisher import RunPublisher
from roboinstruct_ros.nodes.executor.verify_service import VerifyService
from roboinstruct_ros.nodes.heartbeat import Companions
from roboinstruct_ros.nodes.node_process import run_node
from roboinstruct_ros.nodes.parameters import GIVEN, declare
from roboinstruct_ros.nodes.qos import ACTION_SERVER, LATCHED
from roboinstruct_ros.nodes.robot_name import robot_of
from roboinstruct_ros.nodes.robot_watch import hear_hand
from roboinstruct_ros.nodes.skill_clients import SkillClients
from roboinstruct_ros.nodes.spun_node import SpunNode
from roboinstruct_ros.nodes.stop_link import StopLink, Stopped
from roboinstruct_ros.verify.service.current_rules import CurrentRules, Rules
from roboinstruct_ros.verify.world.remains import RobotPast

_STOP_LIMIT = 1.0  # s for a stopped task to end
_STOPS = 16  # stops remembered, to answer what each one ended
_TELL_LIMIT = 0.2  # s to publish what is pending at the end of a run


class ExecutorNode(Node):
    """Serves `roboinstruct/execute_program`, `roboinstruct/verify_program`, `roboinstruct/stop`."""

    def __init__(self) -> None:
        super().__init__(names.EXECUTOR_NODE, **GIVEN)
        self._robot = claim_robot(self.get_namespace())
        self._given = declare(self, ExecutorParameters())
        journals, domain = self._given.journal, domain_named(self._given.domain)
        self._journals = Path(journals).expanduser() if journals else None
        self._rules = CurrentRules(self._rule_files(domain), tell=self._tell_rules)
        self._tell_rules(self._rules.last, None)
        self._layers = self._rules.layers
        self.get_logger().info(f"confinement layers that hold: {', '.join(self._layers)}")
        self._ready = False  # a stop may arrive before there is anything to end
        self._ended_by: dict[int, bool] = {}
        self._stop_link = StopLink(self, self._stopped, self._look)
        companions = names_in(self._given.stop_when_lost)
        self._companions = Companions(companions, self._stop_link.heard)
        self._watched = (*self._given.skill_server_nodes, *companions)
        self._resumable = 0
        self._log = TransitionLog(self.get_logger().info, self.get_logger().debug)
        self._diagnostics = Diagnostics(self, self._diagnose)
        self._telling = telling = RunPublisher(self, self._log, self._diagnostics.changed)
        self._skills = SpunNode(names.SKILL_CLIENTS_NODE, self)
        port = SkillClients(
            self._skills.node,
            self._stop_link,
            self._given.skill_server_nodes,
            self._given.skill_ready_limit,
            self._given.skill_call_limit,
            domain,
        )
        self._skills.start()
        hooks = RunnerHooks(telling.state, telling.event, telling.call, self._note_past)
        self._past = RobotPast(domain)
        options = self._runner_options(domain)
        self._runner = TaskRunner(
            domain, self._rules.verify_from, port, hooks, options, stops=self._stop_link.stops
        )
        self._ready = True
        hear_hand(self, self._hand_holds)
        self._admissions: dict[bytes, Admission] = {}
        self._halting = False
        self._verifying = VerifyService(
            self, lambda: CurrentRules(self._rule_files(domain)), self._past, domain
        )
        self._interrupted = self.create_publisher(
            InterruptedRuns, names.INTERRUPTED_RUNS_TOPIC, LATCHED
        )
        self._serve()
        telling.idle()
        self._offer()

    def halt(self) -> None:
        """Stop motion, end the task, publish its end. Goals accepted from now on move nothing."""
        self._halting = True
        if self._admissions:
            self._stop_link.stop(self.get_name(), "the executor is shutting down")
            self._runner.wait_ended(0.5)
        self._telling.told(_TELL_LIMIT)

    def close(self) -> None:
        self._telling.close()
        self._skills.close()
        self._verifying.close()
        self._stop_link.close()
        self._rules.close()
        self._robot.close()

    def _rule_files(self, domain: Domain) -> RuleFiles:
        return RuleFiles(domain, self._given.map, self._given.policies)

    def _runner_options(self, domain: Domain) -> RunnerOptions:
        given = self._given
        recovery = given.recovery
        options = RunnerOptions(
            recovery=load_recovery(domain, Path(recovery).expanduser() if recovery else None),
            verify_rest=self._rules.verify_rest,
            on_hazard=given.on_hazard,
            journals=self._journals,
            robot=robot_of(self, domain),
            remains=lambda: self._past.remains,
            most_waiting=given.queue_length,
            begin=self._companions.begin,
            most_calls=given.max_calls,
            rules=self._rules,
            clocks=self._telling.clocks,
        )
        return options if given.seed < 0 else replace(options, seed=lambda: given.seed)

    def _tell_rules(self, rules: Rules, fault: ConfigError | None) -> None:
        if fault is not None:
            self.get_logger().error(f"nothing starts until map and policies can be used: {fault}")
            return
        names = ", ".join(policy.name for policy in rules.policies.enabled)
        self.get_logger().info(f"policies that hold: {names or 'none'} (rules {rules.sha256[:12]})")

    def _diagnose(self) -> list[Diagnosis]:
        log, heard = self._log, self._stop_link.heard
        task = TaskNow(log.state, log.task_id, log.line, self._runner.waiting, self._resumable)
        fault = ""
        try:
            self._rules.look()  # a change of the files shows even while nothing runs
        except ConfigError as error:
            fault = str(error)
        rules = self._rules.last
        policies = [policy.name for policy in rules.policies.enabled]
        others = dict.fromkeys((*self._watched, *heard.seen()))
        others.pop(self.get_name(), None)
        return executor_diagnoses(
            task,
            self._layers,
            self._journals,
            policies_diagnosis(policies, rules.sha256, fault),
            {name: heard.state(name) for name in others},
            self._watched,
        )

    def _offer(self) -> None:
        runs, faults = self._runner.journals.interrupted()
        for fault in faults:
            self.get_logger().warning(fault)
        self._interrupted.publish(
            InterruptedRuns(runs=[interrupted_run_to_msg(run) for run in runs])
        )
        self._resumable = len(runs)
        self._diagnostics.changed()
        self._runner.offer(runs[-1] if runs else None)

    def _serve(self) -> None:
        self._stop_link.offer(Stop, names.STOP_SERVICE, self._stop)
        self._stop_link.offer(Pause, names.PAUSE_SERVICE, self._pause)
        group = ReentrantCallbackGroup()
        self.create_service(ForgetRun, names.FORGET_RUN_SERVICE, self._forget, callback_group=group)
        self._server = ActionServer(
            self,
            ExecuteProgram,
            names.EXECUTE_PROGRAM_ACTION,
            self._execute,
            handle_accepted_callback=self._accepted,
            cancel_callback=self._cancel,
            callback_group=group,
            **ACTION_SERVER,
        )

    def _accepted(self, goal: ServerGoalHandle) -> None:
        """Admit the goal now: a stop may arrive before a thread executes it."""
        self._stop_link.learn(goal.request.stop_number, "client")
        admission = self._stop_link.stops.admit(goal.request.stop_number)
        key = bytes(goal.goal_id.uuid)
        if self._admissions.setdefault(key, admission) is not admission:  # already cancelled
            admission.set()
            self._admissions[key] = admission
        if self._halting:  # after the entry: `halt` looks for entries after it has set this
            admission.set()
        goal.execute()

    def _execute(self, goal: ServerGoalHandle) -> ExecuteProgram.Result:
        request = goal.request
        order = TaskOrder(**{one.name: getattr(request, one.name) for one in fields(TaskOrder)})
        self._telling.goals[id(order)] = goal
        key = bytes(goal.goal_id.uuid)
        try:
            check_texts(request)
        except ValueError as fault:
            run = failed(order, TaskError(TaskErrorCode.NOT_VERIFIED, str(fault)))
        else:
            run = self._runner.run(order, self._admissions[key])
        finally:
            del self._telling.goals[id(order)]
        self._offer()
        self._telling.told(_TELL_LIMIT)
        self._log.ended(order, run)
        end_goal(goal, run.outcome is TaskState.SUCCEEDED)
        del self._admissions[key]  # only now: a cancel would bring it back before, for good
        return run_to_msg(run)

    def _note_past(self, calls: Sequence[SkillCall]) -> None:
        self._companions.end()
        self._past.note(calls)

    def _hand_holds(self, thing: str) -> None:
        """Note what the hand holds. During a run, the calls themselves show it."""
        self._past.begins_with(thing, not self._runner.running)

    def _cancel(self, goal: ServerGoalHandle) -> CancelResponse:
        if goal.is_active:  # it may not have begun yet
            admission = self._admissions.setdefault(bytes(goal.goal_id.uuid), Admission())
            self._runner.cancel(admission, "client", "cancelled")
        return CancelResponse.ACCEPT

    def _pause(self, request: Pause.Request, response: Pause.Response) -> Pause.Response:
        response.success = self._runner.pause(request.paused, request.stop_number)
        doing = "holds" if request.paused else "goes on"
        response.message = f"the task {doing}" if response.success else "no task is running"
        return response

    def _forget(
        self, request: ForgetRun.Request, response: ForgetRun.Response
    ) -> ForgetRun.Response:
        try:
            forgets = self._runner.journals.forget
            response.found = not self._runner.running and forgets(request.task_id)
            response.message = "" if response.found else f"no interrupted run '{request.task_id}'"
        except JournalError as error:
            response.message = str(error)
        self._offer()
        return response

    def _stop(self, request: Stop.Request, response: Stop.Response) -> Stop.Response:
        begin = time.monotonic()
        stopped = self._stop_link.relay(request.number, request.source or "unknown", request.reason)
        ended = self._runner.wait_ended(_STOP_LIMIT)
        # only now: the thread that heard the same stop on its topic may have been ending the task
        response.was_running = self._ended_by.get(stopped.number, False)
        response.latency = time.monotonic() - begin
        if not response.was_running:
            response.message = "no task was running; the skill servers were told to stand still"
        else:
            response.message = "the task has ended" if ended else "the task is still ending"
        return response

    def _stopped(self, stopped: Stopped) -> None:
        """Apply a stop received or begun here; runs on the stop link's threads."""
        if self._ready:
            self._ended_by[stopped.number] = self._runner.stopped(
                stopped.source, stopped.reason, stopped.number
            )
            while len(self._ended_by) > _STOPS:
                del self._ended_by[next(iter(self._ended_by))]

    def _look(self, passed: float) -> None:
        gone = self._companions.gone() if self._ready else ""
        if gone:
            self._companions.end()
            message = f"the node '{gone}' fell silent during the run"
            self._stop_link.stop(self.get_name(), message)  # before the loss is reported
            lost = {"node": gone, "message": message}
            self._telling.event(EventKind.NODE_LOST, lost, self._log.task_id)


def main(args: list[str] | None = None) -> int:
    return run_node(ExecutorNode, threads=8, args=args)


if __name__ == "__main__":
    sys.exit(main())
