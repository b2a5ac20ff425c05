"""The map file and the policies file, which an operator may change while the stack runs."""

from __future__ import annotations

import hashlib
from pathlib import Path

from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.policies import SHIPPED, Policies, load_policies
from roboinstruct_ros.domain.semantic_map import SemanticMap, load_semantic_map
from roboinstruct_ros.domain.skills import Domain


class RuleFiles:
    """The files on disk by which programs are judged.

    Attributes:
        domain: the domain against which the policies are checked.
        map_path, policies_path: None for a file that is not used.
        paths: the files that are used.
    """

    def __init__(self, domain: Domain, map_name: str = "", policies: str = "") -> None:
        """Resolve the names given as parameters.

        Args:
            map_name: path or shipped name of a map; empty leaves the rooms open.
            policies: path of the policies; empty selects the shipped file for the shipped robot.

        Raises:
            ConfigError: there is no shipped map of that name.
        """
        self.domain = domain
        self.map_path = find_world(map_name) if map_name else None
        self.policies_path = Path(policies).expanduser() if policies else None
        if self.policies_path is None and domain.is_service_robot:
            self.policies_path = shared_file(SHIPPED)
        self.paths = tuple(path for path in (self.map_path, self.policies_path) if path)

    def fingerprint(self) -> str:
        """Hash of the current contents of the files; unreadable files contribute their error
        number."""
        whole = hashlib.sha256()
        for path in self.paths:
            try:
                content = path.read_bytes()
            except OSError as error:
                content = f"cannot be read: {error.errno}".encode()
            whole.update(hashlib.sha256(content).digest())
        return whole.hexdigest()

    def read(self) -> tuple[SemanticMap | None, Policies]:
        """Read the current map and policies.

        Raises:
            ConfigError: one of them is invalid.
        """
        rooms = load_semantic_map(self.map_path) if self.map_path else None
        return rooms, load_policies(self.domain, self.policies_path, rooms)
