"""Evaluates a model on held-out pairs, by family.

Example: `python -m roboinstruct_ros.learn.evaluate_model MODEL.gguf --pairs 200`.

Counts exact texts, accepted programs and equal behaviour on held-out pairs, with greedy decoding
through llama-cpp-python. `--sets` selects pairs with words, phrasings and task shapes of training
(`train`), with names (`unseen_names`), phrasings (`unseen_phrasings`) or task shapes
(`unseen_shapes`) that training never draws, and repairs (`repair`). No instruction of a set is
within edit similarity 0.6 of another one of its family. `roboinstruct eval` evaluates a model on
suites of tasks.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.evaluate.behaviour import same_behaviour
from roboinstruct_ros.generate.backends.llama_loading import plain_kernels
from roboinstruct_ros.learn.draw import Split
from roboinstruct_ros.learn.examples import Kind, example_of
from roboinstruct_ros.learn.families.families import HEAD, pairs
from roboinstruct_ros.learn.families.repairs import Repair
from roboinstruct_ros.learn.near_duplicates import Kept, pattern_of
from roboinstruct_ros.verify.service.worker import VerifierWorker

MAX_TOKENS = 500
WORLDS = 20
SETS = (*(split.value for split in Split), Kind.REPAIR.value)


@dataclass(frozen=True)
class Case:
    """One held-out example.

    Attributes:
        text: what a person typed.
        program: the reference.
    """

    family: str
    text: str
    prompt: str
    program: str


@dataclass
class Score:
    """Counts of one family."""

    total: int = 0
    exact: int = 0
    accepted: int = 0
    same: int = 0
    missed: list[tuple[Case, str]] = field(default_factory=list)

    def row(self, name: str) -> str:
        """One line of the table."""
        shares = (self.exact / self.total, self.accepted / self.total, self.same / self.total)
        return f"| {name} | {self.total} | " + " | ".join(f"{100 * s:.1f} %" for s in shares) + " |"


def cases(name: str, seed: int) -> Iterator[Case]:
    """Endless cases of a set, no two of a family alike."""
    kept = Kept()
    for case in _drawn(name, seed):
        pattern = pattern_of(case.text, case.program)
        if not kept.is_near(case.family, pattern):
            kept.add(case.family, pattern)
            yield case


def _drawn(name: str, seed: int) -> Iterator[Case]:
    if name != Kind.REPAIR.value:
        for pair in pairs(seed, Split(name)):
            yield Case(pair.family, pair.instruction, pair.prompt, pair.program)
    domain = load_domain()
    for index in count():
        example = example_of(Kind(name), seed, index, domain)
        if isinstance(example, Repair):
            yield Case(example.kind, example.instruction, example.prompt, example.program)


def greedy_writer(model: Path, threads: int) -> Callable[[str], str]:
    """A function from prompt to program, with greedy decoding."""
    import llama_cpp

    with plain_kernels(llama_cpp):
        llama: Any = llama_cpp.Llama(str(model), n_ctx=1024, n_threads=threads, verbose=False)

    def write(prompt: str) -> str:
        answer = llama.create_completion(prompt, max_tokens=MAX_TOKENS, temperature=0.0)
        return HEAD + str(answer["choices"][0]["text"]).rstrip("\n") + "\n"

    return write


def evaluate(write: Callable[[str], str], held: list[Case]) -> dict[str, Score]:
    """Scores by family."""
    scores: dict[str, Score] = defaultdict(Score)
    with closing(VerifierWorker(load_domain())) as verifier:
        for case in held:
            _count(scores[case.family], case, write(case.prompt), verifier)
    return scores


def _count(score: Score, case: Case, source: str, verifier: VerifierWorker) -> None:
    exact = source == case.program
    accepted = verifier.verify(source).accepted
    same = exact or (accepted and same_behaviour(source, case.program, WORLDS))
    score.total += 1
    score.exact += exact
    score.accepted += accepted
    score.same += same
    if not same:
        score.missed.append((case, source))


def table(scores: dict[str, Score]) -> str:
    """The scores as Markdown, with the total in the last line."""
    everything = Score()
    lines = [
        "| family | cases | exact text | accepted | same behaviour |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, score in sorted(scores.items()):
        lines.append(score.row(name))
        everything.total += score.total
        everything.exact += score.exact
        everything.accepted += score.accepted
        everything.same += score.same
    return "\n".join([*lines, everything.row("**all**")])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", help="a GGUF file")
    parser.add_argument(
        "--pairs", type=int, default=300, help="cases of each held-out set of pairs"
    )
    parser.add_argument("--sets", nargs="*", choices=SETS, default=SETS)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1, help="0 is by the size of the model")
    parser.add_argument("--misses", type=int, default=0, help="show this many misses a family")
    return parser


def main() -> None:
    """Command line of the evaluation."""
    arguments = _parser().parse_args()
    write = greedy_writer(Path(arguments.model), arguments.threads)
    held = {
        name: list(islice(cases(name, arguments.seed), arguments.pairs)) for name in arguments.sets
    }
    for name, of_name in held.items():
        scores = evaluate(write, of_name)
        print(f"\n{name}\n\n{table(scores)}", flush=True)
        for score in scores.values():
            for case, source in score.missed[: arguments.misses]:
                print(f"\n--- {case.family}: {case.text}\n{source}wanted:\n{case.program}")


if __name__ == "__main__":
    main()
