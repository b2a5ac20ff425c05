"""`make setup` where the larger model's weights cannot be had."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "tools" / "environment.py"


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script with an environment of its own, in which no step does anything but print."""
    spec = importlib.util.spec_from_file_location("environment", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    interpreter = tmp_path / "venv" / "bin" / "python"
    interpreter.parent.mkdir(parents=True)
    interpreter.touch()
    monkeypatch.setattr(module, "VENV", tmp_path / "venv")
    monkeypatch.setattr(module, "PYTHON", interpreter)
    monkeypatch.setattr(module, "STAMP", tmp_path / "venv" / "stamp.json")
    monkeypatch.setattr(module, "LOG", tmp_path / "setup.log")
    monkeypatch.setattr(module, "check_machine", lambda: None)
    for stage in ("make_venv", "install_packages", "build_interfaces", "install_project"):
        monkeypatch.setattr(module, stage, lambda: None)
    return module


def test_setup_goes_on_with_one_line_and_tries_again_next_time(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environment.PYTHON.write_text("#!/bin/sh\necho no network\nexit 1\n")
    environment.PYTHON.chmod(0o755)
    environment.make_environment(for_tests=False)
    told = capsys.readouterr()
    assert "without the model roboinstruct-smollm2, the small one serves" in told.out
    assert told.out.splitlines()[-1] == "setup: the environment is ready" and told.err == ""
    done = json.loads(environment.STAMP.read_text())
    assert "project" in done and "base" not in done
    environment.PYTHON.write_text("#!/bin/sh\necho $* > $(dirname $0)/asked\n")
    environment.make_environment(for_tests=False)
    asked = (environment.PYTHON.parent / "asked").read_text()
    assert "install" in asked and "--no-deps --require-hashes" in asked and "base.txt" in asked
    assert "base" in json.loads(environment.STAMP.read_text())
    environment.make_environment(for_tests=False)
    assert "ready" not in capsys.readouterr().out.split("ready", 1)[1]
