"""Writes pairs that the verifier accepts as JSON lines, each with a prompt and its completion.

    python -m roboinstruct_ros.learn.pairs.write --out pairs.jsonl --pairs 20000 --seed 1

No two have the same prompt. Exit status 1 when more than one in a hundred was not accepted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count, islice
from pathlib import Path

from roboinstruct_ros.learn.draw import Split
from roboinstruct_ros.learn.pairs.check import checked
from roboinstruct_ros.learn.pairs.pair import Pair

TOLERATED = 0.01


def accepted_pairs(
    pool: ProcessPoolExecutor, seed: int, split: Split, pairs: int
) -> Iterator[tuple[Pair, str]]:
    """Drawn pairs with what is wrong with them, until `pairs` are right and different."""
    seen: set[str] = set()
    one = partial(checked, seed, split=split)
    for start in count(0, 2000):
        for pair, fault in pool.map(one, range(start, start + 2000), chunksize=50):
            if fault or pair.prompt not in seen:
                yield pair, fault
            if not fault:
                seen.add(pair.prompt)
            if len(seen) == pairs:
                return


def main() -> None:
    """Command line of the writer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--split", type=Split, default=Split.TRAIN)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    refused = 0
    with ProcessPoolExecutor(arguments.jobs) as pool, arguments.out.open("w") as file:
        drawn = accepted_pairs(pool, arguments.seed, arguments.split, arguments.pairs)
        for pair, fault in islice(drawn, None):
            if fault:
                refused += 1
                print(f"{pair.family}: {pair.instruction}\n{pair.program}{fault}\n")
                continue
            line = {"prompt": pair.prompt, "completion": pair.completion, "family": pair.family}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    print(f"{arguments.pairs} pairs in {arguments.out}, {refused} more were not accepted")
    sys.exit(1 if refused > TOLERATED * arguments.pairs else 0)


if __name__ == "__main__":
    main()
