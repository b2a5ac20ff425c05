"""How well a GGUF does on held-out pairs, by task family: exact text, verifier, same behaviour.

    python -m roboinstruct_ros.learn.evaluate_model models/roboinstruct-small.gguf --pairs 300

Runs greedily through llama-cpp-python, as the generator does.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.generate.llama_loading import plain_kernels
from roboinstruct_ros.learn.behaviour import same_behaviour
from roboinstruct_ros.learn.dataset import Pair, pairs, prompt_for
from roboinstruct_ros.learn.draw import Split
from roboinstruct_ros.verify.verifier import verify

HEAD = "def task_program():\n"
MAX_TOKENS = 500


@dataclass
class Score:
    """Counts of one family."""

    total: int = 0
    exact: int = 0
    accepted: int = 0
    same: int = 0
    missed: list[tuple[Pair, str]] = field(default_factory=list)

    def row(self, name: str) -> str:
        """One line of the table."""
        shares = (self.exact / self.total, self.accepted / self.total, self.same / self.total)
        return f"| {name} | {self.total} | " + " | ".join(f"{100 * s:.1f} %" for s in shares) + " |"


def greedy_writer(model: Path, threads: int) -> Callable[[str], str]:
    """A function from instruction to program with the model at temperature 0."""
    import llama_cpp

    with plain_kernels(llama_cpp):
        llama: Any = llama_cpp.Llama(str(model), n_ctx=1024, n_threads=threads, verbose=False)

    def write(instruction: str) -> str:
        answer = llama.create_completion(
            prompt_for(instruction), max_tokens=MAX_TOKENS, temperature=0.0
        )
        return HEAD + str(answer["choices"][0]["text"]).rstrip("\n") + "\n"

    return write


def evaluate(write: Callable[[str], str], held: list[Pair]) -> dict[str, Score]:
    """Scores by family."""
    domain = load_domain()
    scores: dict[str, Score] = defaultdict(Score)
    for pair in held:
        source = write(pair.instruction)
        score = scores[pair.family]
        score.total += 1
        exact = source == pair.program
        accepted = verify(source, domain).accepted
        same = exact or (accepted and same_behaviour(source, pair.program))
        score.exact += exact
        score.accepted += accepted
        score.same += same
        if not same:
            score.missed.append((pair, source))
    return scores


def table(scores: dict[str, Score]) -> str:
    """The scores as Markdown, with the sum in the last line."""
    everything = Score()
    lines = [
        "| family | pairs | exact text | accepted | same behaviour |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, score in sorted(scores.items()):
        lines.append(score.row(name))
        everything.total += score.total
        everything.exact += score.exact
        everything.accepted += score.accepted
        everything.same += score.same
    return "\n".join([*lines, everything.row("**all**")])


def main() -> None:
    """Command line of the evaluation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--pairs", type=int, default=300, help="pairs of each split")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--misses", type=int, default=0, help="show this many misses a family")
    arguments = parser.parse_args()
    write = greedy_writer(arguments.model, arguments.threads)
    for split in (Split.UNSEEN_NAMES, Split.UNSEEN_PHRASINGS):
        scores = evaluate(write, list(islice(pairs(arguments.seed, split), arguments.pairs)))
        print(f"\n{split.value}\n\n{table(scores)}", flush=True)
        for score in scores.values():
            for pair, source in score.missed[: arguments.misses]:
                print(f"\n--- {pair.family}: {pair.instruction}\n{source}wanted:\n{pair.program}")


if __name__ == "__main__":
    main()
