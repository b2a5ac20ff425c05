"""Node `sim_robot` for a robot described by its domain file alone."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from std_msgs.msg import String

from roboinstruct_msgs.action import CallSkill, Say
from roboinstruct_ros import names
from roboinstruct_ros.domain.files.simulation_file import load_simulation
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.skills import Skill, domain_named
from roboinstruct_ros.nodes.qos import LATCHED
from roboinstruct_ros.nodes.skill_interfaces import SkillInterface, interface_of
from roboinstruct_ros.skill_servers.declared.parameters import DeclaredParameters
from roboinstruct_ros.skill_servers.declared.world import DeclaredWorld
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.kit.skill_server import SkillServer, run_server
from roboinstruct_ros.skill_servers.kit.work import Call


class DeclaredRobot(SkillServer):
    """Serves every skill of a domain; `DeclaredWorld` applies their effects."""

    def __init__(self) -> None:
        """Raises ConfigError if the domain, the map or the world cannot be used."""
        super().__init__(names.SIM_ROBOT_NODE, DeclaredParameters)
        given = self.parameters
        domain = domain_named(given.domain)
        rooms = load_semantic_map(find_world(given.map)).room_names if given.map else ()
        simulation = load_simulation(
            domain, Path(given.world).expanduser() if given.world else None
        )
        self._seconds = simulation.seconds
        self._world = DeclaredWorld(domain, simulation, rooms, given.seed)
        self._speech = self.create_publisher(String, names.SPEECH_TOPIC, 10)
        self._state = self.create_publisher(String, names.SIMULATED_STATE_TOPIC, LATCHED)
        self._show()
        offered = [(skill, interface_of(skill)) for skill in domain.skills]
        self.serve(
            actions=[self._action(*one) for one in offered if one[1].is_action],
            services=[self._service(*one) for one in offered if not one[1].is_action],
        )

    def _action(self, skill: Skill, interface: SkillInterface) -> tuple[Any, str, Any]:
        changes = bool(skill.effects or skill.adds or skill.books)

        def ready(call: Call) -> Fault | None:
            try:
                return self._world.fault(skill, interface.arguments(call.request))
            except ValueError as error:
                return Fault(SkillErrorCode.INVALID_ARGUMENT, f"the arguments: {error}")

        def do(call: Call) -> Fault | None:
            arguments = interface.arguments(call.request)
            if interface.kind is CallSkill:
                call.feedback.phase = skill.name.replace("_", " ")
            elif interface.kind is Say:
                self._speech.publish(String(data=call.request.message))
            factor = self.parameters.speed_factor
            if changes and factor > 0 and call.over.wait(self._seconds / factor):
                return None
            with self.lock:
                if call.over.is_set():  # a stop arrived just now: apply no effects
                    return None
                interface.fill(call.result, self._world.do(skill, arguments))
                self._show()
            return None

        return self.work.skill(
            interface.kind, interface.name, do, "skill_limit", ready, moves=changes
        )

    def _service(self, skill: Skill, interface: SkillInterface) -> tuple[Any, str, Any]:
        def answer(_: Any, response: Any) -> Fault | None:
            with self.lock:
                interface.fill(response, self._world.do(skill, {}))
            return None

        return interface.kind, interface.name, answer

    def _show(self) -> None:
        self._state.publish(String(data=json.dumps(self._world.state())))


def main(args: list[str] | None = None) -> int:
    return run_server(DeclaredRobot, args, names.SIM_ROBOT_NODE)


if __name__ == "__main__":
    sys.exit(main())
