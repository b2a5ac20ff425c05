"""Verifies written tasks: `python -m roboinstruct_ros.learn.pairs.check_written [FILE ...]`.

Exit status 1 if an entry cannot be drawn, is not accepted by the verifier, or is too like a
sentence of a test set; each with the wording.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import yaml

from roboinstruct_ros.domain.answer import answer_in
from roboinstruct_ros.learn.draw import DoesNotFit, Draw, until
from roboinstruct_ros.learn.near_duplicates import MOST_SIMILAR, Known, pattern_of
from roboinstruct_ros.learn.pairs.check import fault
from roboinstruct_ros.learn.pairs.from_written import Written, pair_of, read_written, written

_CHECKOUT = Path(__file__).parents[3]
_TEXTS = ("text", "instruction", "phrasings")
"""Keys of the test sets whose values are sentences."""


def sentences(value: object, named: bool = False) -> Iterator[str]:
    """All sentences of a test set, however its file nests them."""
    if isinstance(value, str) and named:
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from sentences(each, key in _TEXTS)
    elif isinstance(value, list):
        for each in value:
            yield from sentences(each, named)


def held_out_sentences() -> Known:
    """The sentences of the test sets of this checkout, as patterns."""
    files = [
        *(_CHECKOUT / "test/generate").glob("*.yaml"),
        _CHECKOUT / "config/suites/service.yaml",
    ]
    texts = (
        text
        for file in files
        if file.is_file()
        for text in sentences(yaml.safe_load(file.read_text(encoding="utf-8")))
    )
    return Known(pattern_of(text, "") for text in texts)


def faults(entry: Written, known: Known, draws: int = 3) -> Iterator[str]:
    """What is wrong with an entry, a line each; only the first wording's programs are verified."""
    for said in entry.said:
        one = entry.model_copy(update={"said": [said]})
        for number in range(draws):
            draw = Draw(random.Random(f"{said}/{number}"))
            try:
                pair = until(partial(pair_of, draw, one))
            except (DoesNotFit, KeyError, AttributeError) as error:
                yield f"cannot be drawn ({type(error).__name__} {error}): {said}"
                break
            if pair.completion.lstrip().startswith("#") and answer_in(pair.completion) is None:
                yield f"is no answer: {entry.body}"
                break
            if said == entry.said[0] and (reason := fault(pair)):
                yield f"{reason}\n  {pair.instruction}\n{pair.completion}"
                break
            if known.nearest(pattern_of(pair.instruction, ""))[0] >= MOST_SIMILAR:
                yield f"too like a sentence of a test set: {said}"
                break


def main() -> None:
    """Command line of the check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    entries: Iterable[Written] = written()
    if arguments.files:
        entries = [entry for file in arguments.files for entry in read_written(file.read_text())]
    known = held_out_sentences()
    count = wrong = 0
    for entry in entries:
        count += len(entry.said)
        for line in faults(entry, known):
            wrong += 1
            print(line)
    print(f"{count} wordings, {wrong} with a fault")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
