"""Parameters of `nav2_skills`."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from roboinstruct_ros.domain.option import option
from roboinstruct_ros.skill_servers.nav2.drive import DriveSettings

_live = partial(option, live=True)


@dataclass(frozen=True)
class Nav2Parameters:
    map: str = option(
        "home", "map or world YAML with the rooms: a path or the name of a shipped one"
    )
    navigator: str = option("bt_navigator", "lifecycle node of Nav2 that must be active")
    localizer: str = option(
        "amcl", "lifecycle node of the localisation; empty if it is not a lifecycle node"
    )
    pose_topic: str = option(
        "amcl_pose", "topic of the pose, geometry_msgs/PoseWithCovarianceStamped in frame map"
    )
    largest_deviation: float = _live(
        1.0,
        "the robot counts as lost above this standard deviation of its position",
        0.0,
        100.0,
        "m",
        lowest="no limit",
    )
    ready_limit: float = _live(
        5.0, "how long go_to waits for Nav2 to be active, localised and stoppable", 0.1, 600.0, "s"
    )
    go_to_limit: float = _live(300.0, "maximum duration of one go_to", 1.0, 86400.0, "s")
    room_margin: float = option(
        0.3, "a robot up to this far outside its room counts as inside", 0.0, 10.0, "m"
    )
    room_radius: float = option(
        1.5, "radius around the pose of a room without a polygon", 0.0, 100.0, "m"
    )
    drive: DriveSettings = field(default_factory=DriveSettings)
