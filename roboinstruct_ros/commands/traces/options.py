"""Options of `roboinstruct replay`."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.domain.option import option


@dataclass(frozen=True, kw_only=True)
class ReplayOptions:
    """Depths, settings and output files; an empty file name writes nothing."""

    calls: bool = option(False, "run the recorded programs again", flag="--calls")
    verdict: bool = option(False, "verify the programs again", flag="--verdict")
    program: bool = option(
        False, "generate the programs again, and compare what they do", flag="--program"
    )
    simulate: bool = option(False, "run the tasks on the simulated robot", flag="--simulate")
    world: str = option("", "verify with this world or map; empty: the recorded one")
    policies: str = option("", "verify with this policies YAML; empty: the recorded policies")
    model: str = option("", "model that generates the programs; empty: the shipped one")
    speed: float = option(50.0, "simulation speed as a multiple of real time", 0.1, 50.0)
    jobs: int = option(0, "number of processes", 0, 256, lowest="one per core")
    junit: str = option("", "write the results to this file as JUnit XML")
    html: str = option("", "write a summary to this file as one HTML page")
    store: str = option(
        "", "keep the results in this file, and skip replays that are already in it"
    )
    tolerances: str = option("", "YAML: how far simulated times may differ from recorded ones")
    ray: str = option("", "address of a Ray cluster to run on; local starts one here")
    accept: bool = option(False, "save the present results as the expected ones", flag="--accept")
