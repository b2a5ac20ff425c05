"""Parameters of the recorder node."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.domain.files.world_names import SERVICE_ROBOT
from roboinstruct_ros.domain.option import option
from roboinstruct_ros.nodes.rule_options import DOMAIN, RUNS
from roboinstruct_ros.trace.retention_options import RetentionOptions


@dataclass(frozen=True, kw_only=True)
class RecorderOptions(RetentionOptions):
    """All parameters of the node; they apply to the stack as a whole."""

    domain: str = option(SERVICE_ROBOT, DOMAIN)
    directory: str = option("", RUNS)
    failure_cases: str = option(
        "", "folder for regression cases, one for each failed run; empty: make none"
    )
    metrics_file: str = option("", "file for counters in Prometheus text format; empty: write none")
