"""The robot, place and verifier of a pipeline."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from roboinstruct_ros.domain.files.world_names import find_domain, find_world
from roboinstruct_ros.domain.instruction import one_line
from roboinstruct_ros.domain.semantic_map import SemanticMap, load_semantic_map
from roboinstruct_ros.domain.skills import Domain, load_domain
from roboinstruct_ros.generate.prompts.prompt import knows_places
from roboinstruct_ros.generate.prompts.robot_words import signature
from roboinstruct_ros.generate.prompts.surroundings import Surroundings
from roboinstruct_ros.generate.site import Site, site_for
from roboinstruct_ros.learn.pipeline.config import LearnConfig
from roboinstruct_ros.verify.service.worker import VerifierWorker


@dataclass(frozen=True)
class Setting:
    """Domain and map by name, so that other processes can open them.

    Attributes:
        domain_name, map_name: as in `LearnConfig`; None is the open world.
    """

    domain_name: str
    map_name: str | None = None

    @property
    def domain(self) -> Domain:
        """Raises ConfigError."""
        return _domain(self.domain_name)

    @property
    def rooms(self) -> SemanticMap | None:
        """Raises ConfigError."""
        return _rooms(self.map_name) if self.map_name else None

    @property
    def site(self) -> Site:
        """The site for the program writer. Raises ConfigError."""
        return site_for(self.domain, self.rooms)


def told_to(format_name: str, site: Site) -> Surroundings:
    """The description of robot and place in prompts of this format, by the generator's defaults."""
    there = site.surroundings
    return there if knows_places(format_name) else there.robot_alone


def skill_lines(domain: Domain) -> str:
    """The skills, one per line, with what each does."""
    lines = (f"- {signature(one)}: {one_line(one.description)}\n" for one in domain.skills)
    return "".join(lines)


@cache
def _domain(name: str) -> Domain:
    return load_domain(find_domain(name))


@cache
def _rooms(name: str) -> SemanticMap:
    return load_semantic_map(find_world(name))


def setting_of(config: LearnConfig) -> Setting:
    """The setting of a pipeline. Raises ConfigError: there is no such domain or map."""
    setting = Setting(config.domain, config.map)
    assert setting.domain is not None and (setting.rooms is not None or not config.map)
    return setting


@cache
def verifier_of(setting: Setting) -> VerifierWorker:
    """The verifier of this process, with behaviour in its verdicts. It ends with the process."""
    return VerifierWorker(setting.domain, setting.rooms, behaviour=True)
