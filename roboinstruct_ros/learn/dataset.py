"""Writes a data set of instruction/program pairs, for people who fine-tune a bigger model.

    python -m roboinstruct_ros.learn.dataset --out pairs.jsonl --pairs 10000 --seed 1

One JSON object a line: `number` (of the draw), `family`, `instruction`, `program`. A pair that the
verifier does not accept is left out, and so is one whose instruction is too like a kept one of its
family (`near_duplicates`). The same seed gives the same file. Stopped at any time, the same command
goes on where the file ends.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.skills import Domain, load_domain
from roboinstruct_ros.learn.draw import Split
from roboinstruct_ros.learn.families.families import make_pair
from roboinstruct_ros.learn.near_duplicates import Kept, pattern_of
from roboinstruct_ros.verify.verifier import verify

_REPORT_EVERY = 500


class NotADataset(ValueError):
    """The file to go on with is something else."""


def rows(
    seed: int, domain: Domain, kept: Kept, start: int = 0, split: Split = Split.TRAIN
) -> Iterator[dict[str, Any]]:
    """Rows without end, from draw number `start` on; `kept` is what earlier rows have."""
    for number in count(start):
        pair = make_pair(seed, number, split)
        pattern = pattern_of(pair.instruction, pair.program)
        if kept.is_near(pair.family, pattern) or not verify(pair.program, domain).accepted:
            continue
        kept.add(pair.family, pattern)
        yield {
            "number": number,
            "family": pair.family,
            "instruction": pair.instruction,
            "program": pair.program,
        }


def rows_of(path: Path, seed: int, split: Split) -> list[dict[str, Any]]:
    """The rows of a file that was begun; a last line that was cut off is taken away.

    Raises:
        NotADataset: a line is not what this seed gives.
    """
    if not path.exists():
        return []
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    if whole != text:
        path.write_bytes(whole)
    found = []
    for at, line in enumerate(whole.decode().splitlines(), start=1):
        try:
            row = json.loads(line)
            pair = make_pair(seed, row["number"], split)
        except (ValueError, KeyError, TypeError) as error:
            raise NotADataset(f"{path}:{at}: is no row of a data set ({error})") from error
        if pair.instruction != row.get("instruction"):
            raise NotADataset(f"{path}:{at}: is not of --seed {seed} and --split {split.value}")
        found.append(row)
    return found


def write(path: Path, wanted: int, seed: int, split: Split = Split.TRAIN) -> int:
    """Fill the file up to `wanted` rows; returns how many draws that took in all.

    Raises:
        NotADataset: the file holds something else.
    """
    have = rows_of(path, seed, split)
    kept = Kept()
    for row in have:
        kept.add(row["family"], pattern_of(row["instruction"], row["program"]))
    number = have[-1]["number"] + 1 if have else 0
    done = len(have)
    more = rows(seed, load_domain(), kept, number, split)
    with path.open("a", encoding="utf-8") as file:
        while done < wanted:
            row = next(more)
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            done, number = done + 1, row["number"] + 1
            if done % _REPORT_EVERY == 0:
                file.flush()
                print(f"{done} of {wanted} pairs, {number} drawn", file=sys.stderr, flush=True)
    return number


def main() -> None:
    """Command line of the data set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--split", default=Split.TRAIN.value, choices=[s.value for s in Split])
    arguments = parser.parse_args()
    try:
        drawn = write(arguments.out, arguments.pairs, arguments.seed, Split(arguments.split))
    except (NotADataset, OSError) as error:
        sys.exit(f"--out: {error}")
    print(f"{arguments.out}: {arguments.pairs} pairs, {drawn} drawn")


if __name__ == "__main__":
    main()
