"""The suite that the documentation shows can be read, and its reference holds."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

from roboinstruct_ros.evaluate.suite.checking import notes, reference_faults
from roboinstruct_ros.evaluate.suite.open_suite import open_suite
from roboinstruct_ros.evaluate.suite.schema import RunCondition, WorldEntry
from roboinstruct_ros.evaluate.worlds.trials import Trials

TEXT = (Path(__file__).parents[3] / "docs/evaluation.md").read_text()


def test_the_suite_of_the_documentation_holds(tmp_path: Path) -> None:
    (shown,) = re.findall(r"```yaml suite\n(.*?)```", TEXT, re.DOTALL)
    path = tmp_path / "night.yaml"
    path.write_text(shown)
    suite = open_suite(str(path))
    with closing(Trials()) as trials:
        assert not list(reference_faults(suite, trials))
    assert "pills-from-the-pharmacy: 2 worlds, fewer than 3" in list(notes(suite))


def test_every_field_of_a_world_and_every_shape_is_told() -> None:
    fields = set(re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE))
    assert fields >= set(WorldEntry.model_fields) - {"name"}
    section = TEXT.partition("## Conditions")[2].partition("\n## ")[0]
    for shape in RunCondition.shapes:
        assert all(f"`{field}: " in section for field in shape), shape
