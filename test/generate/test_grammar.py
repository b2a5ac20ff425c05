"""What constrained decoding lets a model write."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

import llama_cpp
import pytest

from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import BackendError
from roboinstruct_ros.generate.backends.constrained_decoding import (
    GrammarError,
    admits,
    constrained,
)
from roboinstruct_ros.generate.backends.grammar import Grammars, grammars_for, task_program_grammar
from roboinstruct_ros.generate.backends.llama_loading import plain_kernels
from roboinstruct_ros.generate.program_text import HEAD
from roboinstruct_ros.generate.prompts.examples import EXAMPLES
from roboinstruct_ros.verify.verifier import verify

HOME = load_semantic_map(find_world("home"))

WRITTEN = [
    'go_to("kitchen")',
    'x = ask("", "How many?", ["1", "2"])\nfor _ in range(int(x)):\n    say("a" + x)',
    "found = {}\nfound[get_current_location()] = is_in_room('cup')\nsay(f'{found}')",
    'if is_in_room("a") and not is_in_room("b"):\n    say("x")\nelif 1 < 2:\n    return\n'
    "else:\n    pass",
    "rooms = [r for r in get_all_rooms() if 'lab' in r]\nrooms.append('x')",
    'while True:\n    if is_in_room("person"):\n        break\n    time.sleep(1)',
    'try:\n    pick("cup")\nexcept SkillError as error:\n    say("no cup")',
    'n = 0\nn += 1\nsay(str(n) + " cups")\n# a note\n\nsay(message="done")',
    'place(obj="cup")\nreturn',
    'names = ", ".join(sorted(get_all_rooms())[:3])',
    "x = is_in_room('cup') is True or y is not None",
]
NOT_WRITTEN = [
    "import os",
    'open("x")',
    'fly_to("kitchen")',
    "go_to()",
    'go_to("kitchen", "study")',
    'pick("a", "b")',
    "x = (1).__class__",
    "x = y.real",
    "x = y is 'Yes'",
    "def f():\n    pass",
    "class A:\n    pass",
    "f = lambda: 1",
    "with x as y:\n    pass",
    "yield 1",
    "eval('1')",
    "x = 'a\nb'",
    "```",
    "Here is the program:",
    "if True:\npass",
]


@pytest.fixture(scope="module")
def llama() -> Iterator[Any]:
    model = str(shared_file("models/roboinstruct-small.gguf"))
    with plain_kernels(llama_cpp):
        llama = llama_cpp.Llama(model, n_ctx=512, n_threads=1, verbose=False)
    yield llama
    llama.close()


@pytest.fixture(scope="module")
def grammars() -> Grammars:
    return grammars_for(load_domain(), HOME)


def body(text: str) -> str:
    return textwrap.indent(text, "    ") + "\n"


@pytest.mark.parametrize("text", WRITTEN)
def test_a_task_program_can_be_written(llama: Any, grammars: Grammars, text: str) -> None:
    assert admits(llama, grammars.any_room, body(text))
    assert admits(llama, grammars.known_rooms, body(text))
    assert admits(llama, grammars.any_room, body(text).rstrip())  # no line break in the end


@pytest.mark.parametrize("text", NOT_WRITTEN)
def test_what_is_no_task_program_cannot(llama: Any, grammars: Grammars, text: str) -> None:
    assert not admits(llama, grammars.any_room, body(text))


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_in_the_prompt_fit(llama: Any, grammars: Grammars, example: str) -> None:
    assert admits(llama, grammars.any_room, example.partition(HEAD)[2])


def test_only_rooms_of_the_map_can_be_named(llama: Any, grammars: Grammars) -> None:
    strange = body('go_to("printer room")')
    assert admits(llama, grammars.any_room, strange)
    assert not admits(llama, grammars.known_rooms, strange)
    assert admits(
        llama, grammars.known_rooms, body("for room in get_all_rooms():\n    go_to(room)")
    )


def test_a_name_of_a_room_may_hold_anything(llama: Any) -> None:
    rooms = load_semantic_map(find_world("office"))
    grammar = task_program_grammar(load_domain(), rooms)
    for room in rooms.room_names:
        assert admits(llama, grammar, body(f'go_to("{room}")'))


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_model_that_knows_nothing_of_the_words_writes_a_program(
    llama: Any, grammars: Grammars, temperature: float
) -> None:
    words = "# Instruction: bring zxq from the qwv to the blorp and say vuk"
    prompt = llama.tokenize(f"{words}\n{HEAD}".encode(), add_bos=True)
    for seed in range(5):
        llama.set_seed(seed)
        text = b""
        with constrained(llama, grammars.known_rooms, temperature, seed):
            for token in llama.generate(prompt, temp=temperature):
                if token == llama.token_eos() or len(text) > 400:
                    break
                text += llama.detokenize([token])
        if len(text) <= 400:
            verdict = verify(HEAD + text.decode() + "\n", load_domain(), HOME)
            codes = {violation.code.value for violation in verdict.violations}
            assert not codes & {
                "syntax_error", "forbidden_construct", "unknown_skill", "unknown_location",
            }, text  # fmt: skip
    assert llama.sample.__func__ is llama_cpp.Llama.sample


def test_what_is_no_grammar_is_told(llama: Any) -> None:
    with pytest.raises(GrammarError) as told, constrained(llama, "root ::= nothing", 0.0, 0):
        pass
    assert isinstance(told.value, BackendError) and told.value.code is TaskErrorCode.MODEL_FAILED
