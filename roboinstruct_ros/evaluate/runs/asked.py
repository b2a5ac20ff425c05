"""The parameters of an evaluation: everything on which its figures depend."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.option import check, option, options_of, plain, with_values
from roboinstruct_ros.generate.backends.open_backend import model_meant
from roboinstruct_ros.generate.models.model_options import NO_CHOICE, ModelOptions
from roboinstruct_ros.generate.writing_options import WRITING, WritingOptions

_PATIENT = 3600.0
"""s for one text: results must not depend on the speed of the machine, which `seconds` reports."""


@dataclass(frozen=True)
class Asked:
    """One evaluation, without its folder and number of processes."""

    suite: str = option("", "tasks: a name such as service, a YAML file, or READER:CHECKOUT")
    model: str = option("", "model, as in generate; empty: the default model")
    programs: str = option(
        "",
        "evaluate these programs instead of a model: a folder of TASK.py files, or a file "
        'with lines {"task", "phrasing", "sample", "program"} such as records.jsonl',
    )
    samples: int = option(
        1, "samples per phrasing; above 1, none is decoded greedily", 1, 1_000_000,
        flag="-n --samples",
    )  # fmt: skip
    most: int = option(
        0, "maximum number of phrasings, spread over all kinds", 0, 1_000_000, lowest="all"
    )
    tasks: str = option("", "only tasks whose name or kind matches this pattern")
    tell_all: bool = option(
        False, "put people and things in the prompt even where the map leaves them open",
        flag="--tell-all",
    )  # fmt: skip
    loading: ModelOptions = NO_CHOICE
    writing: WritingOptions = WRITING

    def check(self) -> None:
        """Check every value. Raises ConfigError."""
        check(self)
        if self.loading.fault:
            raise ConfigError("the model", 0, "", self.loading.fault)
        if self.samples > 1 and not self.writing.temperature and not self.programs:
            fault = "samples would all be the same; give --temperature above 0"
            raise ConfigError(f"-n {self.samples}", 0, "", fault)

    def settled(self) -> Asked:
        """A copy with absolute paths, so that the evaluation can be resumed from any folder.

        Raises:
            BackendError: the model is unknown, or not on this machine.
        """
        shipped = ":" not in self.suite and not self.suite.endswith((".yaml", ".yml"))
        suite = self.suite if shipped else _whole(self.suite)
        if self.programs:
            return replace(self, suite=suite, programs=_whole(self.programs), model="")
        return replace(self, suite=suite, model=model_meant(self.model))

    @property
    def way_of_writing(self) -> WritingOptions:
        """How each program is written; without prefix checks, which depend on timing."""
        sampled = self.samples > 1
        return replace(self.writing, time_limit=_PATIENT, check_prefixes=False, sampled=sampled)

    @property
    def values(self) -> dict[str, Any]:
        """All values by name, in the form of JSON."""
        own = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in _GROUPS}
        chosen = (*options_of(self.loading), *options_of(self.way_of_writing))
        return {**own, **{one.name: plain(one.default) for one in chosen}}

    @classmethod
    def of_values(cls, values: Mapping[str, Any]) -> Asked:
        """The inverse of `values`. Raises ConfigError, TypeError or KeyError for other values."""
        own: dict[str, Any] = {
            one.name: values[one.name] for one in fields(cls) if one.name not in _GROUPS
        }
        loading, writing = with_values(NO_CHOICE, values), with_values(WRITING, values)
        return cls(**own, loading=loading, writing=writing)


_GROUPS = ("loading", "writing")


def _whole(name: str) -> str:
    """The absolute path in `PATH` or `READER:PATH`."""
    reader, colon, path = name.partition(":")
    if not colon or not re.fullmatch(r"[\w-]+", reader):
        reader, colon, path = "", "", name
    return f"{reader}{colon}{Path(path).expanduser().absolute()}"
