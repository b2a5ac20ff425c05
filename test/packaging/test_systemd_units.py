"""The units that boot a touch screen into the kiosk are ones that systemd takes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

UNITS = Path(__file__).parents[2] / "config" / "systemd"


@pytest.mark.parametrize("name", ["roboinstruct", "roboinstruct-screen"])
def test_a_unit_is_shipped_and_starts_programs_by_their_paths(name: str) -> None:
    lines = (UNITS / f"{name}@.service").read_text().splitlines()
    started = [line.partition("=")[2] for line in lines if line.startswith("ExecStart")]
    assert started and all(Path(line.split()[0]).exists() for line in started)
    assert "Restart=always" in lines and "WantedBy=multi-user.target" in lines
    assert "config/systemd" in (UNITS.parents[1] / "docs" / "kiosk.md").read_text()


def test_systemd_finds_no_fault_in_them(tmp_path: Path) -> None:
    checker = shutil.which("systemd-analyze")
    if checker is None:  # the other test says what can be said without it
        return
    for path in UNITS.glob("*.service"):
        shutil.copy(path, tmp_path / path.name)  # the template, and one instance of it
        shutil.copy(path, tmp_path / path.name.replace("@", "@robot"))
    instances = sorted(map(str, tmp_path.glob("*@robot.service")))
    command = [checker, "verify", "--man=no", *instances]
    told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert (told.returncode, told.stderr) == (0, "")
