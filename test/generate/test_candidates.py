"""Several texts side by side in the real llama.cpp: each is what it would be alone."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.generate.backends.backend import CandidateText, Draw, Request
from roboinstruct_ros.generate.backends.constrained_decoding import admits
from roboinstruct_ros.generate.backends.grammar import grammars_for
from roboinstruct_ros.generate.backends.llama_cpp_backend import LlamaCppBackend
from roboinstruct_ros.generate.backends.llama_opening import LlamaCppSettings

SHIPPED = Path(__file__).parents[2] / "models" / "roboinstruct-small.gguf"
# Words that the model does not know leave it many ways to go on.
PROMPT = "# Instruction: Surprise everybody upstairs with something nice.\ndef task_program():\n"
REQUEST = Request(PROMPT, 200)
NEVER = threading.Event()
LIKELIEST = Draw(0.0, 1)
HOT = [Draw(2.0, seed) for seed in range(2, 9)]


@pytest.fixture(scope="module")
def backend() -> Iterator[LlamaCppBackend]:
    backend = LlamaCppBackend(LlamaCppSettings(SHIPPED, candidates=8))
    backend.load()
    yield backend
    backend.unload()


def drawn(
    backend: LlamaCppBackend, draws: Sequence[Draw], request: Request = REQUEST
) -> tuple[dict[int, str], list[CandidateText]]:
    texts: dict[int, str] = defaultdict(str)
    ends = []
    for new in backend.draw(request, draws, set(), NEVER):
        texts[new.index] += new.text
        if new.ended:
            ends.append(new)
    return dict(texts), ends


def alone(backend: LlamaCppBackend, draw: Draw = LIKELIEST) -> str:
    request = Request(PROMPT, 200, draw.temperature, draw.seed)
    return "".join(token.text for token in backend.stream(request, NEVER))


def test_the_likeliest_text_is_the_same_beside_others(backend: LlamaCppBackend) -> None:
    texts, ends = drawn(backend, [LIKELIEST, *HOT])
    assert texts[0] == alone(backend)
    assert len(ends) == 8 and len(set(texts.values())) > 2


def test_the_likeliest_text_tells_how_likely_it_is_alone_and_beside_others(
    backend: LlamaCppBackend,
) -> None:
    by_itself = [token.log_p for token in backend.stream(REQUEST, NEVER)]
    beside = [new for new in backend.draw(REQUEST, [LIKELIEST, *HOT], set(), NEVER)]
    weights = [new.log_p for new in beside if new.index == 0]
    assert len(weights) > 10 and all(w is not None and w <= 0.0 for w in weights)
    assert sum(filter(None, by_itself)) == pytest.approx(sum(filter(None, weights)), abs=0.05)
    assert sum(filter(None, weights)) < -0.1, "nobody can be sure of what this asks for"
    assert all(new.log_p is None for new in beside if new.index)


def test_the_same_seeds_give_the_same_texts(backend: LlamaCppBackend) -> None:
    assert drawn(backend, HOT)[0] == drawn(backend, HOT)[0]


def test_every_candidate_keeps_to_the_grammar(backend: LlamaCppBackend) -> None:
    grammar = grammars_for(load_domain(), None).any_room
    texts, ends = drawn(backend, HOT, Request(PROMPT, 200, grammar=grammar))
    cut = {end.index for end in ends if end.cut_off}
    whole = [text for index, text in texts.items() if index not in cut]
    assert whole
    for text in whole:
        assert admits(backend._llama, grammar, text.rstrip("\n") + "\n"), text


def test_a_dropped_candidate_is_not_written_on(backend: LlamaCppBackend) -> None:
    dropped: set[int] = set()
    texts: dict[int, int] = defaultdict(int)
    for new in backend.draw(REQUEST, [LIKELIEST, *HOT], dropped, NEVER):
        texts[new.index] += 1
        if new.index == 3:
            dropped.add(3)
    assert texts[3] == 1 and texts[0] > 10


def test_candidates_that_the_cache_has_no_room_for_give_way_to_the_first(tmp_path: Path) -> None:
    backend = LlamaCppBackend(LlamaCppSettings(SHIPPED, n_ctx=256))
    backend.load()
    long = "# Instruction: Check every bedroom for a teddy bear, then come back and tell me.\n"
    request = Request(long + "def task_program():\n", 200)
    texts, ends = drawn(backend, [LIKELIEST] * 16, request)
    cut = sorted(end.index for end in ends if end.cut_off)
    assert texts[0] == "".join(token.text for token in backend.stream(request, NEVER))
    assert cut and cut == list(range(cut[0], 16)) and cut[0] > 0
    backend.unload()


def test_more_candidates_than_one_context_holds_come_in_turns(backend: LlamaCppBackend) -> None:
    texts, _ = drawn(backend, [LIKELIEST] * 20)
    assert set(texts) == set(range(20)) and texts[19]


def test_a_cancel_ends_all_and_the_next_request_is_served(backend: LlamaCppBackend) -> None:
    before, cancel = alone(backend), threading.Event()
    stream = backend.draw(REQUEST, [LIKELIEST, *HOT], set(), cancel)
    next(stream)
    cancel.set()
    assert list(stream) == []
    assert alone(backend) == before


def test_a_stream_that_is_left_in_the_middle_frees_the_model(backend: LlamaCppBackend) -> None:
    before = alone(backend)
    stream = backend.draw(REQUEST, [LIKELIEST, *HOT], set(), NEVER)
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert alone(backend) == before


def test_room_for_candidates_is_beside_the_context() -> None:
    contexts = []
    for candidates in (1, 8):
        backend = LlamaCppBackend(LlamaCppSettings(SHIPPED, candidates=candidates))
        backend.load()
        contexts.append(backend.describe().context)
        backend.unload()
    assert contexts[0] == contexts[1] == 1024
