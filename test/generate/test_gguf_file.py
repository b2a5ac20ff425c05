"""A broken model file is refused in one line, before llama.cpp sees it."""

import struct
from pathlib import Path

import gguf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiny_gguf import write_tiny_gguf

from roboinstruct_ros.generate.models.gguf_file import BLOCKS, GgufError, read_gguf_header
from roboinstruct_ros.generate.models.model_file import read_model_file


def fault_of(path: Path) -> str:
    with pytest.raises(GgufError) as error:
        read_gguf_header(path)
    text = str(error.value)
    assert text.startswith(f"{path}: ") and "\n" not in text
    return text


def test_a_whole_file_says_what_it_is(tiny_gguf: Path) -> None:
    header = read_gguf_header(tiny_gguf)
    assert header.text("general.architecture") == "llama"
    assert header.text("roboinstruct.prompt_format") == "instruction_comment"
    assert header.number("llama.context_length") == 512
    assert header.arrays["tokenizer.ggml.tokens"] == 257
    assert header.file_bytes == tiny_gguf.stat().st_size
    reader = gguf.GGUFReader(tiny_gguf)
    assert header.parameters == sum(int(tensor.n_elements) for tensor in reader.tensors)


def test_a_missing_file(tmp_path: Path) -> None:
    assert "no such model file" in fault_of(tmp_path / "nothing.gguf")


def test_a_folder(tmp_path: Path) -> None:
    assert "is a folder" in fault_of(tmp_path)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "is empty"),
        (b"PK\x03\x04 a zip", "not a GGUF model file"),
        (b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
        (b"GGUF\x03\x00", "truncated"),
        (b"GGUF" + struct.pack("<IQQ", 1, 0, 0), "version 1 is not supported"),
        (b"GGUF" + struct.pack("<IQQ", 3, 2**60, 0), "damaged"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 2**62), "truncated"),
        (b"GGUF" + struct.pack("<IQQQ1sI", 3, 0, 1, 1, b"k", 99), "unknown metadata type 99"),
    ],
)
def test_foreign_and_damaged_files(tmp_path: Path, content: bytes, fault: str) -> None:
    path = tmp_path / "bad.gguf"
    path.write_bytes(content)
    assert fault in fault_of(path)


def test_what_a_file_says_of_itself_does_not_steer_the_terminal(tmp_path: Path) -> None:
    path = write_tiny_gguf(tmp_path / "bad.gguf", prompt_format="\x1b[2Jx\ny")
    with pytest.raises(GgufError, match=r"names the prompt format '\?\[2Jx y', which"):
        read_model_file(path)


def test_a_truncated_file_says_how_much_is_missing(tiny_gguf: Path, tmp_path: Path) -> None:
    whole = tiny_gguf.read_bytes()
    path = tmp_path / "half.gguf"
    path.write_bytes(whole[: len(whole) // 2])
    assert f"truncated: {len(whole) / 2e3:.1f} KB of {len(whole) / 1e3:.1f} KB" in fault_of(path)


def test_every_cut_through_the_header_is_found(tiny_gguf: Path, tmp_path: Path) -> None:
    whole = tiny_gguf.read_bytes()
    path = tmp_path / "cut.gguf"
    for length in range(0, len(whole), 997):
        path.write_bytes(whole[:length])
        fault_of(path)


@given(st.lists(st.tuples(st.integers(0, 3999), st.integers(0, 255)), min_size=1, max_size=8))
@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_header_with_bytes_changed_is_read_or_one_line(
    tiny_gguf: Path, tmp_path: Path, changes: list[tuple[int, int]]
) -> None:
    content = bytearray(tiny_gguf.read_bytes())
    for place, byte in changes:
        content[place] = byte
    changed = tmp_path / "changed.gguf"
    changed.write_bytes(content)
    try:
        read_gguf_header(changed)
    except GgufError as error:
        assert str(error).startswith(str(changed)) and "\n" not in str(error)


def test_block_sizes_are_those_of_the_gguf_library() -> None:
    theirs = {int(kind): sizes for kind, sizes in gguf.constants.GGML_QUANT_SIZES.items()}
    assert {kind: sizes for kind, sizes in theirs.items() if kind in BLOCKS} == BLOCKS
