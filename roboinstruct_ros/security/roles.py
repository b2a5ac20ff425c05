"""Who publishes, subscribes, serves and calls what: one role per process of the stack.

The table in `docs/security.md` and the permissions of a keystore are generated from it; a test
compares it with the running graph.
"""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros import names

CLI = "cli"
"""The role of every command-line process."""
ROBOT = "robot"
"""The robot's own nodes: drivers, Nav2, MoveIt and skill servers."""

STOP_LINK_TOPICS = (names.HEARTBEAT_TOPIC, names.STOP_REQUEST_TOPIC)
"""Every role publishes and subscribes to these: any process may stop the robot."""

SKILL_ACTIONS = (
    names.GO_TO_ACTION, names.PICK_ACTION, names.PLACE_ACTION, names.SAY_ACTION, names.ASK_ACTION,
    names.IS_IN_ROOM_ACTION,
)  # fmt: skip
SKILL_SERVICES = (names.GET_CURRENT_LOCATION_SERVICE, names.GET_ALL_ROOMS_SERVICE)
_TASK_ACTIONS = (names.GENERATE_PROGRAM_ACTION, names.EXECUTE_PROGRAM_ACTION)
_TASK_SERVICES = (names.STOP_SERVICE, names.PAUSE_SERVICE, names.FORGET_RUN_SERVICE)
_ROBOT_TOPICS = (
    names.SPEECH_TOPIC, names.QUESTION_TOPIC, names.HEARD_TOPIC, names.DICTATION_TOPIC,
    names.OBJECTS_TOPIC, names.ASKED_NAMES_TOPIC, names.HELD_TOPIC, names.PUSH_TO_TALK_TOPIC,
    names.MICROPHONE_TOPIC,
)  # fmt: skip
_LIFECYCLE = (
    "change_state", "get_state", "get_available_states", "get_available_transitions",
    "get_transition_graph",
)  # fmt: skip


@dataclass(frozen=True)
class Role:
    """Permissions of one process, in addition to those of every role.

    Attributes:
        name: name of its enclave and of its main node.
        nodes: its other nodes; `*` matches anything.
        publishes, hears: topics.
        serves, calls: services.
        carries_out, asks_for: actions, as server and as client.
        outside: it may also use everything outside the stack, as a robot's drivers must: drivers,
            transforms, Nav2, MoveIt.
    """

    name: str
    nodes: tuple[str, ...] = ()
    publishes: tuple[str, ...] = ()
    hears: tuple[str, ...] = ()
    serves: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    carries_out: tuple[str, ...] = ()
    asks_for: tuple[str, ...] = ()
    outside: bool = False

    @property
    def all_nodes(self) -> tuple[str, ...]:
        return (self.name, names.stop_link_node(self.name), *self.nodes)


