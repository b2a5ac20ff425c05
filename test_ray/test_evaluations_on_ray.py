"""An evaluation on a Ray cluster comes to what it comes to in processes of this machine."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from ray_work import die_once
from small_suite import write_programs, write_suite

from roboinstruct_ros.evaluate.runs.asked import Asked
from roboinstruct_ros.evaluate.runs.folder import RECORDS, Folder
from roboinstruct_ros.evaluate.runs.prepared import prepare
from roboinstruct_ros.evaluate.runs.run import run, spread_over
from roboinstruct_ros.generate.backends.backend import BackendError
from roboinstruct_ros.spread.on_ray import on_ray
from roboinstruct_ros.spread.work import Done, in_order


def evaluated(asked: Asked, path: Path, cluster: str) -> bytes:
    prepared = prepare(asked.settled())
    with closing(Folder.make(path, prepared.manifest)) as folder:
        list(run(prepared, folder, spread_over(2, cluster)))
    return (path / RECORDS).read_bytes()


def test_a_cluster_gives_the_same_folder(tmp_path: Path) -> None:
    suite, programs = str(write_suite(tmp_path)), str(write_programs(tmp_path, 20))
    asked = Asked(suite, programs=programs)
    here = evaluated(asked, tmp_path / "here", "")
    assert evaluated(asked, tmp_path / "cluster", "local") == here
    assert here.count(b"\n") == 60


def test_a_process_that_dies_costs_a_second_try(tmp_path: Path) -> None:
    work = [(str(tmp_path / "died"), number) for number in range(6)]
    done = list(in_order(on_ray("local", die_once, work)))
    assert done == [Done(number, number, int(number == 3)) for number in range(6)]


def test_what_the_work_raises_is_raised_here(tmp_path: Path) -> None:
    asked = Asked(str(write_suite(tmp_path)), str(tmp_path / "no.gguf"))
    prepared = prepare(Asked(asked.suite, "roboinstruct-small"))
    broken = Asked(asked.suite, asked.model)
    with (
        closing(Folder.make(tmp_path / "f", prepared.manifest)) as folder,
        pytest.raises(BackendError, match=r"no\.gguf"),
    ):
        list(run(type(prepared)(broken, prepared.manifest, prepared.items), folder,
                 spread_over(1, "local")))  # fmt: skip
