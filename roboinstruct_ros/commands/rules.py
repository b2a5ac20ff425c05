"""What programs are verified against: domain, map and policies, as the command line names them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.policies import Policies, load_policies, policy_names
from roboinstruct_ros.domain.semantic_map import SemanticMap, load_semantic_map
from roboinstruct_ros.domain.shared_files import shared_file
from roboinstruct_ros.domain.skills import HERE, Domain, load_domain
from roboinstruct_ros.domain.world_names import SERVICE_ROBOT, find_domain, find_world


@dataclass(frozen=True)
class Rules:
    """A domain, a map (None leaves the rooms open) and the policies that hold."""

    domain: Domain
    semantic_map: SemanticMap | None
    policies: Policies


def read_rules(
    world: str, open_world: bool, domain: str, policies: str, switched_on: tuple[str, ...]
) -> Rules:
    """Read the files that the options name.

    Args:
        policies: path of a policies file; empty is the shipped one, for the shipped robot.
        switched_on: names of policies that hold even where the file does not enable them.

    Raises:
        ConfigError: one of them cannot be used.
    """
    skills = load_domain(find_domain(domain))
    has_rooms = HERE in [predicate.name for predicate in skills.predicates]
    rooms = None if open_world or not has_rooms else load_semantic_map(find_world(world))
    if not policies and domain != SERVICE_ROBOT:
        rules, path = Policies(), Path(domain)
    else:
        path = Path(policies) if policies else shared_file("config/policies.yaml")
        rules = load_policies(skills, path)
    try:
        return Rules(skills, rooms, rules.switched_on(switched_on))
    except KeyError as error:
        name = str(error.args[0])
        raise ConfigError(path, 0, "", policy_names(rules, name)) from None
