"""The verifier of the place that programs are written for."""

from __future__ import annotations

from collections.abc import Callable

from roboinstruct_ros.domain.policies import NO_POLICIES
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skills import Domain, load_domain
from roboinstruct_ros.evaluate.suite.case import Place
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Verdict


class PlaceVerifier:
    """One child, started anew where the place is another one."""

    def __init__(self, domain: Domain | None = None) -> None:
        self._domain = domain or load_domain()
        self._worker: VerifierWorker | None = None
        self._rooms: SemanticMap | None = None

    def at(self, place: Place) -> Callable[[str], Verdict]:
        """What judges programs that are to be carried out there."""
        if self._worker is None:
            self._worker = VerifierWorker(self._domain, place.rooms, behaviour=True)
        if place.rooms != self._rooms:
            self._worker.renew(place.rooms, NO_POLICIES)
            self._rooms = place.rooms
        return self._worker.verify

    def close(self) -> None:
        """End the child."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None
