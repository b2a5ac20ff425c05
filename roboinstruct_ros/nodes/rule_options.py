"""Descriptions of the options that generator and executor share."""

MAP = (
    "world or map YAML, path or shipped name; programs may name its rooms only; empty allows any "
    "room"
)
POLICIES = "policies YAML that every program must keep; empty is the shipped one, for service_robot"
DOMAIN = "skills YAML of the robot: a path or service_robot, arm, calendar"
RUNS = "folder that gets one MCAP bag a run; empty is ~/.ros/roboinstruct/runs"
LIBRARY = "file of the tasks and their versions; empty is the user's own, none keeps nothing"
