"""What may be worth trying on the map of now, before anything of it is proven."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from roboinstruct_ros.domain.files.rule_files import RuleFiles
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.program.wording import named
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.service.worker import sha256_of_rules


@dataclass(frozen=True)
class Offered:
    """Sentences to try, and the hash of domain, map and policies that they are tried under."""

    sentences: tuple[str, ...]
    rules_sha256: str


class Candidates:
    """Looks at the files of now; from any thread.

    Args:
        rooms: the map of now; None for a robot that has no map.
        files: domain and policies.
        given: sentences for a map that names none.
    """

    def __init__(
        self,
        rooms: Callable[[], SemanticMap] | None,
        files: RuleFiles,
        given: Sequence[str] = (),
    ) -> None:
        self._rooms, self._files, self._given = rooms, files, tuple(given)
        self._last: tuple[tuple[SemanticMap | None, str], Offered] | None = None

    def read(self) -> Offered:
        """What there is now. Raises ConfigError: the policies cannot be used."""
        seen = self._rooms() if self._rooms else None, self._files.fingerprint()
        last = self._last
        if last is not None and last[0] == seen:
            return last[1]
        rooms, (_, policies) = seen[0], self._files.read()
        rules = sha256_of_rules(self._files.domain, rooms, policies, Budget())
        offered = Offered(self._sentences(rooms), rules)
        self._last = seen, offered
        return offered

    def _sentences(self, rooms: SemanticMap | None) -> tuple[str, ...]:
        own = rooms.examples if rooms else ()
        return own or self._given or (_made_of(rooms) if rooms else ())


def _made_of(rooms: SemanticMap) -> tuple[str, ...]:
    first, last = named(rooms.room_names[0]), named(rooms.room_names[-1])
    return (f"Go to {last} and say hello", f"Look whether somebody is in {first} and tell me")
