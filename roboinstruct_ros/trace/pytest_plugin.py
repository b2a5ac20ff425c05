"""`pytest --roboinstruct-bags DIR`: each bag in a folder is a test that fails on a difference."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

_OPTION = "--roboinstruct-bags"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("roboinstruct").addoption(
        _OPTION,
        action="append",
        default=[],
        metavar="DIR",
        help="replay the recorded runs of this folder; may be given more than once",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Also collect the folders of bags."""
    for folder in _folders(config):
        if not folder.is_dir():
            raise pytest.UsageError(f"{_OPTION}: {folder}: no such folder")
        config.args.append(str(folder))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    ours = any(folder in file_path.parents for folder in _folders(parent.config))
    if file_path.suffix == ".mcap" and ours:
        return BagFile.from_parent(parent, path=file_path)
    return None


class BagFile(pytest.File):
    """The file of a bag; its folder is replayed."""

    def collect(self) -> Iterator[pytest.Item]:
        yield BagItem.from_parent(self, name=self.path.parent.name)


class BagItem(pytest.Item):
    """One recorded run, replayed at the depths that need neither model nor nodes."""

    def runtest(self) -> None:
        """Replay the bag; a failure shows the difference alone, without a traceback."""
        # imported late: every pytest run loads this plugin where the package is installed
        from roboinstruct_ros.trace.regression import REPLAYS, Outcome, replay_all

        results = replay_all([self.path.parent], REPLAYS, jobs=1)
        unlike = (one for one in results if one.outcome is not Outcome.SAME)
        told = [f"{one.depth.value}: {one.told}" for one in unlike]
        if told:
            pytest.fail("\n".join(told), pytrace=False)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"recorded run {self.name}"


def _folders(config: pytest.Config) -> list[Path]:
    return [Path(folder).expanduser().resolve() for folder in config.getoption(_OPTION)]
