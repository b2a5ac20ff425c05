"""Under Enforce nothing runs open: what DDS cannot close is not started, and says so in one line.

The Fast DDS of the wheels was built without its security plugins; `make test-security` tries the
keystore with a Fast DDS that has them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from running_stack import CLI, OdometryWatch

from roboinstruct_ros.security.certificates import Lifetimes
from roboinstruct_ros.security.environment import security_variables
from roboinstruct_ros.security.keystore import init

REFUSAL = "security: this Fast DDS was built without its security plugins"
LIMIT = 60.0  # s


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "keys"
    init(folder, "", Lifetimes())
    return folder


def ended(*command: str, **env: str) -> tuple[int, str]:
    """Exit code and last line of a process."""
    done = subprocess.run(
        command, env={**os.environ, **env}, capture_output=True, text=True, timeout=LIMIT
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr.strip().splitlines()[-1]


@pytest.mark.stack
def test_a_stack_that_cannot_be_closed_is_not_started(ros_domain: int, store: Path) -> None:
    with OdometryWatch(ros_domain) as watch:
        code, line = ended(*CLI, "up", "--headless", "--security", str(store))
        assert not watch.heard
    assert code == 2
    assert REFUSAL in line


@pytest.mark.stack
@pytest.mark.parametrize("command", [("stop",), ("status",), ("run", "go home", "--yes")])
def test_a_command_does_not_fall_back_to_an_open_graph(
    ros_domain: int, store: Path, command: tuple[str, ...]
) -> None:
    by_option = ended(*CLI, *command, "--security", str(store))
    by_variable = ended(*CLI, *command, ROBOINSTRUCT_SECURITY=str(store))
    for code, line in (by_option, by_variable):
        assert code == 2
        assert REFUSAL in line


@pytest.mark.stack
@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("executor", "nodes.executor.node"),
        ("kiosk", "nodes.kiosk.node"),
        ("sim_robot", "skill_servers.sim.node"),
    ],
)
def test_each_process_is_held_to_its_own_enclave(
    ros_domain: int, store: Path, name: str, module: str
) -> None:
    command = (sys.executable, "-m", f"roboinstruct_ros.{module}")
    said = ended(*command, **security_variables(str(store), name))
    assert said[0] == 2
    assert REFUSAL in said[1]
    shutil.rmtree(store / "enclaves" / name)
    code, line = ended(*command, **security_variables(str(store), name))
    assert code == 2
    assert f"enclaves/{name}' does not exist" in line


@pytest.mark.stack
def test_a_keystore_that_cannot_be_used_is_told(store: Path, tmp_path: Path) -> None:
    (store / "enclaves" / "sim_robot" / "key.pem").unlink()
    code, line = ended(*CLI, "up", "--headless", "--security", str(store))
    assert code == 2
    assert "enclave 'sim_robot': key.pem: cannot be read" in line
    code, line = ended(*CLI, "up", "--headless", "--security", str(tmp_path / "none"))
    assert code == 2
    assert f"make one with 'roboinstruct security init {tmp_path / 'none'}'" in line
