"""A suite of three sentences, and programs for it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

ROWS = """\
- {text: "Go to the kitchen.", world: home, kind: driving, ways: [[go_to kitchen]]}
- {text: "Bring me the remote control from the living room.", world: home, kind: fetching, parts: 2,
   here: {living room: [remote control]},
   ways: [[go_to living room, pick remote control, go_to hallway, place remote control]]}
- {text: "Say hello in the lobby.", world: office, kind: talking,
   ways: [[go_to lobby, "say ~hello"]]}
"""
TEXTS = (
    "Go to the kitchen.",
    "Bring me the remote control from the living room.",
    "Say hello in the lobby.",
)
RIGHT = 'def task_program():\n    go_to("kitchen")\n'
WRONG = 'def task_program():\n    go_to("study")\n'
INVALID = 'def task_program():\n    place("remote control")\n'
SLOW = "def task_program():\n    for _ in range(18_000):\n        pass\n    say('{sample}')\n"
"""Takes 30 ms to verify; no two samples have one verdict."""


def write_suite(folder: Path) -> Path:
    path = folder / "small.yaml"
    path.write_text(ROWS)
    return path


def write_programs(
    folder: Path, samples: int = 3, kinds: Sequence[str] = (RIGHT, WRONG, INVALID)
) -> Path:
    """So many programs for each sentence, of these kinds in turns."""
    path = folder / "programs.jsonl"
    lines = (
        {
            "task": text,
            "sample": sample,
            "program": kinds[sample % len(kinds)].replace("{sample}", str(sample)),
        }
        for text in TEXTS
        for sample in range(samples)
    )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path
