"""Options of `roboinstruct replay`."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.domain.option import option


@dataclass(frozen=True, kw_only=True)
class ReplayOptions:
    """Depths, settings and output files; an empty file name writes nothing."""

    calls: bool = option(False, "run the programs again", flag="--calls")
    verdict: bool = option(False, "judge them again", flag="--verdict")
    program: bool = option(
        False, "have them written again, and compare what they do", flag="--program"
    )
    simulate: bool = option(False, "carry them out on the simulated robot", flag="--simulate")
    world: str = option("", "judge by this world or map; empty: by the recorded one")
    policies: str = option("", "judge by this policies YAML; empty: by the recorded ones")
    model: str = option("", "writes them again; empty: the shipped model")
    speed: float = option(50.0, "times faster than real time, simulated", 0.1, 50.0)
    jobs: int = option(0, "processes", 0, 256, lowest="one a core")
    junit: str = option("", "write the results here as JUnit XML")
    html: str = option("", "write a summary here as one page")
    store: str = option("", "keep here what is found; what is there already is not done again")
    tolerances: str = option("", "YAML: how far simulated times may be from the recorded ones")
    ray: str = option("", "do it on the Ray cluster of this address; local starts one")
    accept: bool = option(False, "expect from now on what is told now", flag="--accept")
