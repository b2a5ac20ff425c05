"""The rules that programs are verified against (domain, map, policies), from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.policies import SHIPPED, Policies, load_policies, policy_names
from roboinstruct_ros.domain.semantic_map import SemanticMap, load_semantic_map
from roboinstruct_ros.domain.skills import Domain, domain_named


class Rules(NamedTuple):
    """A domain, a map (None leaves the rooms open) and the policies in force."""

    domain: Domain
    semantic_map: SemanticMap | None
    policies: Policies


def read_rules(
    world: str, open_world: bool, domain: str, policies: str = "", switched_on: tuple[str, ...] = ()
) -> Rules:
    """Read the files that the options name.

    Args:
        policies: path of a policies file; empty for the shipped one, with the shipped robot.
        switched_on: names of policies to enable even if the file does not.

    Raises:
        ConfigError: one of them cannot be used.
    """
    skills = domain_named(domain)
    rooms = None if open_world or not skills.has_rooms else load_semantic_map(find_world(world))
    rules = load_policies(skills, Path(policies) if policies else None, rooms)
    path = policies or (shared_file(SHIPPED) if skills.is_service_robot else domain)
    try:
        return Rules(skills, rooms, rules.switched_on(switched_on))
    except KeyError as error:
        name = str(error.args[0])
        raise ConfigError(path, 0, "", policy_names(rules, name)) from None
