"""Verifies a sample of the pairs and prints the accepted share, by part.

Example: `python -m roboinstruct_ros.learn.pairs.check --pairs 3000`.

Exit status 1 if a pair is not accepted, with the pair and the violation.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial

from roboinstruct_ros.domain.answer import answer_in
from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap
from roboinstruct_ros.domain.skills import Domain, load_domain
from roboinstruct_ros.learn.draw import Split
from roboinstruct_ros.learn.pairs.draw_pair import make_pair
from roboinstruct_ros.learn.pairs.pair import Pair
from roboinstruct_ros.verify.verifier import verify
from roboinstruct_ros.verify.world.remains import Remains

MORE_ROOMS = 2
"""Rooms of a map in a prompt that are verified although the program does not name them."""


def fault(pair: Pair) -> str:
    """Why the verifier does not accept the pair's program; "" if it does."""
    if answer_in(pair.completion) is not None:
        return ""
    held: Remains = (
        ((("holding", pair.scene.holding), True),) if pair.scene.told and pair.scene.holding else ()
    )
    verdict = verify(pair.program, _domain(), _map_of(pair), remains=held)
    reasons = "; ".join(violation.message for violation in verdict.violations)
    return "" if verdict.accepted else reasons or verdict.status.value


@cache
def _domain() -> Domain:
    return load_domain()


def _map_of(pair: Pair) -> SemanticMap | None:
    """The relevant rooms of a told scene: those that the program names, and some others."""
    if not pair.scene.told:
        return None
    texts = set(re.findall(r'"([^"]*)"', pair.program)) - {""}
    named = [name for name in pair.scene.rooms if any(text in name for text in texts)]
    others = [name for name in pair.scene.rooms if name not in named][:MORE_ROOMS]
    return SemanticMap(tuple(Room(name, (), Pose(0, 0, 0)) for name in [*named, *others]))


def checked(seed: int, index: int, split: Split = Split.TRAIN) -> tuple[Pair, str]:
    """The pair with this number, and what is wrong with it."""
    pair = make_pair(seed, index, split)
    return pair, fault(pair)


def main() -> None:
    """Command line of the check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--split", type=Split, default=Split.TRAIN)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    drawn: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    with ProcessPoolExecutor(arguments.jobs) as pool:
        one = partial(checked, arguments.seed, split=arguments.split)
        for pair, reason in pool.map(one, range(arguments.pairs), chunksize=50):
            drawn.update(pair.family.split("+"))
            if reason:
                refused.update(pair.family.split("+"))
                print(f"{pair.family}: {pair.instruction}\n{pair.program}{reason}\n")
    for name, count in sorted(drawn.items()):
        print(f"{name:20} {count:6} {100 * (1 - refused[name] / count):7.2f} %")
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main()
