"""Node `moveit_skills`: `pick` and `place` on a robot with MoveIt."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from std_msgs.msg import String

from roboinstruct_msgs.action import Pick, Place
from roboinstruct_ros import names
from roboinstruct_ros.domain.configuration import load_yaml
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.nodes.node_process import BAD_INPUT
from roboinstruct_ros.nodes.qos import LATCHED
from roboinstruct_ros.skill_servers.kit.action_stop import ActionStop
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.kit.motion_guard import MotionGuard
from roboinstruct_ros.skill_servers.kit.skill_server import SkillServer, run_server
from roboinstruct_ros.skill_servers.kit.work import Call
from roboinstruct_ros.skill_servers.moveit.arm_process import NOT_YET
from roboinstruct_ros.skill_servers.moveit.grasp_config import GraspsEntry
from roboinstruct_ros.skill_servers.moveit.gripper import ActionGripper
from roboinstruct_ros.skill_servers.moveit.manipulation_goal import Job
from roboinstruct_ros.skill_servers.moveit.parameters import MoveItParameters
from roboinstruct_ros.skill_servers.moveit.pick_and_place import PickAndPlace
from roboinstruct_ros.skill_servers.moveit.remote_arm import RemoteArm
from roboinstruct_ros.skill_servers.moveit.sight import JointStates, ObjectSight
from roboinstruct_ros.skill_servers.perception.frames import make_frames
from roboinstruct_ros.skill_servers.perception.object_name_match import load_object_names

STOP_ANSWER = 1.0
"""Time (s) for the controllers to answer a test cancel before the arm moves."""
HALT_AGAIN = 0.02
"""Interval (s) between halts of an arm that has not ended its motion: a goal that MoveIt sends at
that moment misses the first."""
HALT_LIMIT = 5.0
"""Time (s) for which the halt is repeated."""
MOVEIT_EVENT_TOPIC = "trajectory_execution_event"
"""`std_msgs/String`; MoveIt's execution manager stops on "stop". Source: its topic of that name."""
ARM_AGAIN = 1.0
"""Delay (s) before restarting a MoveIt that waited in vain for something, which takes it 10 s."""
MAKE_ARM = "roboinstruct_ros.skill_servers.moveit.moveit_arm:make"
Work = Callable[[str, Job], "Fault | None"]


class MoveItSkills(SkillServer):
    """Serves the skills; `pick_and_place` has their steps."""

    def __init__(self, make_arm: str = MAKE_ARM) -> None:
        """Raises ConfigError if a file is unusable or messages are missing."""
        super().__init__(names.MOVEIT_SKILLS_NODE, MoveItParameters)
        given: MoveItParameters = self.parameters
        known = load_object_names(given.object_names or shared_file("config/object_names.yaml"))
        grasps = load_yaml(given.grasps or shared_file("config/grasps.yaml"), GraspsEntry)
        frames = make_frames(self, given.frames, given.frame_patience)
        sight = ObjectSight(self, frames, known, given.sight)
        joints = JointStates(self, given.joint_states)
        gripper = ActionGripper(
            self, given.gripper_action, given.gripper_scale, given.gripper_limit
        )
        self._moving = (*given.controllers, given.gripper_action)
        self._stop = ActionStop(self, self._moving)
        self.guard = self._guard = MotionGuard(self)
        self._event = self.create_publisher(String, MOVEIT_EVENT_TOPIC, 10)
        self._held = self.create_publisher(String, names.HELD_TOPIC, LATCHED)
        self._job, self._halter = Job(), threading.Thread()
        self._closing = threading.Event()
        self.arm = RemoteArm(make_arm, given.of_arm(self.get_namespace()), given.calls)
        warn = self.get_logger().warning
        self._hands = PickAndPlace(
            self.arm, gripper, joints, sight, grasps, known, given.pick, warn, self.stop_motion
        )
        self._held.publish(String(data=""))
        self._watching = threading.Thread(target=self._watch_arm, name="watch_arm", daemon=True)
        self._watching.start()
        self.serve(
            [
                self._skill(Pick, names.PICK_ACTION, self._hands.pick),
                self._skill(Place, names.PLACE_ACTION, self._hands.place),
            ]
        )

    def close(self) -> None:
        self._closing.set()  # no thread uses the node from here on
        super().close()
        for thread in (self._halter, self._watching):
            if thread.is_alive():
                thread.join(0.2)
        self.arm.close()

    def _skill(self, kind: Any, action: str, work: Work) -> Any:
        return self.work.skill(kind, action, partial(self._do, work), "goal_limit", self._ready)

    def _ready(self, call: Call) -> Fault | None:
        fault = self._why_not_ready()
        if fault is None:
            self.arm.begin()
            self._job = Job(call.feedback)
        return fault

    def _do(self, work: Work, call: Call) -> Fault | None:
        try:
            return self._why_unstoppable() or work(call.request.object, self._job)
        finally:
            held = self._hands.held
            self._held.publish(String(data=held.box.name if held else ""))

    def _why_not_ready(self) -> Fault | None:
        """Why a goal cannot begin, or None; a robot that could not be stopped must not move."""
        if not self.arm.ready.is_set():
            return Fault(SkillErrorCode.SERVER_UNAVAILABLE, "MoveIt is still starting")
        for action in self._moving:
            service = self.resolve_service_name(f"{action}/_action/cancel_goal")
            if self.count_services(service) == 0:
                message = f"nobody serves the action '{action}', by which the arm is stopped"
                return Fault(SkillErrorCode.SERVER_UNAVAILABLE, message)
        return None

    def _why_unstoppable(self) -> Fault | None:
        if self._stop.answers(STOP_ANSWER):
            return self._guard.why_unstoppable(self._moving)
        message = "a controller does not answer a cancel, and nothing moves that cannot be stopped"
        return Fault(SkillErrorCode.SERVER_UNAVAILABLE, message)

    def ailment(self) -> str:
        fault = None if self.work.busy else self._why_not_ready()
        return fault.message if fault else ""

    # Stopping the arm

    def stop_motion(self) -> None:
        """Stop the controllers first, as that depends on nothing else; MoveIt may hang."""
        self._stop.halt()
        self._job.cancelled.set()
        self.arm.stop()
        self._event.publish(String(data="stop"))
        if self.work.busy and not self._halter.is_alive():
            self._halter = threading.Thread(target=self._halt_on, daemon=True)
            self._halter.start()

    def _stop_others(self) -> None:
        self._stop.halt()
        self._event.publish(String(data="stop"))

    def _halt_on(self) -> None:
        deadline, job = time.monotonic() + HALT_LIMIT, self._job
        while time.monotonic() < deadline and not self._closing.wait(HALT_AGAIN):
            if not self.work.busy or job is not self._job:
                return
            self._stop_others()

    def _watch_arm(self) -> None:
        """Watch the arm's process: when it ends, stop what moves and restart."""
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
            self.leave(BAD_INPUT if code == BAD_INPUT else 1)
            return


def main(args: list[str] | None = None, make_arm: str = MAKE_ARM) -> int:
    return run_server(lambda: MoveItSkills(make_arm), args)


if __name__ == "__main__":
    sys.exit(main())
