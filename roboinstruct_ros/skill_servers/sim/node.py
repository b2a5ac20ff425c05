"""Node `sim_robot`: the eight skills as ROS servers on a simulated house."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from std_msgs.msg import String

from roboinstruct_msgs.action import Ask, GoTo, IsInRoom, Pick, Place, Say
from roboinstruct_msgs.srv import GetAllRooms, GetCurrentLocation
from roboinstruct_ros import names
from roboinstruct_ros.domain.files.world_file import load_world
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.nodes.qos import LATCHED
from roboinstruct_ros.skill_servers.kit.activity import Activity
from roboinstruct_ros.skill_servers.kit.fault import Fault, empty_argument
from roboinstruct_ros.skill_servers.kit.goal_runner import Begin, Finish
from roboinstruct_ros.skill_servers.kit.skill_server import SkillServer, run_server
from roboinstruct_ros.skill_servers.kit.touch import Touch
from roboinstruct_ros.skill_servers.sim.failures import Failure
from roboinstruct_ros.skill_servers.sim.house import House
from roboinstruct_ros.skill_servers.sim.loop import SimLoop
from roboinstruct_ros.skill_servers.sim.parameters import SimParameters
from roboinstruct_ros.skill_servers.sim.recording import Recording, fault_of


class SimRobot(SkillServer):
    """Serves the skills; `House` is the world, `SimLoop` its clock."""

    def __init__(self) -> None:
        """Raises ConfigError if the world cannot be used."""
        super().__init__(names.SIM_ROBOT_NODE, SimParameters)
        world = load_world(find_world(self.parameters.world))
        self.house = House(world, self.parameters.seed, self.parameters.rates)
        self.loop = SimLoop(self, self.house)
        self._recording = Recording(world.recorded)
        self._speech = self.create_publisher(String, names.SPEECH_TOPIC, 10)
        self._held = self.create_publisher(String, names.HELD_TOPIC, LATCHED)
        self._show_held()
        self._touch = Touch(self)
        house = self.house
        where = partial(self._answer, "get_current_location", "location", house.current_location)
        rooms = partial(self._answer, "get_all_rooms", "rooms", lambda: house.map.room_names)
        self.serve(
            actions=[
                (GoTo, names.GO_TO_ACTION, self._go_to),
                (Pick, names.PICK_ACTION, self._pick),
                (Place, names.PLACE_ACTION, self._place),
                (Say, names.SAY_ACTION, self._say),
                (Ask, names.ASK_ACTION, self._ask),
                (IsInRoom, names.IS_IN_ROOM_ACTION, self._is_in_room),
            ],
            services=[
                (GetCurrentLocation, names.GET_CURRENT_LOCATION_SERVICE, where),
                (GetAllRooms, names.GET_ALL_ROOMS_SERVICE, rooms),
            ],
        )
        self.loop.start()
        self.get_logger().info(
            f"world '{world.name}': {len(world.rooms)} rooms, {len(self.house.things)} objects, "
            f"{len(self.house.people)} people; the robot is in the {world.start}"
        )

    def stop_motion(self) -> None:
        self.loop.halt()

    def close(self) -> None:
        super().close()
        self.loop.stop()

    # Actions

    def _go_to(self, goal: Any) -> GoTo.Result:
        def begin(activity: Activity) -> Fault | None:
            journey = self.house.go_to(goal.request.location)
            if isinstance(journey, Fault):
                return journey
            activity.motion, activity.duration = journey.motion, journey.duration
            activity.ending = journey.fault
            return None

        def feedback(activity: Activity) -> GoTo.Feedback:
            motion = activity.motion
            return GoTo.Feedback(
                current_pose=self.loop.pose(),
                distance_remaining=motion.distance_left(activity.elapsed) if motion else 0.0,
                estimated_time_remaining=self._wall_time(activity.time_left),
            )

        activity = Activity("go_to", moves=True)
        return self._carry_out(goal, activity, GoTo.Result(), begin, feedback)

    def _pick(self, goal: Any) -> Pick.Result:
        house, phases = self.house, ("approach", "grasp", "lift")
        return self._manipulate(goal, Pick, phases, house.check_pick, house.pick)

    def _place(self, goal: Any) -> Place.Result:
        house, phases = self.house, ("approach", "lower", "release")
        return self._manipulate(goal, Place, phases, house.check_place, house.place)

    def _carry_out(
        self, goal: Any, activity: Activity, result: Any, begin: Begin, feedback: Any,
        finish: Finish = lambda result: None, settle: Callable[[], object] = lambda: None,
    ) -> Any:  # fmt: skip
        begin, finish = self._recording.goal(goal.request, begin, finish)
        return self.goals.carry_out(goal, activity, result, begin, feedback, finish, settle)

    def _manipulate(
        self,
        goal: Any,
        kind: Any,
        phases: tuple[str, ...],
        check: Callable[[str], Fault | None],
        do: Callable[[str], Fault | None],
    ) -> Any:
        name, skill = goal.request.object, kind.__name__.lower()
        duration = getattr(self.house.world.durations, skill)
        activity = Activity(skill, moves=True, duration=duration)

        def feedback(activity: Activity) -> Any:
            part = activity.elapsed / activity.duration if activity.duration else 1.0
            phase = phases[min(int(part * len(phases)), len(phases) - 1)]
            left = self._wall_time(activity.time_left)
            return kind.Feedback(phase=phase, estimated_time_remaining=left)

        def finish(_: Any) -> Fault | None:
            fault = do(name)
            self._show_held()  # before the skill reports its end
            return fault

        result = self._carry_out(
            goal, activity, kind.Result(), lambda _: check(name), feedback, finish
        )
        self.loop.show_world()
        return result

    def _show_held(self) -> None:
        held = self.house.held
        self._held.publish(String(data=held.name if held else ""))

    def _say(self, goal: Any) -> Say.Result:
        def begin(_: Activity) -> Fault | None:
            if not goal.request.message.strip():
                return empty_argument("message")
            self._speech.publish(String(data=goal.request.message))
            return None

        def feedback(activity: Activity) -> Say.Feedback:
            return Say.Feedback(estimated_time_remaining=self._wall_time(activity.time_left))

        activity = Activity("say", duration=self.house.world.durations.say)
        return self._carry_out(goal, activity, Say.Result(), begin, feedback)

    def _ask(self, goal: Any) -> Ask.Result:
        asked = goal.request
        activity = Activity("ask", duration=self.house.world.durations.ask)
        person: Any = None

        def begin(activity: Activity) -> Fault | None:
            nonlocal person
            person = self.house.find_person(asked.person, asked.question, asked.options)
            if isinstance(person, Fault):
                return person
            activity.ending = self.house.leaves(person)
            live = (person.entry.live or self.parameters.live_answers) and not activity.ending
            if live:
                activity.duration = None
                activity.patience = self.parameters.ask_timeout
            self._touch.ask(activity, goal, person.name, live)
            return None

        def feedback(activity: Activity) -> Ask.Feedback:
            if activity.duration is None:
                return Ask.Feedback(phase="waiting", time_remaining=activity.patience_left)
            left = self._wall_time(activity.time_left)
            return Ask.Feedback(phase="asking", time_remaining=left)

        def finish(result: Ask.Result) -> Fault | None:
            if activity.duration is None:
                result.answer = activity.answer
            else:
                result.answer = self.house.answer(person, asked.question, asked.options)
            return None

        settle = partial(self._touch.close, activity)
        return self._carry_out(goal, activity, Ask.Result(), begin, feedback, finish, settle)

    def _is_in_room(self, goal: Any) -> IsInRoom.Result:
        result = IsInRoom.Result()

        def begin(activity: Activity) -> Fault | None:
            found = self.house.is_in_room(goal.request.object)
            if isinstance(found, Fault):
                return found
            result.present = found
            activity.end()
            return None

        activity = Activity("is_in_room", moves=True)
        return self._carry_out(goal, activity, result, begin, lambda _: IsInRoom.Feedback())

    # Services

    def _answer(
        self, skill: str, field: str, ask: Callable[[], Any], _: Any, response: Any
    ) -> Fault | None:
        """Answer a service as recorded, else as the house is now."""
        with self.lock:
            call = self._recording.next(skill)
            answer = (fault_of(call) or call.result) if call else ask()
        if isinstance(answer, Fault):
            return answer
        setattr(response, field, answer)
        return None

    def parameters_changed(self, names: set[str]) -> None:
        for failure in Failure:
            if failure.value in names:
                self.house.chance.set_rate(failure, self.parameters.rates.get(failure))

    def _wall_time(self, simulated: float) -> float:
        factor = self.parameters.speed_factor
        return simulated / factor if factor > 0 else 0.0


def main(args: list[str] | None = None) -> int:
    return run_server(SimRobot, args, names.SIM_ROBOT_NODE)


if __name__ == "__main__":
    sys.exit(main())
