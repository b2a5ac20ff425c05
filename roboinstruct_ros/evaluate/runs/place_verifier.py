"""The verifier for the place of the current case."""

from __future__ import annotations

from collections.abc import Callable

from roboinstruct_ros.domain.policies import NO_POLICIES
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.evaluate.suite.case import Place
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Verdict


class PlaceVerifier:
    """One child, restarted when the place changes.

    Args:
        behaviour: see `VerifierWorker`.
    """

    def __init__(self, domain: Domain, behaviour: bool = False) -> None:
        self._domain, self._behaviour = domain, behaviour
        self._worker: VerifierWorker | None = None
        self._map: SemanticMap | None = None

    def at(self, place: Place) -> Callable[[str], Verdict]:
        """The function that verifies programs for that place."""
        if self._worker is None:
            self._worker = VerifierWorker(self._domain, place.map, behaviour=self._behaviour)
        if place.map != self._map:
            self._worker.renew(place.map, NO_POLICIES)
            self._map = place.map
        return self._worker.verify

    def close(self) -> None:
        """End the child."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None
