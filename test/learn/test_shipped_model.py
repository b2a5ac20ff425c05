"""The model file in the repository: what it says of itself, and the main task."""

from __future__ import annotations

from typing import Any

import pytest

from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.generate.backends.llama_loading import plain_kernels
from roboinstruct_ros.generate.prompts.prompt import prompt_format

FORM = prompt_format("robot_task")
APPLE = "Go to the kitchen and if there is an apple, bring it to the living room"
BRING_APPLE = """\
    go_to("kitchen")
    if is_in_room("apple"):
        pick("apple")
        go_to("living room")
        place("apple")"""


@pytest.fixture(scope="module")
def llama() -> Any:
    import llama_cpp

    path = shared_file("models/roboinstruct-small.gguf")
    with plain_kernels(llama_cpp):
        return llama_cpp.Llama(str(path), n_ctx=512, n_threads=1, verbose=False)


def written(llama: Any, instruction: str) -> str:
    answer = llama.create_completion(
        str(FORM.first(Instruction(instruction))), max_tokens=300, temperature=0.0
    )
    return str(answer["choices"][0]["text"])


def test_the_file_names_its_prompt_format_and_licence(llama: Any) -> None:
    assert llama.metadata["roboinstruct.prompt_format"] == "robot_task"
    assert llama.metadata["general.license"] == "Apache-2.0"
    assert llama.metadata["tokenizer.ggml.add_bos_token"] == "true"


def test_the_file_stays_small_enough_for_the_repository() -> None:
    assert shared_file("models/roboinstruct-small.gguf").stat().st_size < 30e6


def test_a_name_has_the_same_tokens_in_instruction_and_program(llama: Any) -> None:
    space, *after_space = llama.tokenize(b" zorblax", add_bos=False)
    assert llama.detokenize([space]) == b" "
    assert llama.tokenize(b'("zorblax', add_bos=False)[1:] == after_space


def test_the_main_task_is_written_exactly(llama: Any) -> None:
    assert written(llama, APPLE) == BRING_APPLE