ROLES = (
    Role(
        names.EXECUTOR_NODE,
        nodes=(names.SKILL_CLIENTS_NODE, names.VERIFY_SERVICE_NODE),
        publishes=(
            names.EVENTS_TOPIC, names.TASK_STATE_TOPIC, names.INTERRUPTED_RUNS_TOPIC,
            names.DIAGNOSTICS_TOPIC,
        ),
        hears=(names.HELD_TOPIC,),
        serves=(names.VERIFY_PROGRAM_SERVICE, *_TASK_SERVICES),
        calls=SKILL_SERVICES,
        carries_out=(names.EXECUTE_PROGRAM_ACTION,),
        asks_for=SKILL_ACTIONS,
    ),
    Role(
        names.GENERATOR_NODE,
        publishes=(names.EVENTS_TOPIC, names.DIAGNOSTICS_TOPIC, "generator/transition_event"),
        hears=(names.EVENTS_TOPIC, names.HELD_TOPIC, names.ROBOT_POSE_TOPIC),
        serves=tuple(f"generator/{service}" for service in _LIFECYCLE),
        carries_out=(names.GENERATE_PROGRAM_ACTION,),
    ),
    Role(
        names.KIOSK_NODE,
        publishes=(names.ANSWER_TOPIC, names.PUSH_TO_TALK_TOPIC),
        hears=(
            names.EVENTS_TOPIC, names.TASK_STATE_TOPIC, names.INTERRUPTED_RUNS_TOPIC,
            names.ROBOT_POSE_TOPIC, names.MARKERS_TOPIC, names.SPEECH_TOPIC, names.QUESTION_TOPIC,
            names.ASK_FEEDBACK_TOPIC, names.DICTATION_TOPIC, names.DIAGNOSTICS_TOPIC,
        ),
        calls=(names.VERIFY_PROGRAM_SERVICE, *_TASK_SERVICES),
        asks_for=(*_TASK_ACTIONS, names.SAY_ACTION),  # it announces what starts by itself
    ),
    Role(
        names.RECORDER_NODE,
        publishes=(names.EVENTS_TOPIC,),
        hears=(
            names.EVENTS_TOPIC, names.TASK_STATE_TOPIC, names.ODOMETRY_TOPIC,
            names.ROBOT_POSE_TOPIC, names.MARKERS_TOPIC,
        ),
    ),
    Role(
        CLI,
        nodes=("roboinstruct_*", names.stop_link_node("roboinstruct_*")),
        hears=(
            names.EVENTS_TOPIC, names.TASK_STATE_TOPIC, names.INTERRUPTED_RUNS_TOPIC,
            names.DIAGNOSTICS_TOPIC,
        ),
        calls=(*_TASK_SERVICES, "generator/list_parameters", "executor/list_parameters"),
        asks_for=_TASK_ACTIONS,
    ),
    Role(
        names.SIM_ROBOT_NODE,
        publishes=(
            names.ODOMETRY_TOPIC, names.ROBOT_POSE_TOPIC, names.TRANSFORM_TOPIC,
            names.MARKERS_TOPIC, names.HELD_TOPIC, names.SPEECH_TOPIC, names.QUESTION_TOPIC,
            names.DIAGNOSTICS_TOPIC,
        ),
        hears=(names.ANSWER_TOPIC,),
        serves=SKILL_SERVICES,
        carries_out=SKILL_ACTIONS,
    ),
    Role(
        names.NAV2_SKILLS_NODE,
        nodes=("roboinstruct_doctor",),
        publishes=(names.ROBOT_POSE_TOPIC, names.DIAGNOSTICS_TOPIC),
        serves=(names.GET_CURRENT_LOCATION_SERVICE, names.GET_ALL_ROOMS_SERVICE),
        carries_out=(names.GO_TO_ACTION,),
        outside=True,
    ),
    Role(names.MOTION_STOP_NODE, outside=True),
    Role(
        names.PERCEPTION_NODE,
        publishes=(names.OBJECTS_TOPIC, names.ASKED_NAMES_TOPIC, names.DIAGNOSTICS_TOPIC),
        hears=(names.HELD_TOPIC,),
        carries_out=(names.IS_IN_ROOM_ACTION,),
        outside=True,
    ),
    Role(
        names.MOVEIT_SKILLS_NODE,
        publishes=(names.HELD_TOPIC, names.DIAGNOSTICS_TOPIC),
        hears=(names.OBJECTS_TOPIC,),
        carries_out=(names.PICK_ACTION, names.PLACE_ACTION),
        outside=True,
    ),
    Role(
        names.SPEECH_NODE,
        publishes=(
            names.SPEECH_TOPIC, names.QUESTION_TOPIC, names.HEARD_TOPIC, names.DICTATION_TOPIC,
            names.DIAGNOSTICS_TOPIC,
        ),
        hears=(names.ANSWER_TOPIC, names.PUSH_TO_TALK_TOPIC, names.MICROPHONE_TOPIC),
        carries_out=(names.SAY_ACTION, names.ASK_ACTION),
    ),
    Role(
        ROBOT,
        publishes=(*_ROBOT_TOPICS, names.DIAGNOSTICS_TOPIC),
        hears=(names.ANSWER_TOPIC, names.TASK_STATE_TOPIC, *_ROBOT_TOPICS),
        serves=SKILL_SERVICES,
        carries_out=SKILL_ACTIONS,
        outside=True,
    ),
)  # fmt: skip

BY_NAME = {role.name: role for role in ROLES}
