"""What the engineer's view works with, made of what the kiosk was started with."""

from __future__ import annotations

from pathlib import Path

from roboinstruct_ros.domain.files.rule_files import RuleFiles
from roboinstruct_ros.domain.files.user_folders import data_folder
from roboinstruct_ros.library.library_file import OFF
from roboinstruct_ros.web.engineer.judge import Judge
from roboinstruct_ros.web.engineer.library_check import LibraryCheck
from roboinstruct_ros.web.engineer.map_editor import MapEditor
from roboinstruct_ros.web.engineer.map_file import MapFile
from roboinstruct_ros.web.kept.tasks import KeptTasks


class Workbench:
    """Judge, check of the library, and map editor.

    Args:
        files: what programs are judged by.
        library: of the tasks that are checked after a change, as `TaskLibrary.open` takes it.
        copies: folder for copies of maps that must not be changed; None is the user's own.
    """

    def __init__(self, files: RuleFiles, library: str = OFF, copies: Path | None = None) -> None:
        self.judge = Judge(files)
        self.check = LibraryCheck(self.judge, KeptTasks(library).newest)
        folder = copies or data_folder() / "maps"
        place = MapFile(files.map_path, folder) if files.map_path else None
        self.editor = MapEditor(place, self.check)

    def close(self) -> None:
        """Ends what it has begun."""
        self.check.close()
        self.judge.close()
