"""`roboinstruct models`: exit codes, one line for what is wrong, and files that stay whole."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import command_line
import pytest
from command_line import Ended, cli
from tiny_gguf import write_tiny_adapter, write_tiny_gguf

SHIPPED = Path(__file__).resolve().parents[2] / "models" / "roboinstruct-small.gguf"
WRITE = ("generate", "Go to the kitchen.")


@pytest.fixture(scope="module")
def tiny_gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole GGUF file with random weights, about 0.1 MB."""
    return write_tiny_gguf(tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of models, and no card that only some machines have."""
    commands = tmp_path / "bin"
    commands.mkdir()
    no_card = commands / "nvidia-smi"
    no_card.write_text("#!/bin/sh\nexit 9\n")
    no_card.chmod(0o755)
    monkeypatch.setenv("PATH", str(commands), prepend=os.pathsep)
    monkeypatch.setenv("ROBOINSTRUCT_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


def models(*arguments: str) -> Ended:
    return cli("models", *arguments)


def one_line(result: Ended) -> str:
    """The only line of a refusal, and nothing else."""
    assert result.stdout == ""
    return command_line.one_line(result)


def test_the_list_names_every_model_and_what_fits() -> None:
    result = models("list", "--vram", "10")
    assert result.returncode == 0, result
    rows = {line.split()[0]: line for line in result.stdout.splitlines() if line.strip()}
    assert rows["roboinstruct-small"].split()[-1] == "yes"
    assert rows["codellama-7b-python"].split()[-2:] == ["Q8_0", "no"]
    assert "unknown" in rows["robo-instruct-codellama-7b"]
    assert "Held against a card of 10 GiB (10.7 GB)." in result.stdout


def test_a_narrow_terminal_cuts_nothing_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    listed, checked = models("list").stdout, models("check", "roboinstruct-small").stdout
    assert "1.78 B  32768 1.1 GB 1.3 GB 1.9 GB 0.1 GB" in listed and "…" not in listed
    assert hashlib.sha256(SHIPPED.read_bytes()).hexdigest() in "".join(checked.split())


def test_the_list_as_json() -> None:
    document = json.loads(models("list", "--vram", "6", "--n-ctx", "8192", "--json").stdout)
    by_name = {row["name"]: row for row in document["models"]}
    assert document["card_bytes"] == 6 * 2**30
    assert by_name["codellama-7b-instruct"]["kv_cache_bytes"] == 4 * 2**30
    assert by_name["codellama-7b-instruct"]["fits_at"] is None
    assert by_name["qwen2.5-coder-7b-instruct"]["fits_at"] == "Q4_K_M"
    assert by_name["roboinstruct-small"]["n_ctx"] == 1024
    assert by_name["roboinstruct-small"]["path"] == str(SHIPPED)


def test_without_a_card_the_list_says_so() -> None:
    assert "no GPU found; name a card with --vram" in models("list").stdout


def test_the_card_of_this_machine_is_asked(tmp_path: Path) -> None:
    card = tmp_path / "bin" / "nvidia-smi"
    card.write_text("#!/bin/sh\necho '10240, 9216'\n")
    result = models("check", "roboinstruct-small")
    assert "fits the GPU here, 9.7 GB free of 10.7 GB" in result.stdout


def test_an_imported_model_and_a_broken_one_are_in_the_list(folder: Path) -> None:
    assert models("import", str(SHIPPED), "--name", "mine").returncode == 0
    (folder / "broken.gguf").write_bytes(SHIPPED.read_bytes()[:5000])
    result = models("list", "--json")
    rows = {row["name"]: row for row in json.loads(result.stdout)["models"]}
    assert rows["mine"]["path"] == str(folder / "mine.gguf")
    assert rows["mine"]["licence"] is None
    assert "broken" not in rows and "truncated" in result.stderr


def test_check_of_the_shipped_model_shows_what_it_is_and_takes() -> None:
    result = models("check", str(SHIPPED), "--vram", "1")
    assert result.returncode == 0, result
    facts = ("llama", "Q8_0", "robot_task (", "1024 tokens", "Apache-2.0")
    for words in (*facts, "checksum as expected", "fits a card of 1 GiB"):
        assert words in result.stdout, words
    assert "KV cache 6 layers x 8 heads x 32 x 2 x 2 bytes x 1024 tokens" in result.stdout


def test_check_counts_adapters_and_refuses_those_of_another_base(tmp_path: Path) -> None:
    base = write_tiny_gguf(tmp_path / "base.gguf")
    adapter = write_tiny_adapter(tmp_path / "a.gguf", prompt_format="robot_task")
    result = models("check", str(base), "--lora", f"{adapter}:0.5", "--json")
    document = json.loads(result.stdout)
    assert document["adapters"] == [{"path": str(adapter), "scale": 0.5}]
    assert document["weight_bytes"] == base.stat().st_size + adapter.stat().st_size
    assert document["prompt_format"] == "robot_task"
    shown = models("check", str(base), "--lora", str(adapter)).stdout
    assert "robot_task (its adapter)" in shown and str(adapter)[:40] in shown
    assert "does not fit roboinstruct-small.gguf" in one_line(
        models("check", "roboinstruct-small", "--lora", str(adapter))
    )
    assert "is no scale" in one_line(models("check", str(base), "--lora", "a.gguf:x"))


def test_check_as_json() -> None:
    result = models("check", "roboinstruct-small", "--vram", "1", "--n-ctx", "512", "--json")
    document = json.loads(result.stdout)
    assert (document["fit"], document["checksum"], document["n_ctx"]) == ("fits", "matches", 512)
    assert document["kv_cache_bytes"] == 2 * 6 * 8 * 32 * 2 * 512
    assert document["weight_bytes"] == SHIPPED.stat().st_size
    assert document["total_bytes"] == sum(
        document[part] for part in ("weight_bytes", "kv_cache_bytes", "buffer_bytes")
    )


def test_a_model_that_is_not_here_is_computed() -> None:
    result = models("check", "codellama-7b-python", "--vram", "10")
    assert result.returncode == 0
    assert "not here; published as codellama/CodeLlama-7b-Python-hf" in result.stdout
    assert "tokens = 2.1 GB + buffers 0.6 GB = 6.8 GB" in result.stdout


def test_what_does_not_fit_says_by_how_much_and_what_would() -> None:
    result = models("check", "codellama-7b-python", "--type", "Q8_0", "--vram", "8")
    assert result.returncode == 1
    assert "does not fit a card of 8 GiB (8.6 GB): 1.3 GB too much" in result.stdout
    assert "would fit: quantize it to Q6_K" in result.stdout
    assert "would fit: a q8_0 KV cache" not in result.stdout
    assert "layers on the GPU (n_gpu_layers" in result.stdout
    again = models("check", "codellama-7b-python", "--type", "Q6_K", "--vram", "8")
    assert again.returncode == 0


def test_a_smaller_cache_makes_it_fit() -> None:
    asked = ("check", "codellama-7b-python", "--vram", "6")
    assert models(*asked).returncode == 1
    assert models(*asked, "--kv-cache", "q8_0").returncode == 0


def test_more_context_than_it_was_trained_for_is_noted() -> None:
    result = models("check", "roboinstruct-small", "--n-ctx", "9000")
    assert result.returncode == 0
    assert "9000 tokens are more than the 1024" in result.stdout


def test_another_file_under_a_known_name_fails(tmp_path: Path) -> None:
    other = write_tiny_gguf(tmp_path / "roboinstruct-small.gguf")
    result = models("check", str(other))
    assert result.returncode == 1
    expected = hashlib.sha256(SHIPPED.read_bytes()).hexdigest()[:8]
    assert f"another file: SHA-256 {expected}" in result.stdout
    assert json.loads(models("check", str(other), "--json").stdout)["checksum"] == "differs"


def test_a_file_that_changed_since_it_was_imported_fails(folder: Path, tiny_gguf: Path) -> None:
    models("import", str(tiny_gguf), "--name", "mine")
    assert "checksum as expected" in models("check", "mine").stdout
    path = folder / "mine.gguf"
    path.write_bytes(path.read_bytes()[:-1] + b"\x55")
    assert models("check", "mine").returncode == 1


def test_a_file_that_nobody_knows_has_no_checksum_to_compare(tiny_gguf: Path) -> None:
    result = models("check", str(tiny_gguf))
    assert result.returncode == 0
    assert "checksum: nothing to compare it with" in result.stdout


def test_check_of_unusable_files(tmp_path: Path) -> None:
    cut, text = tmp_path / "cut.gguf", tmp_path / "text.gguf"
    cut.write_bytes(SHIPPED.read_bytes()[:500_000])
    text.write_text("not a model")
    assert "truncated: 500.0 KB of 6.1 MB" in one_line(models("check", str(cut)))
    assert "not a GGUF model file" in one_line(models("check", str(text)))
    assert "no such model file" in one_line(models("check", "missing.gguf"))
    assert "is a folder" in one_line(models("check", str(tmp_path)))


def test_check_of_wrong_words() -> None:
    line = one_line(models("check", "codelama-7b-python"))
    assert "no model 'codelama-7b-python'; did you mean 'codellama-7b-python' or " in line
    assert "models list" in one_line(models("check", "zzz"))
    assert "f16, q8_0, q4_0" in one_line(models("check", "roboinstruct-small", "--kv-cache", "f8"))
    line = one_line(models("check", "codellama-7b-python", "--type", "Q4_KM"))
    assert "did you mean 'Q4_K_M'? There are F16," in line
    assert "number of GiB" in one_line(models("list", "--vram", "inf"))


def test_import_tells_where_it_went_and_how_to_use_it(folder: Path, tiny_gguf: Path) -> None:
    result = models("import", str(tiny_gguf), "--name", "mine", "--prompt-format", "completion")
    assert result.returncode == 0, result
    path = folder / "mine.gguf"
    assert f"{path}: imported, verified" in result.stdout
    assert "prompt format completion (noted beside the file)" in result.stdout
    assert "roboinstruct up --model mine" in result.stdout
    assert path.read_bytes() == tiny_gguf.read_bytes()
    again = models("import", str(tiny_gguf), "--name", "mine")
    assert again.returncode == 0 and "is there already" in again.stdout


def test_import_refuses_what_it_cannot_keep(folder: Path, tmp_path: Path, tiny_gguf: Path) -> None:
    models("import", str(tiny_gguf), "--name", "mine")
    assert "another file has this name" in one_line(
        models("import", str(SHIPPED), "--name", "mine")
    )
    assert "no such model file" in one_line(models("import", str(tmp_path / "none.gguf")))
    line = one_line(models("import", str(tiny_gguf), "--prompt-format", "complete"))
    assert "did you mean 'completion'?" in line
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(SHIPPED.read_bytes()[:500_000])
    assert "truncated" in one_line(models("import", str(cut)))
    assert sorted(path.name for path in folder.iterdir()) == ["mine.gguf", "mine.gguf.yaml"]


def test_import_where_nothing_can_be_written(tmp_path: Path, tiny_gguf: Path) -> None:
    (tmp_path / "models").write_text("a file stands where the folder should be")
    line = one_line(models("import", str(tiny_gguf), "--name", "mine"))
    assert "cannot be copied" in line


def test_a_model_is_made_smaller_and_still_runs(tmp_path: Path) -> None:
    target = tmp_path / "small-Q4_K_M.gguf"
    result = models("quantize", str(SHIPPED), "--type", "q4_k_m", "--out", str(target))
    assert result.returncode == 0, result
    assert f"{target}: Q4_K_M, 3.5 MB of 6.1 MB" in result.stdout
    assert "[  56/  56] blk.5.ffn_up.weight" in result.stderr
    assert "is Q8_0 already" in result.stderr
    assert json.loads(models("check", str(target), "--json").stdout)["quantization"] == "Q4_K_M"
    assert sorted(path.name for path in tmp_path.glob("*.gguf*")) == [target.name]
    written = cli(*WRITE, "--model", str(target))
    assert 'go_to("kitchen")' in written.stdout


def test_the_smaller_file_stands_beside_the_old_one_and_nothing_is_overwritten(
    tmp_path: Path,
) -> None:
    source = write_tiny_gguf(tmp_path / "mine.gguf")
    result = models("quantize", str(source), "--type", "Q8_0")
    assert result.returncode == 0, result
    assert (tmp_path / "mine-Q8_0.gguf").exists()
    line = one_line(models("quantize", str(source), "--type", "Q8_0"))
    assert "mine-Q8_0.gguf: is there already" in line
    assert "is there already" in one_line(
        models("quantize", str(source), "--type", "Q8_0", "--out", str(source))
    )


def test_quantize_of_wrong_input(tmp_path: Path, tiny_gguf: Path) -> None:
    line = one_line(models("quantize", str(tiny_gguf), "--type", "Q4"))
    assert "'Q4' is no quantization" in line and "Q4_K_M, Q4_0" in line
    assert "no such model file" in one_line(models("quantize", "none.gguf", "--type", "Q8_0"))
    out = str(tmp_path / "nowhere" / "x.gguf")
    line = one_line(models("quantize", str(tiny_gguf), "--type", "Q8_0", "--out", out))
    assert "there is no folder" in line


def test_what_llama_cpp_says_when_it_cannot(tmp_path: Path) -> None:
    """An architecture that it does not know passes every check of the header."""
    source = tmp_path / "mine.gguf"
    whole = write_tiny_gguf(tmp_path / "tiny.gguf").read_bytes()
    source.write_bytes(whole.replace(b"llama", b"lhama"))
    result = models("quantize", str(source), "--type", "Q8_0")
    assert result.returncode == 2
    line = result.stderr.strip().splitlines()[-1]
    assert "llama.cpp could not quantize it" in line and "lhama" in line
    assert sorted(path.name for path in tmp_path.glob("*mine*")) == ["mine.gguf"]


def test_a_model_is_used_by_the_name_it_was_imported_under(tiny_gguf: Path) -> None:
    imported = models("import", str(SHIPPED), "--name", "mine")
    assert "use it: roboinstruct up --model mine" in imported.stdout
    written = cli(*WRITE, "--model", "mine")
    assert written.returncode == 0 and 'go_to("kitchen")' in written.stdout
    wrong = cli(*WRITE, "--model", "mien")
    assert wrong.returncode == 2
    assert "no model 'mien'; did you mean 'mine'" in wrong.stdout + wrong.stderr


def test_a_model_is_loaded_as_the_options_say_or_refused_in_one_line() -> None:
    good = ["--n-gpu-layers", "0", "--n-ctx", "512", "--kv-cache", "q8_0", "--flash-attn", "on"]
    written = cli(*WRITE, *good)
    assert written.returncode == 0 and 'go_to("kitchen")' in written.stdout
    bad = ["--kv-cache", "q8_0", "--flash-attn", "off"]
    refused = cli(*WRITE, *bad)
    assert refused.returncode == 2
    assert "a q8_0 kv_cache needs flash attention" in refused.stdout + refused.stderr
    line = one_line(cli("up", "--headless", *bad))
    assert "a q8_0 kv_cache needs flash attention; set flash_attn to auto" in line
