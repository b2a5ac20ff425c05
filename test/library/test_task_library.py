"""The library keeps what was accepted, finds it again, and harms no file that is not its own."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roboinstruct_ros.domain.task_version import Steering
from roboinstruct_ros.library.library_file import LibraryError, default_path
from roboinstruct_ros.library.task_library import NewVersion, NoSuchTask, TaskLibrary
from roboinstruct_ros.program.task_program import sha256_of


def program(room: str) -> str:
    return f'def task_program():\n    go_to("{room}")\n'


def new(request: str, room: str, task: str = "", parent: int = 0) -> NewVersion:
    steering = Steering.EXTEND if parent else None
    words = f"Go to the {room}"
    return NewVersion(request, task or request, words, words, program(room), steering, parent, 3)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "library.sqlite"


@pytest.fixture
def library(place: Path) -> Iterator[TaskLibrary]:
    library = TaskLibrary.open(str(place))
    yield library
    library.close()


def test_a_version_is_kept_with_its_parent_summary_and_hash(
    library: TaskLibrary, place: Path
) -> None:
    library.record(new("t1", "kitchen"), 100.0)
    library.record(new("t2", "study", "t1", 1), 200.0)
    library.close()
    again = TaskLibrary.open(str(place))
    first, second = again.versions("t1")
    assert (first.number, first.parent, first.steering, first.created) == (1, 0, None, 100.0)
    assert (second.number, second.parent, second.steering) == (2, 1, Steering.EXTEND)
    assert second.sha256 == sha256_of(program("study")) and second.source == program("study")
    assert second.summary == "Go to the study" and second.worlds == 3
    (task,) = again.tasks()
    assert (task.task_id, task.versions, task.words) == ("t1", 2, "Go to the study")
    again.close()


def test_what_is_asked_for_again_is_the_last_one_and_its_runs_count(library: TaskLibrary) -> None:
    library.record(new("t1", "kitchen"), 100.0)
    library.record(new("t2", "study"), 200.0)
    assert library.again("t1", "r9").name == "t1/1"
    assert library.find("last").task_id == "t1"
    library.succeeded("r9", sha256_of(program("kitchen")))
    assert [task.succeeded for task in library.tasks()] == [0, 1]
    with pytest.raises(NoSuchTask):
        library.again("nobody", "r10")


def test_the_same_program_again_is_the_old_version(library: TaskLibrary) -> None:
    library.record(new("t1", "kitchen"), 1.0)
    library.record(new("t2", "study", "t1", 1), 2.0)
    version, again = library.record(new("t3", "kitchen", "t1", 2), 3.0)
    assert again and version.number == 1 and len(library.versions("t1")) == 2
    assert (
        library.find("t3").number == library.find("t1").number == library.find("last").number == 1
    )


def test_a_version_is_found_by_each_of_its_names(library: TaskLibrary) -> None:
    library.record(new("aabb01", "kitchen"), 1.0)
    library.record(new("ccdd02", "study", "aabb01", 1), 2.0)
    library.record(new("eeff03", "bathroom", "aabb01", 1), 3.0)
    names = {"aabb01": 3, "aabb01/1": 1, "ccdd02": 2, "aabb": 3, "aabb/2": 2, "last": 3}
    assert {name: library.find(name).number for name in names} == names


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nobody", "no task 'nobody'"),
        ("aabb01/9", "no version 9; there are 1"),
        ("aabb01/x", "TASK/NUMBER"),
        ("aabb01/²", "TASK/NUMBER"),
        ("aabb01/" + 5000 * "9", "TASK/NUMBER"),
        ("aabb", "2 tasks begin with 'aabb'"),
        ("", "no task ''"),
        ("nobody\udcff", r"no task 'nobody\?'"),
    ],
)
def test_a_name_of_nothing_is_one_clear_line(library: TaskLibrary, name: str, says: str) -> None:
    library.record(new("aabb01", "kitchen"), 1.0)
    library.record(new("aabb02", "study"), 1.0)
    with pytest.raises(NoSuchTask, match=says):
        library.find(name)


def test_an_empty_library_has_no_last_task(library: TaskLibrary) -> None:
    with pytest.raises(NoSuchTask, match="the library is empty"):
        library.find("last")


def test_a_forgotten_task_is_gone(library: TaskLibrary) -> None:
    library.record(new("t1aa", "kitchen"), 1.0)
    library.record(new("t2bb", "study"), 1.0)
    assert library.forget("t1aa") == "t1aa"
    assert [task.task_id for task in library.tasks()] == ["t2bb"]
    assert library.versions("t1aa") == ()


def test_a_follow_up_that_outlives_its_task_begins_it_anew(library: TaskLibrary) -> None:
    library.record(new("t1aa", "kitchen"), 1.0)
    library.forget("t1aa")  # while the follow-up is written
    version, _ = library.record(new("r2", "study", "t1aa", 1), 2.0)
    assert (version.number, version.parent) == (1, 0)


def test_only_what_was_approved_and_succeeded_is_an_example(library: TaskLibrary) -> None:
    for name, room in (("t1", "kitchen"), ("t2", "study"), ("t3", "bathroom"), ("t4", "kitchen")):
        library.record(new(name, room), 1.0)
        if name != "t2":
            library.approved(name, sha256_of(program(room)))
    for name in ("t1", "t2", "t4"):
        library.succeeded(name, sha256_of(program("kitchen")))  # another one than that of t2
    assert [example.source for example in library.examples()] == [program("kitchen")]
    assert library.versions("t1")[0].succeeded == 1


def test_the_oldest_that_nobody_approved_go_first(place: Path) -> None:
    library = TaskLibrary.open(str(place), most=3)
    library.record(new("t1", "kitchen"), 1.0)
    library.approved("t1", sha256_of(program("kitchen")))
    library.record(new("t2", "study", "t1", 1), 2.0)
    library.record(new("t3", "bathroom", "t1", 2), 3.0)
    library.record(new("t4", "bedroom"), 4.0)
    kept = library.versions("t1")
    assert [version.number for version in kept] == [1, 3]
    assert kept[1].parent == 1  # the one between them is gone
    assert library.find("t4").number == 1
    library.close()


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5)), min_size=1, max_size=20),
    st.integers(1, 12),
)
def test_a_chain_of_follow_ups_keeps_a_consistent_tree(
    chain: list[tuple[int, int]], most: int
) -> None:
    """Whatever is changed, returned to and let go: parents are there, older, and reach a root."""
    library = TaskLibrary(TaskLibrary.open("none")._connection, "memory", most)
    library.record(new("t", "hall"), 0.0)
    for step, (room, back) in enumerate(chain):
        versions = library.versions("t")
        parent = versions[max(0, len(versions) - 1 - back)].number
        version, again = library.record(new(f"r{step}", f"room {room}", "t", parent), float(step))
        assert version.source == program(f"room {room}")
        assert again == (version.created != float(step))
        versions = library.versions("t")
        numbers = [one.number for one in versions]
        assert numbers == sorted(set(numbers)) and len(versions) <= most
        assert all(one.parent == 0 or one.parent in numbers for one in versions)
        assert all(one.parent < one.number for one in versions)
        assert len({one.sha256 for one in versions}) == len(versions)
        assert library.find(f"r{step}") == version


def test_the_users_own_folder_is_the_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path() == tmp_path / "roboinstruct" / "library.sqlite"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")  # to be ignored, says the specification
    assert default_path() == Path.home() / ".local/share/roboinstruct/library.sqlite"


def test_nobody_else_reads_what_was_asked(library: TaskLibrary, place: Path) -> None:
    library.record(new("t1", "kitchen"), 1.0)
    modes = {path.name: path.stat().st_mode & 0o777 for path in place.parent.iterdir()}
    assert modes["library.sqlite"] == 0o600 and set(modes.values()) == {0o600}


def test_a_foreign_file_is_left_as_it_is(tmp_path: Path) -> None:
    diary, other = tmp_path / "diary.txt", tmp_path / "other.sqlite"
    diary.write_text("Dear diary, today\n" * 20)
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE photos (name)")
    for path, says in ((diary, "some other file"), (other, "another program")):
        before = path.read_bytes()
        with pytest.raises(LibraryError, match=says) as fault:
            TaskLibrary.open(str(path))
        assert str(fault.value).startswith(f"{path}: ") and "\n" not in str(fault.value)
        assert path.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"diary.txt", "other.sqlite"}


def test_a_damaged_library_is_moved_aside_whole(library: TaskLibrary, place: Path) -> None:
    for count in range(50):
        library.record(new(f"t{count}", f"room {count}"), 1.0)
    library.close()
    whole = bytearray(place.read_bytes())
    whole[4096:12288] = b"\xa5" * 8192
    place.write_bytes(whole)
    warnings: list[str] = []
    forgetful = TaskLibrary.open_or_forget(str(place), warnings.append)
    (line,) = warnings
    assert "is damaged" in line and "library.sqlite.damaged-1" in line and "\n" not in line
    assert (place.parent / "library.sqlite.damaged-1").read_bytes() == bytes(whole)
    forgetful.record(new("t1", "kitchen"), 1.0)
    assert forgetful.find("last").task_id == "t1" and not place.exists()
    TaskLibrary.open(str(place)).close()  # the next start begins anew
    assert (place.parent / "library.sqlite.damaged-1").read_bytes() == bytes(whole)


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_a_library_with_bytes_changed_is_read_or_one_clear_line(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "library.sqlite"
        library = TaskLibrary.open(str(place))
        for number in range(4):
            library.record(new(f"t{number}", f"kitchen {number}"), float(number))
        library.close()
        content = bytearray(place.read_bytes())
        for _ in range(data.draw(st.integers(1, 30))):
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
        place.write_bytes(content)
        try:
            library = TaskLibrary.open(str(place))
        except LibraryError as error:
            assert "\n" not in str(error)
            return
        uses: list[Callable[[], object]] = [
            library.tasks,
            library.examples,
            lambda: library.versions("t1"),
            lambda: library.find("last"),
            lambda: library.record(new("t9", "attic"), 9.0),
            lambda: library.forget("t2"),
        ]
        for use in uses:
            try:
                use()
            except (LibraryError, NoSuchTask) as error:
                assert "\n" not in str(error)
        library.close()


def test_words_of_a_damaged_library_that_are_no_text_are_one_line(
    library: TaskLibrary, place: Path
) -> None:
    library.record(new("t1", "kitchen"), 1.0)
    library.close()
    with sqlite3.connect(place) as database:
        database.execute("UPDATE versions SET source = CAST(x'ff0a' AS TEXT), steering = 'fly'")
    database.close()
    library = TaskLibrary.open(str(place))
    with pytest.raises(LibraryError) as told:
        library.versions("t1")
    assert str(told.value).startswith(f"{place}: ") and "\n" not in str(told.value)
    library.close()


def test_a_library_of_a_newer_version_is_left_as_it_is(library: TaskLibrary, place: Path) -> None:
    library.close()
    with sqlite3.connect(place) as database:
        database.execute("PRAGMA user_version = 7")
    with pytest.raises(LibraryError, match="newer version"):
        TaskLibrary.open(str(place))


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LibraryError, match="cannot be opened"):
        TaskLibrary.open(str(tmp_path / "file" / "library.sqlite"))


def test_a_locked_file_is_a_typed_fault_and_works_again_later(
    library: TaskLibrary, place: Path
) -> None:
    other = sqlite3.connect(place, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(LibraryError, match="locked"):
        library.record(new("t1", "kitchen"), 1.0)
    other.execute("ROLLBACK")
    other.close()
    assert library.record(new("t1", "kitchen"), 1.0)[0].number == 1


def test_a_full_disk_is_a_typed_fault_and_loses_nothing(library: TaskLibrary) -> None:
    library.record(new("t1", "kitchen"), 1.0)
    pages = library._connection.execute("PRAGMA page_count").fetchone()[0]
    library._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(LibraryError, match="full"):
        for count in range(200):
            library.record(new(f"n{count}", f"room {count}" * 50), 1.0)
    assert library.find("t1").source == program("kitchen")


def test_two_processes_and_many_threads_share_a_file(library: TaskLibrary, place: Path) -> None:
    other = TaskLibrary.open(str(place))
    with ThreadPoolExecutor(6) as pool:
        for count in range(30):
            pool.submit((library, other)[count % 2].record, new(f"t{count}", f"r{count}", "t"), 1.0)
    numbers = [version.number for version in library.versions("t")]
    assert numbers == list(range(1, 31)) and other.versions("t") == library.versions("t")
    other.close()
