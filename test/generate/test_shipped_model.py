"""The model that ships writes right programs for instructions that it was never trained on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.evaluate.readers.written_rows import case_of
from roboinstruct_ros.evaluate.suite.judge import program_fault
from roboinstruct_ros.evaluate.worlds.trials import Trials
from roboinstruct_ros.generate.backends.llama_cpp_backend import LlamaCppBackend
from roboinstruct_ros.generate.backends.llama_opening import LlamaCppSettings
from roboinstruct_ros.generate.program_writer import write_program
from roboinstruct_ros.generate.site import site_for
from roboinstruct_ros.generate.writing_job import WritingJob
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.verify.verifier import verify

ROWS = yaml.safe_load((Path(__file__).parent / "instructions.yaml").read_text())
SHIPPED = [row for row in ROWS if row.get("shipped")]
MODEL = shared_file("models/roboinstruct-small.gguf")


@pytest.fixture(scope="module")
def backend() -> Iterator[LlamaCppBackend]:
    backend = LlamaCppBackend(LlamaCppSettings(MODEL))
    backend.load()
    yield backend
    backend.unload()


def test_the_model_is_small_and_says_how_it_wants_to_be_asked(backend: LlamaCppBackend) -> None:
    assert MODEL.stat().st_size <= 30e6
    assert backend.describe().prompt_format == "robot_task"


@pytest.mark.parametrize("row", SHIPPED, ids=lambda row: row["text"][:40])
def test_an_unseen_instruction_becomes_the_right_calls(
    backend: LlamaCppBackend, trials: Trials, row: dict[str, Any]
) -> None:
    domain, rooms = (
        load_domain(),
        load_semantic_map(shared_file(f"config/worlds/{row['world']}.yaml")),
    )
    generation = write_program(
        Instruction.checked(row["text"]),
        WritingJob(
            backend,
            lambda source: verify(source, domain, rooms),
            WritingOptions(),
            lambda _: None,
            threading.Event(),
            site_for(domain, rooms),
        ),
    )
    assert generation.accepted, generation.error_msg
    assert not program_fault(case_of(row), generation.source, trials), generation.source
