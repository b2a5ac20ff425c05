"""The name of a robot, by which robots of one user share files and keep their own things apart."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RobotName:
    """Whose a run, an approval in advance or a success is.

    Attributes:
        namespace: without slashes around it.
        skills: name of the skills' domain.
    """

    ros_domain: int = 0
    namespace: str = ""
    skills: str = ""

    def __str__(self) -> str:
        return f"{self.ros_domain}/{self.namespace}/{self.skills}"

    def owns(self, named: RobotName | None) -> bool:
        """Whether what has that name is this robot's. Files of older versions name none."""
        return named == self if named is not None else not self.namespace


ONLY_ROBOT = RobotName()
