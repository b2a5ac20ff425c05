"""The generator node: a lifecycle node that holds the language model.

Configuring loads the model, cleaning up frees it, shutting down ends the process. The action server
exists in every state, so a client always gets a result, with MODEL_NOT_LOADED if there is no usable
model or the node is not active.
"""

from __future__ import annotations

import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rclpy.action import ActionServer, CancelResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn

from roboinstruct_msgs.action import GenerateProgram
from roboinstruct_msgs.msg import Event
from roboinstruct_ros import names
from roboinstruct_ros.domain.arrival import check_texts, read_object
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.diagnosis import Diagnosis
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.files.rule_files import RuleFiles
from roboinstruct_ros.domain.instruction import IN_BACKGROUND
from roboinstruct_ros.domain.skills import domain_named
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import Backend
from roboinstruct_ros.generate.backends.open_backend import backend_for, larger_for, model_name
from roboinstruct_ros.generate.generator import Generator, LoadError, refused
from roboinstruct_ros.generate.generator_diagnosis import generator_diagnoses, model_state
from roboinstruct_ros.generate.prompts.surroundings import NOWHERE, Surroundings
from roboinstruct_ros.generate.rounds.findings import holds_something
from roboinstruct_ros.generate.site import Site, site_for
from roboinstruct_ros.generate.writing_options import MOST_CANDIDATES, WritingOptions
from roboinstruct_ros.library.library_file import LibraryError, place_for
from roboinstruct_ros.library.task_library import TaskLibrary
from roboinstruct_ros.library.task_writer import (
    TaskWriter,
    WritingOrder,
    examples_from,
    note_run,
)
from roboinstruct_ros.nodes.conversions import end_goal, skill_call_from_event
from roboinstruct_ros.nodes.diagnostics import Diagnostics
from roboinstruct_ros.nodes.events import EventPublisher
from roboinstruct_ros.nodes.generator.parameters import GeneratorParameters
from roboinstruct_ros.nodes.generator.report import GenerationReport, result_msg
from roboinstruct_ros.nodes.generator.transitions import answer_invalid_transitions
from roboinstruct_ros.nodes.hearing import hear
from roboinstruct_ros.nodes.node_process import run_node
from roboinstruct_ros.nodes.parameters import GIVEN, current, declare
from roboinstruct_ros.nodes.qos import ACTION_SERVER, EVENTS
from roboinstruct_ros.nodes.robot_name import robot_of
from roboinstruct_ros.nodes.robot_watch import PlaceWatch, hear_hand
from roboinstruct_ros.nodes.stop_link import StopLink
from roboinstruct_ros.verify.service.current_rules import CurrentRules, Rules
from roboinstruct_ros.verify.service.from_here import FromHere
from roboinstruct_ros.verify.world.remains import RobotPast

EVENTS_LIMIT = 5.0  # s to wait for the events of a run that has ended


