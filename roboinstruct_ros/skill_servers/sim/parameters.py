"""Parameters of the simulated robot."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.skill_servers.kit.parameter import parameter
from roboinstruct_ros.skill_servers.sim.failures import Failure

AS_IN_FILE = -1


def _rate(failure: Failure) -> float:
    told = f"probability 0..1 of '{failure.value.replace('_', ' ')}'; -1 as in the world file"
    rate: float = parameter(float(AS_IN_FILE), told, float(AS_IN_FILE), 1.0, live=True)
    return rate


@dataclass(frozen=True)
class SimParameters:
    """What the simulated robot was started with, or told since."""

    world: str = parameter(
        "home", "world to simulate: the name of a shipped one (home, office, lab) or a YAML file"
    )
    speed_factor: float = parameter(
        1.0, "times faster than real time; 0 is as fast as possible", 0.0, 1000.0, live=True
    )
    given_seed: int = parameter(
        AS_IN_FILE,
        "seed of every random draw; -1 takes the world file's",
        AS_IN_FILE,
        2**31 - 1,
        name="seed",
    )
    navigation_blocked: float = _rate(Failure.NAVIGATION_BLOCKED)
    grasp_slipped: float = _rate(Failure.GRASP_SLIPPED)
    person_left: float = _rate(Failure.PERSON_LEFT)
    ask_timeout: float = parameter(
        60.0, "how long ask waits for an answer from outside, s", 0.1, 3600.0, live=True
    )
    live_answers: bool = parameter(
        False, "everybody waits for an answer from outside, whatever the world file says", live=True
    )

    @property
    def seed(self) -> int | None:
        """None for the world file's."""
        return None if self.given_seed < 0 else self.given_seed

    @property
    def rates(self) -> dict[Failure, float]:
        """Probabilities 0..1 that replace the world file's."""
        rates = {failure: getattr(self, failure.value) for failure in Failure}
        return {failure: rate for failure, rate in rates.items() if rate >= 0}
