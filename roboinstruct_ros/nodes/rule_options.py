"""Descriptions of the options that generator and executor share."""

MAP = (
    "world or map YAML: a path or the name of a shipped one; programs may name only its rooms; "
    "empty: any room"
)
POLICIES = (
    "policies YAML that every program must obey; empty: the shipped one, for service_robot only"
)
DOMAIN = "skills YAML of the robot: a path, service_robot, arm or calendar"
RUNS = "folder for the recorded runs, one MCAP bag each; empty: ~/.ros/roboinstruct/runs"
LIBRARY = "file of tasks and their versions; empty: the user's own; none: keep no library"
