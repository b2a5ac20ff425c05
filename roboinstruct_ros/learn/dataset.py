"""Writes a dataset of instruction/program pairs for training.

Example: `python -m roboinstruct_ros.learn.dataset --out pairs.jsonl --pairs 10000 --seed 1`.

One JSON object per line: `number` (of the draw), `family`, `prompt`, `completion`; `learn.training
--examples` reads such a file. Pairs that the verifier does not accept are left out, and so are
pairs whose instruction is too similar to a kept one of its family (`near_duplicates`). The same
seed gives the same file. After an interruption, the same command resumes at the end of the file.

With `--as-drawn` the pairs are written as they are drawn, without a filter: all, or those of one
source. The shipped models are trained on these: the same pattern with other names is practice in
copying names.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from roboinstruct_ros.learn.draw import Split
from roboinstruct_ros.learn.near_duplicates import Kept, pattern_of
from roboinstruct_ros.learn.pairs.check import fault
from roboinstruct_ros.learn.pairs.draw_pair import SOURCES, make_pair

_REPORT_EVERY = 500
_TOGETHER = 100
"""Pairs that a process draws at a time."""
ALL = "all"
"""Pairs of all sources in their shares, for `--as-drawn`."""


class NotADataset(ValueError):
    """The file to resume has other content."""


def rows(
    seed: int, kept: Kept, start: int = 0, split: Split = Split.TRAIN
) -> Iterator[dict[str, Any]]:
    """Endless rows, from draw number `start` on; `kept` contains the patterns of earlier rows."""
    for number in count(start):
        pair = make_pair(seed, number, split)
        pattern = pattern_of(pair.instruction, pair.program)
        if kept.is_near(pair.family, pattern) or fault(pair):
            continue
        kept.add(pair.family, pattern)
        texts = {"prompt": pair.prompt, "completion": pair.completion}
        yield {"number": number, "family": pair.family, **texts}


def begun(path: Path, seed: int, split: Split, kept: Kept) -> tuple[int, int]:
    """The number of rows in a file, and the next draw; adds the rows to `kept`.

    An incomplete last line is removed.

    Raises:
        NotADataset: a line is not what this seed gives.
    """
    if not path.exists():
        return 0, 0
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    if whole != text:
        path.write_bytes(whole)
    at, number = 0, -1
    for at, line in enumerate(whole.decode().splitlines(), start=1):
        try:
            row = json.loads(line)
            pair = make_pair(seed, number := row["number"], split)
        except (ValueError, KeyError, TypeError) as error:
            raise NotADataset(f"{path}:{at}: is no row of a data set ({error})") from error
        if pair.prompt != row.get("prompt"):
            raise NotADataset(f"{path}:{at}: is not of --seed {seed} and --split {split.value}")
        kept.add(pair.family, pattern_of(pair.instruction, pair.program))
    return at, number + 1


def write(path: Path, wanted: int, seed: int, split: Split = Split.TRAIN) -> int:
    """Fill the file up to `wanted` rows; returns the total number of draws.

    Raises:
        NotADataset: the file has other content.
    """
    kept = Kept()
    done, number = begun(path, seed, split, kept)
    more = rows(seed, kept, number, split)
    with path.open("a", encoding="utf-8") as file:
        while done < wanted:
            row = next(more)
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            done, number = done + 1, row["number"] + 1
            if done % _REPORT_EVERY == 0:
                file.flush()
                print(f"{done} of {wanted} pairs, {number} drawn", file=sys.stderr, flush=True)
    return number


def write_as_drawn(path: Path, source: str, wanted: int, seed: int) -> None:
    """Write the first pairs of a source; an existing file is complete, and stays."""
    if path.exists():
        return
    made = path.with_name(f".{path.name}.part")
    line = partial(_line, seed, "" if source == ALL else source)
    with made.open("w", encoding="utf-8") as file, ProcessPoolExecutor() as cores:
        for done, drawn in enumerate(cores.map(line, range(wanted), chunksize=_TOGETHER), start=1):
            file.write(drawn)
            if done % _REPORT_EVERY == 0:
                print(f"{done} of {wanted} pairs", file=sys.stderr, flush=True)
    made.replace(path)


def _line(seed: int, source: str, number: int) -> str:
    pair = make_pair(seed, number, source=source)
    row = {"number": number, "prompt": pair.prompt, "completion": pair.completion}
    return json.dumps(row, ensure_ascii=False) + "\n"


def main() -> None:
    """Command line of the dataset."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--split", default=Split.TRAIN.value, choices=[s.value for s in Split])
    parser.add_argument("--as-drawn", choices=[ALL, *SOURCES], help="with no filter")
    arguments = parser.parse_args()
    try:
        if arguments.as_drawn:
            arguments.out.parent.mkdir(parents=True, exist_ok=True)
            write_as_drawn(arguments.out, arguments.as_drawn, arguments.pairs, arguments.seed)
            return
        drawn = write(arguments.out, arguments.pairs, arguments.seed, Split(arguments.split))
    except (NotADataset, OSError) as error:
        sys.exit(f"--out: {error}")
    print(f"{arguments.out}: {arguments.pairs} pairs, {drawn} drawn")


if __name__ == "__main__":
    main()
