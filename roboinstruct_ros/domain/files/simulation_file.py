"""Reads the world file of a robot that is simulated by its domain."""

from __future__ import annotations

from pathlib import Path

from pydantic import model_validator

from roboinstruct_ros.domain.configuration import load_yaml
from roboinstruct_ros.domain.files.domain_faults import simulation_faults
from roboinstruct_ros.domain.simulation import Simulation
from roboinstruct_ros.domain.skills import Domain


def load_simulation(domain: Domain, path: Path | None) -> Simulation:
    """Read a world file for a robot that is simulated by its domain; None selects the domain's own
    world.

    Raises:
        ConfigError: the file is missing, or uses names that the domain does not know.
    """
    if path is None:
        return domain.simulation

    class OfThisDomain(Simulation):
        @model_validator(mode="after")
        def _known(self) -> OfThisDomain:
            for fault in simulation_faults(domain, self):
                raise fault
            return self

    return load_yaml(path, OfThisDomain)
