"""Datagrams that get lost and a clock that jumps, for one process of a test; needs no rights."""

from __future__ import annotations

import os
import struct
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("machine_faults.c")


class FaultyMachine:
    """Builds `machine_faults.c` and steers it.

    Attributes:
        env: environment of the process that is to meet the faults.
    """

    def __init__(self, folder: Path) -> None:
        library, self._faults = folder / "machine_faults.so", folder / "machine_faults"
        command = ["cc", "-O2", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl"]
        subprocess.run(command, check=True)
        self._faults.write_bytes(bytes(16))
        self.env = {"LD_PRELOAD": str(library), "MACHINE_FAULTS": str(self._faults)}

    def set(self, loss: int = 0, clock: float = 0.0) -> None:
        """From now on: so many percent of datagrams lost, the wall clock so many s ahead."""
        content = struct.pack("=iiq", loss, 0, int(clock * 1e9))
        file = os.open(self._faults, os.O_WRONLY)  # in place: it is mapped
        os.write(file, content)
        os.close(file)
