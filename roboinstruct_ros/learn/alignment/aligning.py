"""Aligns one instruction with its program."""

from __future__ import annotations

from dataclasses import dataclass, replace

from roboinstruct_ros.generate.back_translation import BEGINS, back_translation_prompt
from roboinstruct_ros.learn.alignment.judging import Judgement, asked, read_judgement
from roboinstruct_ros.learn.question import Kind, Question
from roboinstruct_ros.learn.records import Aligned, Pair, Why
from roboinstruct_ros.learn.writer import WriterOptions, seed_of, writer_of

JUDGE, BACK = "judge", "back"


@dataclass(frozen=True)
class AlignmentSetup:
    """How pairs are judged.

    Attributes:
        writer: the model that judges; None for no judge.
        scorer: the model whose probabilities are a second opinion; None for none.
        votes: judgements per instruction.
        least_back: mean log p of an instruction below which its pair is dropped; None drops none.
    """

    kind: Kind
    writer: WriterOptions | None
    scorer: WriterOptions | None
    seed: int
    votes: int
    temperature: float
    least_back: float | None


@dataclass(frozen=True)
class AlignedPair:
    """A pair after alignment.

    Attributes:
        why: the reason for dropping it; None if it is kept.
        read, written: tokens.
    """

    pair: Pair
    why: Why | None = None
    read: int = 0
    written: int = 0


def align(setup: AlignmentSetup, pair: Pair) -> AlignedPair:
    """The pair with the instruction that fits it, and its scores. Raises WriterError."""
    found = _judged(setup, setup.writer, pair) if setup.writer else AlignedPair(pair)
    if found.why or setup.scorer is None:
        return found
    words = f" {found.pair.instruction}"
    prompt = f"{back_translation_prompt(found.pair.program)}\n{BEGINS}"
    back = writer_of(setup.scorer).score(prompt, words)
    if back is None:
        return found
    scored = _with_score(found.pair, BACK, back)
    unlikely = setup.least_back is not None and back < setup.least_back
    if unlikely:
        return replace(_dropped(found, Why.UNLIKELY), pair=replace(scored, aligned=Aligned.DROPPED))
    return replace(found, pair=scored)


def _judged(setup: AlignmentSetup, writer: WriterOptions, pair: Pair) -> AlignedPair:
    """Keep the pair if at least half of the judgements say that it fits. Otherwise keep it with
    the first better instruction that a judgement suggests, if that one is confirmed."""
    found = _Votes(setup, writer, pair)
    share, better = found.of(pair.instruction)
    if share is None:
        return _dropped(found.so_far(pair), Why.UNREADABLE)
    if share >= 0.5:
        return found.so_far(_with_score(pair, JUDGE, share))
    if not better or better == pair.instruction:
        return _dropped(found.so_far(_with_score(pair, JUDGE, share)), Why.MISALIGNED)
    other = replace(pair, instruction=better, aligned=Aligned.REWRITTEN)
    again, _ = found.of(better)
    scored = found.so_far(_with_score(other, JUDGE, again or 0.0))
    return scored if (again or 0.0) >= 0.5 else _dropped(scored, Why.MISALIGNED)


class _Votes:
    """The judgements of one pair, with their token counts."""

    def __init__(self, setup: AlignmentSetup, writer: WriterOptions, pair: Pair) -> None:
        self._setup, self._writer, self._pair = setup, writer, pair
        self._read = self._written = self._asked = 0

    def of(self, instruction: str) -> tuple[float | None, str]:
        """The share of judgements that the instruction fits, None if there is no valid one; and
        the first suggested better instruction."""
        judgements = [self._judgement(instruction) for _ in range(self._setup.votes)]
        valid = [one for one in judgements if one is not None]
        if not valid:
            return None, ""
        better = next((one.asks for one in valid if one.asks and not one.fits), "")
        return sum(one.fits for one in valid) / len(valid), better

    def so_far(self, pair: Pair) -> AlignedPair:
        """The pair with the tokens of all judgements."""
        return AlignedPair(pair, None, self._read, self._written)

    def _judgement(self, instruction: str) -> Judgement | None:
        setup, pair = self._setup, self._pair
        self._asked += 1
        seed = seed_of(setup.seed, pair.id, self._asked)
        question = Question(setup.kind, asked(instruction, pair.program), setup.temperature, seed)
        said = writer_of(self._writer).ask(question)
        self._read += said.read
        self._written += said.written
        return read_judgement(said)


def _dropped(found: AlignedPair, why: Why) -> AlignedPair:
    return replace(found, pair=replace(found.pair, aligned=Aligned.DROPPED), why=why)


def _with_score(pair: Pair, name: str, value: float) -> Pair:
    return replace(pair, scores={**pair.scores, name: round(value, 4)})
