"""Names of files and folders from text that arrives from elsewhere."""

from __future__ import annotations

_LONGEST = 80  # bytes; a folder's name has at most 255, of which others add a stamp and a suffix


def file_name(task_id: str) -> str:
    """A name for the files of a task, whatever its id: no path, no control character, bounded."""
    safe = "".join(c if c.isalnum() or c in "-_" else "_" for c in task_id)
    return safe.encode()[:_LONGEST].decode(errors="ignore") or "task"
