"""Node `moveit_skills`: `pick` and `place` on a robot with MoveIt."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node
from std_msgs.msg import String

from roboinstruct_msgs.action import Pick, Place
from roboinstruct_ros import names
from roboinstruct_ros.domain.shared_files import shared_file
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.nodes.node_process import BAD_INPUT, run_node
from roboinstruct_ros.nodes.qos import LATCHED
from roboinstruct_ros.skill_servers.kit.action_stop import ActionStop
from roboinstruct_ros.skill_servers.kit.activity import Activities, Activity
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.kit.goal_runner import GoalRunner
from roboinstruct_ros.skill_servers.kit.goal_watch import GoalWatch, MovingPart
from roboinstruct_ros.skill_servers.kit.internal_fault import internal_fault
from roboinstruct_ros.skill_servers.moveit import parameters as moveit_parameters
from roboinstruct_ros.skill_servers.moveit.arm_process import NOT_YET
from roboinstruct_ros.skill_servers.moveit.grasp_config import load_grasps
from roboinstruct_ros.skill_servers.moveit.gripper import ActionGripper
from roboinstruct_ros.skill_servers.moveit.manipulation_goal import Job
from roboinstruct_ros.skill_servers.moveit.pick_and_place import PickAndPlace
from roboinstruct_ros.skill_servers.moveit.remote_arm import RemoteArm
from roboinstruct_ros.skill_servers.moveit.sight import JointStates, ObjectSight
from roboinstruct_ros.skill_servers.perception.frames import make_frames
from roboinstruct_ros.skill_servers.perception.node import vision_msgs
from roboinstruct_ros.skill_servers.perception.object_name_match import load_object_names

THREADS = 8
"""A goal blocks one; the rest answer cancels, stops, the gripper and the joints."""
REASON_WAIT = 0.2
"""s that whoever took a motion away gets to say why, before the goal counts as cancelled."""
SETTLE = 0.07
"""s that the arm gets to say that it has stopped, before the goal says so itself."""
STOP_ANSWER = 1.0
"""s that the controllers get to answer a cancel of nothing, before the arm moves."""
GOALS_LIMIT = 0.4
"""s that goals get to end when the node does."""
HALT_AGAIN = 0.02
"""s between two halts of an arm that has not ended its motion: a goal that MoveIt sends just then
misses the first."""
HALT_LIMIT = 5.0
"""s for which it is halted again."""
MOVEIT_EVENT_TOPIC = "trajectory_execution_event"
"""`std_msgs/String`; MoveIt's execution manager stops on "stop". Source: its topic of that name."""
ARM_AGAIN = 1.0
"""s before MoveIt is started again that waited in vain for something, which takes it 10 s."""
MAKE_ARM = "roboinstruct_ros.skill_servers.moveit.moveit_arm:make"


