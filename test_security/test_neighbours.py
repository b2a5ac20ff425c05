"""A keystore of ours before the real security plugins of Fast DDS: ours is heard, a stranger not.

`make test-security`. The plugins decide as under ROS 2 with `Enforce`: rmw_fastrtps hands them the
same files of the same enclave. Topics have the names that ROS gives them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from roboinstruct_ros.security.certificates import Lifetimes
from roboinstruct_ros.security.keystore import init, rotate
from roboinstruct_ros.security.roles import BY_NAME

ROOT = Path(__file__).parents[1]
SOURCE = Path(__file__).parent / "neighbour.cpp"
LIMIT = 8.0  # s for two to find each other
STRANGER = "-"

GOAL = "rq/roboinstruct/execute_program/_action/send_goalRequest"
DRIVE = "rq/skills/go_to/_action/send_goalRequest"
STOP = "rt/roboinstruct/stop_request"
EVENTS = "rt/roboinstruct/events"
FEEDBACK = "rt/roboinstruct/execute_program/_action/feedback"
ANSWER = "rr/skills/get_all_roomsReply"


class Neighbours:
    """Starts participants, each in an enclave of a keystore."""

    def __init__(self, program: Path, store: Path) -> None:
        self._program, self._store = program, store
        kept = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
        profile = str(ROOT / "config" / "dds_this_machine.xml")
        self._environment = {
            **kept, "ROS_DOMAIN_ID": "102", "FASTRTPS_DEFAULT_PROFILES_FILE": profile,
        }  # fmt: skip

    def start(
        self, enclave: str, written: str = "-", read: str = "-", store: Path | None = None
    ) -> subprocess.Popen[str]:
        place = str(store or self._store)
        return subprocess.Popen(
            [self._program, place, enclave, written, read, str(LIMIT)],
            env=self._environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip

    def heard(self, writer: str, reader: str, topic: str, of: Path | None = None) -> bool:
        """Whether what the writer says, with a keystore of its own perhaps, reaches the reader."""
        hearing = self.start(reader, read=topic)
        saying = self.start(writer, written=topic, store=of)
        out = hearing.communicate(timeout=3 * LIMIT)[0]
        saying.kill()
        said = saying.communicate()[0]
        assert "there" in out, f"{reader} may not hear {topic}: {out}"
        assert "there" in said, f"{writer} may not say {topic}: {said}"
        return "heard 0" not in out

    def refused(self, enclave: str, written: str = "-", read: str = "-") -> bool:
        process = self.start(enclave, written, read)
        assert process.stdout is not None
        words = ("there\n", "participant refused\n", "topic refused\n")
        first = next((line for line in process.stdout if line in words), "nothing\n")
        process.kill()
        process.communicate()
        return first != "there\n"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("built") / "neighbour"
    libraries = ("-lfastrtps", "-lfastcdr")
    done = subprocess.run(
        ["g++", "-std=c++17", SOURCE, "-o", built, *libraries], capture_output=True, text=True
    )
    assert done.returncode == 0, f"is libfastrtps-dev installed?\n{done.stderr[-2000:]}"
    return built


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "keys"
    init(folder, "", Lifetimes())
    return folder


@pytest.fixture
def neighbours(program: Path, store: Path) -> Neighbours:
    return Neighbours(program, store)


@pytest.fixture
def others(tmp_path: Path) -> Path:
    """A keystore just like ours, of another authority."""
    init(tmp_path / "others", "", Lifetimes())
    return tmp_path / "others"


@pytest.mark.parametrize(
    ("writer", "reader", "topic"),
    [
        ("kiosk", "executor", GOAL),
        ("cli", "executor", GOAL),
        ("executor", "sim_robot", DRIVE),
        ("executor", "nav2_skills", DRIVE),
        ("sim_robot", "executor", ANSWER),
        ("executor", "kiosk", FEEDBACK),
        ("executor", "recorder", EVENTS),
        ("cli", "sim_robot", STOP),
        ("speech", "robot", STOP),
    ],
)
def test_ours_is_heard(neighbours: Neighbours, writer: str, reader: str, topic: str) -> None:
    assert neighbours.heard(writer, reader, topic)


@pytest.mark.parametrize(
    ("writer", "reader", "topic"),
    [
        ("cli", "executor", GOAL),
        ("executor", "sim_robot", DRIVE),
        ("kiosk", "sim_robot", STOP),
        ("executor", "kiosk", EVENTS),
    ],
)
def test_a_stranger_is_not_heard(
    neighbours: Neighbours, others: Path, writer: str, reader: str, topic: str
) -> None:
    assert not neighbours.heard(STRANGER, reader, topic)
    assert not neighbours.heard(writer, reader, topic, of=others)


def test_a_stranger_hears_nothing(neighbours: Neighbours) -> None:
    assert not neighbours.heard("executor", STRANGER, EVENTS)


@pytest.mark.parametrize(
    ("enclave", "topic"),
    [
        ("kiosk", DRIVE),
        ("cli", DRIVE),
        ("generator", DRIVE),
        ("generator", GOAL),
        ("sim_robot", EVENTS),
        ("robot", EVENTS),
        ("nav2_skills", GOAL),
        ("moveit_skills", "rq/executor/set_parametersRequest"),
        ("kiosk", "rt/cmd_vel"),
    ],
)
def test_what_is_not_of_the_role_is_refused(
    neighbours: Neighbours, enclave: str, topic: str
) -> None:
    assert neighbours.refused(enclave, written=topic)


def test_what_drives_a_robot_may_use_what_is_not_the_stacks(neighbours: Neighbours) -> None:
    assert neighbours.heard("robot", "nav2_skills", "rt/tf")
    assert neighbours.heard("nav2_skills", "robot", "rq/navigate_to_pose/_action/send_goalRequest")


def test_every_enclave_is_taken_and_after_a_rotation_too(
    neighbours: Neighbours, store: Path
) -> None:
    for _ in range(2):
        assert [name for name in BY_NAME if neighbours.refused(name, written=STOP)] == []
        rotate(store, (), False, Lifetimes())


def test_an_enclave_renewed_alone_is_heard_by_the_others(
    neighbours: Neighbours, store: Path
) -> None:
    rotate(store, ("kiosk",), False, Lifetimes())
    assert neighbours.heard("kiosk", "executor", GOAL)


def test_a_stolen_enclave_is_worth_nothing_after_a_new_authority(
    neighbours: Neighbours, store: Path, tmp_path: Path
) -> None:
    shutil.copytree(store, tmp_path / "stolen", symlinks=True)
    rotate(store, (), True, Lifetimes())
    assert neighbours.heard("cli", "executor", GOAL)
    assert not neighbours.heard("cli", "executor", GOAL, of=tmp_path / "stolen")


def test_permissions_that_were_changed_are_refused(neighbours: Neighbours, store: Path) -> None:
    signed = store / "enclaves" / "kiosk" / "permissions.p7s"
    signed.write_bytes(signed.read_bytes().replace(b"<default>DENY", b"<default>ALLOW"))
    assert neighbours.refused("kiosk", written=STOP)
