"""Runs the verifier over a sample of the dataset and tells the share of accepted pairs.

    python -m roboinstruct_ros.learn.check_dataset --pairs 3000

Exit status 1 when a pair is not accepted, with the pair and the violation.
"""

from __future__ import annotations

import argparse
import sys
from itertools import islice

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.learn.draw import Split
from roboinstruct_ros.learn.families import pairs
from roboinstruct_ros.verify.verifier import verify


def main() -> None:
    """Command line of the check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=5)
    arguments = parser.parse_args()
    domain, refused = load_domain(), 0
    for pair in islice(pairs(arguments.seed, Split.TRAIN), arguments.pairs):
        verdict = verify(pair.program, domain)
        if not verdict.accepted:
            refused += 1
            reasons = "; ".join(violation.message for violation in verdict.violations)
            print(f"{pair.family}: {pair.instruction}\n{pair.program}{reasons}\n")
    share = 100 * (1 - refused / arguments.pairs)
    print(f"{arguments.pairs} pairs, {share:.2f} % accepted")
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main()