class MoveItSkills(Node):
    """Serves the skills; a pick itself is `pick_and_place`, in a thread of its own."""

    def __init__(self, make_arm: str = MAKE_ARM) -> None:
        """Declares parameters, reads the files, starts the arm's process, offers the skills.

        Raises:
            ConfigError: a file or a parameter cannot be used, or messages are not installed.
            ParameterException: a parameter has the wrong type or is out of range.
        """
        super().__init__(names.MOVEIT_SKILLS_NODE)
        given = self.parameters = moveit_parameters.declare(self)
        known = load_object_names(given.object_names or shared_file("config/object_names.yaml"))
        grasps = load_grasps(given.grasps or shared_file("config/grasps.yaml"))
        limits = (given.objects_silence, given.object_age, given.obstacle_age, given.reach)
        frames = make_frames(self, given.frames, given.frame_patience)
        sight = ObjectSight(self, vision_msgs().Detection3DArray, frames, known, limits)
        joints = JointStates(self, given.joint_states)
        self._gripper = ActionGripper(
            self, given.gripper_action, given.gripper_scale, given.gripper_limit
        )
        self._stop = ActionStop(self, (*given.controllers, given.gripper_action))
        self._event = self.create_publisher(String, MOVEIT_EVENT_TOPIC, 10)
        self._held = self.create_publisher(String, names.HELD_TOPIC, LATCHED)
        self._job, self._worker, self._halter = Job(), threading.Thread(), threading.Thread()
        self.exit_code = 0
        self._closing = threading.Event()
        self.arm = RemoteArm(make_arm, given.moveit, given.calls)
        self._hands = PickAndPlace(
            self.arm, self._gripper, joints, sight, grasps, known, given.pick, self._tell
        )
        self._activities = Activities()
        self._body = MovingPart(self._halt_arm, self._halt_arm)
        self._watch = GoalWatch(self, self._body, self._activities)
        self._goals = GoalRunner(self._body, self._activities, self._watch)
        self._watching = threading.Thread(target=self._watch_arm, name="watch_arm", daemon=True)
        self._watching.start()
        self._held.publish(String(data=""))
        self._offer()

    def halt(self) -> None:
        """Stands still, and ends the goal."""
        self._goals.close("the robot's manipulation skills are shutting down", GOALS_LIMIT)

    def close(self) -> None:
        """Ends the arm's process, when the node is spun no more."""
        self._closing.set()  # nobody touches the node from here on
        self._watch.close()
        for thread in (self._halter, self._watching):
            if thread.is_alive():
                thread.join(0.2)
        self.arm.close()

    def _offer(self) -> None:
        offered = [
            (Pick, names.PICK_ACTION, partial(self._run, "pick", Pick, self._hands.pick)),
            (Place, names.PLACE_ACTION, partial(self._run, "place", Place, self._hands.place)),
        ]
        group = ReentrantCallbackGroup()
        for kind, name, run in offered:
            self._goals.offer(self, kind, name, run, group)

    def _run(
        self, skill: str, kind: Any, work: Callable[[str, Job], Fault | None], goal: Any
    ) -> Any:
        name, limit = goal.request.object, self.parameters.goal_limit
        late = Fault(SkillErrorCode.TIMEOUT, f"the {name} could not be handled in {limit:g} s")
        activity = Activity(skill, True, None, patience=limit, out_of_patience=late)
        job = Job()

        def begin(activity: Activity) -> Fault | None:
            fault = self._why_not_ready()
            if fault is None:
                self.arm.begin()
                self._gripper.begin()
                self._job = job
                self._worker = threading.Thread(
                    target=self._work, args=(activity, work, name, job), name=skill, daemon=True
                )
                self._worker.start()
            return fault

        def feedback(_: Activity) -> Any:
            return kind.Feedback(phase=job.phase)

        def settle() -> None:
            if job is self._job and not self._worker_ended(SETTLE):
                self.get_logger().warning(
                    "told that the goal has ended before the arm confirmed it"
                )

        return self._goals.carry_out(goal, activity, kind.Result(), begin, feedback, settle=settle)

    def _work(
        self, activity: Activity, work: Callable[[str, Job], Fault | None], name: str, job: Job
    ) -> None:
        try:
            fault = self._why_unstoppable() or work(name, job)
        except Exception as error:  # a goal must end, whatever happens in it
            self._halt_arm()
            fault = internal_fault(self, activity.skill, error)
        held = self._hands.held
        self._held.publish(String(data=held.box.name if held else ""))
        if fault is not None and fault.code is SkillErrorCode.CANCELED:
            # the motion is taken away first; whoever did it says why right after
            activity.over.wait(REASON_WAIT)
        with self._body.lock:
            activity.end(fault)

    def _why_not_ready(self) -> Fault | None:
        """What keeps a goal from beginning; a robot that could not be stopped does not move."""
        if self._worker.is_alive():
            message = "the arm has not ended the goal before; it was told to stop"
            return Fault(SkillErrorCode.BUSY, message)
        if not self.arm.ready.is_set():
            return Fault(SkillErrorCode.SERVER_UNAVAILABLE, "MoveIt is still starting")
        for action in (*self.parameters.controllers, self.parameters.gripper_action):
            service = self.resolve_service_name(f"{action}/_action/cancel_goal")
            if self.count_services(service) == 0:
                message = f"nobody serves the action '{action}', by which the arm is stopped"
                return Fault(SkillErrorCode.SERVER_UNAVAILABLE, message)
        return None

    def _why_unstoppable(self) -> Fault | None:
        if self._stop.answers(STOP_ANSWER):
            return None
        message = "a controller does not answer a cancel, and nothing moves that cannot be stopped"
        return Fault(SkillErrorCode.SERVER_UNAVAILABLE, message)

    # What stops the arm

    def _halt_arm(self) -> None:
        """Tells the controllers first, as that needs nobody else, then MoveIt: it may hang."""
        self._stop.halt()
        self._job.cancelled.set()
        self.arm.stop()
        self._gripper.stop()
        self._event.publish(String(data="stop"))
        if self._worker.is_alive() and not self._halter.is_alive():
            self._halter = threading.Thread(target=self._halt_on, args=(self._worker,), daemon=True)
            self._halter.start()

    def _stop_others(self) -> None:
        self._stop.halt()
        self._event.publish(String(data="stop"))

    def _halt_on(self, worker: threading.Thread) -> None:
        deadline = time.monotonic() + HALT_LIMIT
        while worker.is_alive() and time.monotonic() < deadline:
            if self._closing.wait(HALT_AGAIN):
                return
            if worker.is_alive():
                self._stop_others()

    def _worker_ended(self, limit: float) -> bool:
        if self._worker.is_alive():
            self._worker.join(limit)
        return not self._worker.is_alive()

    def _watch_arm(self) -> None:
        """Without the arm's process nothing can be done: stop what moves, and start anew."""
        while not self._closing.wait(0.05):
            code = self.arm.exit_code
            if code is None:
                continue
            if code == NOT_YET:  # nothing has moved
                if not self._closing.wait(ARM_AGAIN):
                    self.arm.start()
                continue
            self._stop_others()
            if code != BAD_INPUT:
                self.get_logger().fatal(f"MoveIt's process has ended ({code}); starting again")
            self.exit_code = BAD_INPUT if code == BAD_INPUT else 1
            os.kill(os.getpid(), signal.SIGTERM)
            return

    def _tell(self, text: str) -> None:
        self.get_logger().warning(text)


def main(args: list[str] | None = None, make_arm: str = MAKE_ARM) -> int:
    """Runs the node until SIGINT or SIGTERM.

    Returns:
        0; 1 when it wants to be started again; 2 when it cannot be started as asked.
    """
    made: list[MoveItSkills] = []

    def make() -> MoveItSkills:
        made.append(MoveItSkills(make_arm))
        return made[0]

    code = run_node(make, threads=THREADS, args=args)
    return code or (made[0].exit_code if made else 0)


if __name__ == "__main__":
    sys.exit(main())
