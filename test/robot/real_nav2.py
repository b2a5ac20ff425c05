"""The scenes of `nav2_scenes` against the real nav2_simple_commander and the real nav2_msgs.

    python test/robot/real_nav2.py

Needs both packages: from apt on Ubuntu (`ros-jazzy-nav2-simple-commander`), or as `build_nav2.py`
makes them. The servers are scripted, their types are real. Prints a line for each scene, with the
time until the robot stood still; exit code 1 if one failed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
KITS = [HERE.parent / kit for kit in ("robot", "skill_servers", "nodes", "waiting")]
sys.path[:0] = [str(folder) for folder in (*KITS, HERE.parents[1])]

import nav2_scenes as scenes  # noqa: E402
from goal_client import GoalClient  # noqa: E402
from nav2_contract import contract_faults  # noqa: E402
from nav2_robot import Nav2Robot, nav2_robot  # noqa: E402

from roboinstruct_msgs.action import ExecuteProgram  # noqa: E402
from roboinstruct_ros import names  # noqa: E402
from roboinstruct_ros.program.task_program import sha256_of  # noqa: E402
from roboinstruct_ros.skill_servers.nav2.commander import (  # noqa: E402
    navigate_to_pose,
    release_of,
)

DOMAIN = 98
EXECUTOR = [sys.executable, "-m", "roboinstruct_ros.nodes.executor.node", "--ros-args"]
TASK = """def task_program():
    go_to("kitchen")
    if get_current_location() == "kitchen":
        go_to("living room")
"""
Scene = Callable[[Nav2Robot], object]
PLAIN: list[tuple[Scene, dict[str, object]]] = [
    (scenes.goes_to_rooms_by_name_and_alias, {"room_margin": 3.0}),
    (scenes.clears_the_costmaps_and_tries_again, {"clear_pause": 0.1}),
    (scenes.tells_why_nav2_gave_up, {"ready_limit": 0.3}),
    (scenes.a_lost_executor_ends_the_drive, {}),
    (scenes.a_nav2_that_hangs_is_given_up, {"silence_limit": 0.5}),
    (scenes.a_nav2_that_never_ends_a_goal_is_left, {"silence_limit": 0.0, "ends_with": 1}),
    (scenes.an_end_that_hangs_in_nav2_is_seen, {"silence_limit": 0.0, "ends_with": 1}),
    (scenes.a_drive_that_takes_too_long_is_ended, {"go_to_limit": 1.0}),
    (scenes.a_pose_that_is_none_is_not_where_the_robot_is, {}),
    (scenes.says_where_the_robot_is_only_when_it_knows, {"localised": False}),
]
TIMED: list[Scene] = [
    scenes.cancels_at_once,
    scenes.stops_at_once,
    scenes.a_cancel_ends_its_own_goal_and_a_stop_everybodys,
    scenes.an_end_leaves_the_goals_of_others,
    scenes.a_stop_ends_what_others_have_sent,
    scenes.an_interrupted_node_ends_the_drive,
    scenes.a_killed_node_ends_the_drive,
]


def does_a_task_through_the_executor(robot: Nav2Robot) -> None:
    """Two rooms, by a verified and approved program, the executor between it and the robot."""
    executor = subprocess.Popen(
        [*EXECUTOR, "-p", "map:=home", "-p", "skill_server_nodes:=['nav2_skills']"]
    )
    try:
        client = GoalClient(robot.skills.node, ExecuteProgram, names.EXECUTE_PROGRAM_ACTION)
        assert client.wait_for_server(20)
        time.sleep(1.0)  # discovery of the executor's own clients; no test, so patience will do
        goal = ExecuteProgram.Goal(
            task_id="t1",
            instruction="go to the kitchen, then to the living room",
            source=TASK,
            program_sha256=sha256_of(TASK),
            approved_by="real_nav2.py",
        )
        handle = robot.skills.done(client.send_goal_async(goal))
        result = robot.skills.result(handle)[1]
        for call in result.calls:
            print(f"    {call.skill}({', '.join(call.arguments)}) -> {call.result or 'done'}")
        assert result.outcome == "succeeded", result.error_msg
        assert [(pose.x, pose.y) for pose in robot.nav2.goals] == [(10.0, 2.5), (19.0, 2.5)]
    finally:
        executor.terminate()
        executor.wait(5)


def main() -> int:
    from nav2_simple_commander.robot_navigator import BasicNavigator

    os.environ["ROS_DOMAIN_ID"] = str(DOMAIN)
    os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
    print(f"nav2_msgs: {release_of(navigate_to_pose()).value}")
    failures = contract_faults(BasicNavigator)
    print(f"BasicNavigator fits the contract: {failures or 'yes'}")
    plain = [*PLAIN, (does_a_task_through_the_executor, {})]
    timed = [(scene, {}) for scene in TIMED]
    for scene, given in (*plain, *timed):
        failures += run(scene, given)
    return 1 if failures else 0


def run(scene: Scene, given: dict[str, object]) -> list[str]:
    name = scene.__name__
    try:
        with nav2_robot(DOMAIN, **given) as robot:
            took = scene(robot)
    except Exception as error:
        print(f"FAILED {name}: {type(error).__name__}: {error}")
        return [name]
    print(f"ok     {name}{described(took) if isinstance(took, scenes.Stopped) else ''}")
    return []


def described(took: scenes.Stopped) -> str:
    told = "" if took.told is None else f", told after {took.told * 1e3:.0f} ms"
    return f": still after {took.still * 1e3:.0f} ms{told}"


if __name__ == "__main__":
    sys.exit(main())
