"""Holds a commander class to what `nav2_skills` calls."""

from __future__ import annotations

import inspect

from roboinstruct_ros.skill_servers.nav2.commander import Commander


def contract_faults(kind: type) -> list[str]:
    """Where a class differs from `Commander` in names, arguments and their order."""
    faults = []
    for name, wanted in vars(Commander).items():
        if name.startswith("_") or not callable(wanted):
            continue
        have = getattr(kind, name, None)
        parameters = list(inspect.signature(have).parameters.values()) if have else []
        names = [p.name for p in parameters[: len(inspect.signature(wanted).parameters)]]
        needed = [p for p in parameters if p.default is inspect.Parameter.empty]
        given = list(inspect.signature(wanted).parameters)
        if names != given or not {p.name for p in needed} <= set(given):
            faults.append(f"{name}{have and inspect.signature(have)}")
    return faults
