"""Decides which camera frames are usable, and why none arrive. No ROS; times are s."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.kit.fault import Fault


@dataclass
class _Camera:
    count: int = 0
    accepted: float = 0.0
    stamp: float = -1.0
    refusal: Fault | None = None
    refused: float = 0.0


class CameraFrames:
    """Counts the usable frames of each source. A silent source is a fault, never a "no".

    Args:
        sources: topics of the detectors.
        age_limit: a frame with an older stamp is not used, s.
        silence_limit: a source without a usable frame for this long is silent, s.
    """

    def __init__(self, sources: Iterable[str], age_limit: float, silence_limit: float) -> None:
        self._cameras = {source: _Camera() for source in sources}
        self._age_limit, self._silence_limit = age_limit, silence_limit
        self._view_began = 0.0

    def begin_view(self, clock: float) -> None:
        """Use no frame that was taken before now, `clock` (s): a slow detector tells late of where
        the camera looked before."""
        self._view_began = clock

    def usable(self, source: str, stamp: float, clock: float, now: float) -> bool:
        """Whether to use a frame.

        Args:
            stamp: its time stamp, s; 0 if unset.
            clock: the current time on the clock of the stamps, s.
            now: the same moment on the monotonic clock, s.
        """
        camera = self._cameras[source]
        if stamp <= 0.0:
            return True
        limit = self._age_limit
        if clock >= self._view_began:  # otherwise the clock has gone back
            limit = min(limit, clock - self._view_began)
        if clock - stamp > limit:
            message = (
                f"the newest frame on '{source}' is {clock - stamp:.1f} s old; is the detector too "
                "slow, or are the clocks different?"
            )
            self.refuse(source, Fault(SkillErrorCode.SERVER_UNAVAILABLE, message), now)
            return False
        # Same stamp again: a frozen camera adds no evidence. One ahead of the clock was wrong, or
        # the clock has gone back.
        return stamp > camera.stamp or stamp < camera.stamp > clock

    def accept(self, source: str, stamp: float, now: float) -> None:
        camera = self._cameras[source]
        camera.count += 1
        camera.accepted, camera.stamp, camera.refusal = now, stamp, None

    def refuse(self, source: str, why: Fault, now: float) -> None:
        self._cameras[source].refusal, self._cameras[source].refused = why, now

    def counts(self) -> dict[str, int]:
        """Number of frames used per source."""
        return {source: camera.count for source, camera in self._cameras.items()}

    def silent(self, since: float, now: float) -> Fault | None:
        """Why a source has been silent for too long since `since` (s), or None."""
        for source, camera in self._cameras.items():
            if now - max(camera.accepted, since) <= self._silence_limit:
                continue
            if camera.refusal is not None and now - camera.refused <= self._silence_limit:
                return camera.refusal
            message = (
                f"no detections have come on '{source}' for {self._silence_limit:g} s; are the "
                "camera and its detector running?"
            )
            return Fault(SkillErrorCode.SERVER_UNAVAILABLE, message)
        return None
