"""Which recorded runs to keep."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.domain.option import option


@dataclass(frozen=True, kw_only=True)
class RetentionOptions:
    """Retention limits. A successful run never displaces an unsuccessful one."""

    keep_runs: int = option(
        0,
        "number of runs to keep; runs that succeeded are deleted first",
        0,
        1_000_000,
        lowest="all",
    )
    keep_gigabytes: float = option(
        20.0,
        "disk space for recorded runs; runs that succeeded are deleted first",
        0,
        1_000_000,
        "GB",
        lowest="no limit",
    )
    keep_days: float = option(
        0.0, "how long to keep a run that succeeded", 0, 36_500, "days", lowest="for ever"
    )
    keep_failed_days: float = option(
        0.0, "how long to keep a run that did not succeed", 0, 36_500, "days", lowest="for ever"
    )
