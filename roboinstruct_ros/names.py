"""Every ROS name of the stack, once.

All names but one are relative, so a launch `namespace` moves the whole stack; frames are absolute.
Nodes whose name begins with `_` are hidden from ROS tools: they have no parameters, and
`ros2 param list` would wait 5 s for those of each.
"""

# Nodes
GENERATOR_NODE = "generator"
EXECUTOR_NODE = "executor"
SKILL_CLIENTS_NODE = "_executor_skills"
"""In the executor's process: the clients of the skills."""
VERIFY_SERVICE_NODE = "_executor_verifier"
"""In the executor's process: verifies for whoever asks."""
KIOSK_NODE = "kiosk"
RECORDER_NODE = "recorder"
SIM_ROBOT_NODE = "sim_robot"
PERCEPTION_NODE = "perception"
MOVEIT_SKILLS_NODE = "moveit_skills"
NAV2_SKILLS_NODE = "nav2_skills"
MOTION_STOP_NODE = "motion_stop"
SPEECH_NODE = "speech"


def stop_link_node(owner: str) -> str:
    """In the process of the node `owner`: its stops and heartbeats."""
    return f"_{owner}_stop_link"


# Actions and services of the stack
GENERATE_PROGRAM_ACTION = "roboinstruct/generate_program"
EXECUTE_PROGRAM_ACTION = "roboinstruct/execute_program"
VERIFY_PROGRAM_SERVICE = "roboinstruct/verify_program"
STOP_SERVICE = "roboinstruct/stop"
PAUSE_SERVICE = "roboinstruct/pause"
FORGET_RUN_SERVICE = "roboinstruct/forget_run"

# Topics of the stack
EVENTS_TOPIC = "roboinstruct/events"
TASK_STATE_TOPIC = "roboinstruct/task_state"
INTERRUPTED_RUNS_TOPIC = "roboinstruct/interrupted_runs"
HEARTBEAT_TOPIC = "roboinstruct/heartbeat"
STOP_REQUEST_TOPIC = "roboinstruct/stop_request"

DIAGNOSTICS_TOPIC = "/diagnostics"
"""The one name that is absolute: every ROS tool looks for it there. Statuses name their node."""

# Skills
SKILLS = "skills"
"""A skill of another robot is an action below it, by the skill's own name."""
GO_TO_ACTION = "skills/go_to"
PICK_ACTION = "skills/pick"
PLACE_ACTION = "skills/place"
SAY_ACTION = "skills/say"
ASK_ACTION = "skills/ask"
ASK_FEEDBACK_TOPIC = f"{ASK_ACTION}/_action/feedback"
IS_IN_ROOM_ACTION = "skills/is_in_room"
GET_CURRENT_LOCATION_SERVICE = "skills/get_current_location"
GET_ALL_ROOMS_SERVICE = "skills/get_all_rooms"

SIMULATED_STATE_TOPIC = "skills/simulated_state"
"""What is so around a robot that is simulated by its domain file: JSON in `std_msgs/String`."""

# Talking with people
SPEECH_TOPIC = "skills/speech"
"""What the robot says: `std_msgs/String`."""
QUESTION_TOPIC = "skills/question"
"""What the robot asks now, latched: `Question`."""
ANSWER_TOPIC = "skills/answer"
"""A live person's answer, touched on a screen: `Answer`."""
HEARD_TOPIC = "skills/heard"
"""What was understood of everything that was said: `Utterance`."""
DICTATION_TOPIC = "skills/dictation"
"""What was dictated with the push-to-talk button down: `std_msgs/String`."""
PUSH_TO_TALK_TOPIC = "skills/push_to_talk"
"""The push-to-talk button, `std_msgs/Bool`: true while it is down."""
MICROPHONE_TOPIC = "skills/microphone"
"""Sound from a microphone elsewhere, `std_msgs/Int16MultiArray`: 16 kHz, mono."""

# What the robot's own skill servers tell each other
OBJECTS_TOPIC = "skills/objects"
"""What was seen, and when: `vision_msgs/Detection3DArray` in frame `map`."""
ASKED_NAMES_TOPIC = "skills/asked_names"
"""Names that programs asked for, latched, for detectors with an open vocabulary: `AskedNames`."""
HELD_TOPIC = "skills/held"
"""What the gripper holds, latched: `std_msgs/String`, empty when nothing."""

# Robot and viewers
ROBOT_POSE_TOPIC = "robot_pose"
ODOMETRY_TOPIC = "odom"
TRANSFORM_TOPIC = "tf"
"""`tf2_msgs/TFMessage`: `/tf`, or that of the namespace, as Nav2 has it."""
MARKERS_TOPIC = "world_markers"

# Frames
MAP_FRAME = "map"
BASE_FRAME = "base_link"

LONGEST_NAME = 200
"""Characters of the name of a thing, a person or a room; a longer one is none."""

HEARTBEAT_PERIOD = 0.1
"""Time between two heartbeats of a node, s."""
HEARTBEAT_TIMEOUT = 1.0
"""Silence after which a node counts as lost, s: the robot stands still, nothing new is sent."""
RESULT_PATIENCE = 4.0
"""Silence through which a result is still awaited, s: a computer at its limit may hold a node up
for longer than it takes to stop the robot, and the task need not end for that."""