class GeneratorNode(LifecycleNode):
    """Serves `roboinstruct/generate_program`, one goal at a time."""

    def __init__(self) -> None:
        super().__init__(names.GENERATOR_NODE, **GIVEN)
        answer_invalid_transitions(self)
        given = declare(self, GeneratorParameters())
        self._domain = domain_named(given.domain)
        self._ending = threading.Event()
        self._warnings: deque[str] = deque(maxlen=10)
        self._library = TaskLibrary.open_or_forget(
            place_for(given.library, self._domain), self._warn, robot_of(self, self._domain)
        )
        self._library_fault = "; ".join(self._warnings)
        self._examples = examples_from(self._library, self._warn)
        self._generator = Generator(
            self._open_backend,
            self._open_verifier,
            self._site,
            lambda: self._given.writing.map_in_prompt,
            self._now,
            lambda: larger_for(self._given, self.get_logger().warning, self.get_logger().info),
        )
        self._generator.active = given.autostart  # requests wait for the load
        self._deactivated = threading.Event()  # another one after each
        self._writer = TaskWriter(self._generator, self._library, self._warn)
        self._past = RobotPast(self._domain)
        hear_hand(self, self._past.begins_with)
        self._place = PlaceWatch(self)
        self._rules: CurrentRules | None = None
        self._model = ""  # name of the configured model
        self._events = EventPublisher(self)
        self._stop_link = StopLink(self)
        self._speed: float | None = None  # tokens per second of the last request
        self._diagnostics = Diagnostics(self, self._diagnose)
        hear(self, Event, names.EVENTS_TOPIC, self._hear, EVENTS)
        self._server = ActionServer(
            self,
            GenerateProgram,
            names.GENERATE_PROGRAM_ACTION,
            self._generate,
            cancel_callback=lambda _: CancelResponse.ACCEPT,
            callback_group=ReentrantCallbackGroup(),
            **ACTION_SERVER,
        )
        if given.autostart:
            self._generator.expect_load()
            # loading may take long; heartbeats and requests continue meanwhile
            threading.Thread(target=self._start, name="start", daemon=True).start()

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Load map, verifier and model; on a fault, log it and stay unconfigured."""
        try:
            self._generator.load()
        except LoadError as fault:
            self._generator.active = False
            self._diagnostics.changed()
            self.get_logger().error(fault.message)
            self._events.publish(
                EventKind.ERROR, {"error_code": int(fault.code), "error_msg": fault.message}
            )
            return TransitionCallbackReturn.FAILURE
        self._diagnostics.changed()
        self.get_logger().info(f"model {self._model} is ready")
        return TransitionCallbackReturn.SUCCESS

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        if self._deactivated.is_set():  # else requests that waited for the load hold it
            self._deactivated = threading.Event()
        self._generator.active = True
        self._diagnostics.changed()
        return TransitionCallbackReturn.SUCCESS

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Cancel the generation in progress; until activated again, every request is refused."""
        self._generator.active = False
        self._deactivated.set()
        self._diagnostics.changed()
        return TransitionCallbackReturn.SUCCESS

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Free the model; stay inactive if a cancelled generation does not end."""
        if not self._generator.unload():
            self.get_logger().error("the model is still in use; nothing was freed")
            return TransitionCallbackReturn.FAILURE
        self._diagnostics.changed()
        return TransitionCallbackReturn.SUCCESS

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        """End the process: a node that can never serve again must not look alive."""
        signal.raise_signal(signal.SIGTERM)
        return TransitionCallbackReturn.SUCCESS

    def _start(self) -> None:
        try:
            if self.trigger_configure() == TransitionCallbackReturn.SUCCESS:
                self.trigger_activate()
        except Exception:
            if not self._ending.is_set():  # otherwise the node is already gone
                raise

    def halt(self) -> None:
        """Abort a generation in progress; the node is about to end."""
        self._ending.set()

    def close(self) -> None:
        self._stop_link.close()
        self._generator.unload()
        self._library.close()

    def _generate(self, goal: ServerGoalHandle) -> GenerateProgram.Result:
        request = goal.request
        try:
            check_texts(request)
        except ValueError as error:
            generation = refused(TaskErrorCode.INSTRUCTION_TOO_LONG, str(error), lambda event: None)
            end_goal(goal, generation.accepted)
            return result_msg(generation)
        report = GenerationReport(self._events, goal)
        there = self._now(NOWHERE)
        data = {
            "instruction": request.instruction,
            "asked_by": request.asked_by,
            "model": self._model,
            "follows": request.follows,
            "found": list(request.found),
            "here": there.here,
            "holding": there.holding,
        }
        background = request.asked_by == IN_BACKGROUND
        report.publish(EventKind.GENERATION_STARTED, data)
        cancel = _Cancel(goal, self._ending, self._deactivated)
        try:
            order = WritingOrder(
                request.instruction,
                request.task_id,
                request.follows,
                request.language or "en",
                request.asked_by,
                tuple(request.found),
                background,
            )
            options = self._options(request.max_attempts, request.candidates)
            self._catch_up(request.found)
            generation = self._writer.write(order, options, report, cancel)
        except Exception as error:  # a bug; rclpy would return an empty result: success
            self.get_logger().error(traceback.format_exc())
            generation = refused(
                TaskErrorCode.UNKNOWN, f"internal fault in the generator: {error!r}", report
            )
        self._speed = generation.stats.tokens_per_second or self._speed
        self._diagnostics.changed()
        while self._warnings and not background:
            report.publish(EventKind.WARNING, {"message": self._warnings.popleft()})
        end_goal(goal, generation.accepted)
        return result_msg(generation)

    def _diagnose(self) -> list[Diagnosis]:
        fault = self._generator.fault
        return generator_diagnoses(
            self._model, model_state(self._generator), fault.message if fault else "", self._speed,
            self._library.place, self._library_fault,
        )  # fmt: skip

    def _warn(self, message: str) -> None:
        """Log a warning and attach it to the next generation, whose client will see it."""
        self.get_logger().warning(message)
        self._warnings.append(message)

    def _hear(self, event: Event) -> None:
        """Follow the runs: results of skills set the initial state of the next program, and a
        program that was approved and succeeded becomes an example."""
        if event.kind == EventKind.SKILL_FINISHED.value:
            try:
                self._past.note([skill_call_from_event(event.data)])
            except ValueError as error:
                self.get_logger().warning(f"event {event.kind} of {event.source}: {error!r}")
            return
        counted = (EventKind.PROGRAM_APPROVED.value, EventKind.RUN_FINISHED.value)
        if event.kind not in counted or not event.task_id:
            return
        try:
            told = read_object(event.data, f"event {event.kind}")
            note_run(self._library, event.kind, event.task_id, told)
        except (LibraryError, ValueError) as fault:
            self._warn(f"a run is not counted in the task library: {fault}")

    def _catch_up(self, found: Sequence[str]) -> None:
        """Wait for pending events: a run's findings may arrive before the last of its events."""
        holds = holds_something(found)
        if holds is not None:
            self._past.wait_until(holds, EVENTS_LIMIT)

    def _site(self) -> Site:
        rooms = self._rules.last.semantic_map if self._rules else None
        return replace(site_for(self._domain, rooms), examples=self._examples)

    def _now(self, there: Surroundings) -> Surroundings:
        rooms = self._rules.last.semantic_map if self._rules else None
        return replace(there, here=self._place.room(rooms), holding=self._past.held)

    @property
    def _given(self) -> GeneratorParameters:
        return current(self, GeneratorParameters())

    def _options(self, max_attempts: int, candidates: int) -> WritingOptions:
        writing = self._given.writing
        return replace(
            writing,
            max_attempts=max_attempts or writing.max_attempts,
            candidates=min(candidates, MOST_CANDIDATES) or writing.candidates,
        )

    def _open_backend(self) -> Backend:
        given = self._given
        self._model = model_name(given.model, given.lora)
        return backend_for(
            given.model,
            given,
            candidates=given.writing.candidates,
            prefix_store=Path(given.prefix_store).expanduser() if given.prefix_store else None,
            warn=self.get_logger().warning,
            tell=self.get_logger().info,
        )

    def _open_verifier(self) -> FromHere:
        given = self._given
        files = RuleFiles(self._domain, given.map, given.policies)
        self._rules = CurrentRules(files, tell=self._tell_rules, behaviour=True)
        return FromHere(self._rules, self._past)

    def _tell_rules(self, rules: Rules, fault: ConfigError | None) -> None:
        if fault is not None:
            self.get_logger().error(f"nothing is written until it can be used: {fault}")
        else:
            self.get_logger().info(f"the map or the policies have changed: {rules.sha256[:12]}")


class _Cancel:
    """Set when the client cancels its goal, or the node is ending or was deactivated."""

    def __init__(self, goal: ServerGoalHandle, *ends: threading.Event) -> None:
        self._goal = goal
        self._ends = ends

    def is_set(self) -> bool:
        return self._goal.is_cancel_requested or any(end.is_set() for end in self._ends)


def main(args: list[str] | None = None) -> int:
    return run_node(GeneratorNode, args=args)


if __name__ == "__main__":
    sys.exit(main())
