"""Parameters of the simulated robot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from roboinstruct_ros.domain.option import option
from roboinstruct_ros.skill_servers.sim.failures import Failure

AS_IN_FILE = -1

_rate = partial(
    option, float(AS_IN_FILE), low=float(AS_IN_FILE), high=1.0, lowest="as in the world file",
    live=True,
)  # fmt: skip

SPEED = partial(
    option, 1.0, "speed of the simulated robot; 1 is real time", 0.0, 1000.0,
    lowest="as fast as possible", live=True, flag="--speed",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class SimOptions:
    world: str = option(
        "home",
        "world or map YAML: a path or the name of a shipped one; for a robot without rooms, its "
        "simulated world, by default the domain's",
    )
    speed_factor: float = SPEED()


@dataclass(frozen=True, kw_only=True)
class SimParameters(SimOptions):
    given_seed: int = option(
        AS_IN_FILE, "seed of all random draws; the same seed and calls give the same results",
        AS_IN_FILE, 2**31 - 1, lowest="the world file's", name="seed",
    )  # fmt: skip
    navigation_blocked: float = _rate("probability that a drive is blocked")
    grasp_slipped: float = _rate("probability that a grasp slips")
    person_left: float = _rate("probability that a person has left")
    ask_timeout: float = option(
        60.0, "how long ask waits for a live answer", 0.1, 3600.0, "s", live=True
    )
    live_answers: bool = option(
        False, "every question waits for a live answer, whatever the world file says",
        live=True,
    )  # fmt: skip

    @property
    def seed(self) -> int | None:
        """None for the world file's seed."""
        return None if self.given_seed < 0 else self.given_seed

    @property
    def rates(self) -> dict[Failure, float]:
        """Probabilities that replace the world file's."""
        given = {failure: getattr(self, failure.value) for failure in Failure}
        return {failure: rate for failure, rate in given.items() if rate >= 0}
