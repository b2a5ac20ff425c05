"""Reads YAML files into pydantic models; an error is one line with file, line, field and remedy."""

from __future__ import annotations

import difflib
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, Union

from pydantic import BaseModel, ConfigDict, ValidationError

from roboinstruct_ros.domain.files.yaml_lines import FieldPath, YamlFault, read_with_lines
from roboinstruct_ros.domain.whole_text import is_unseen

Model = TypeVar("Model", bound=BaseModel)


class InputError(Exception):
    """An unusable input from a user; `str()` is one line for a person."""


class ConfigError(InputError):
    """An unusable configuration file; `str()` is one line for a person."""

    def __init__(
        self, path: Path | str, line: int, field: str, message: str, nearest: str | None = None
    ) -> None:
        """Store the place of the fault and what is wrong.

        Args:
            path: the file.
            line: 1-based; 0 when the fault has no line (the file is missing).
            field: e.g. `rooms[3].aliases`; empty when the fault does not concern a field.
            message: what is wrong.
            nearest: the known name that was most likely meant.
        """
        self.path, self.line, self.field = Path(path), line, field
        self.message, self.nearest = message, nearest
        where = f"{path}:{line}" if line else f"{path}"
        hint = f"; did you mean '{nearest}'?" if nearest else ""
        told = ": ".join(filter(None, [where, field, message])) + hint
        super().__init__(on_one_line(told))


def on_one_line(text: str) -> str:
    """A text that may hold words of a file, for a terminal: one line, with `?` for what is not seen
    but would steer it."""
    line = " ".join(text.splitlines())
    return "".join("?" if is_unseen(c) else c for c in line)


class FieldFault(ValueError):
    """Raised by a model's validator to blame a field nested inside the validated model."""

    def __init__(
        self, field: FieldPath, message: str, wrong: str = "", known: Sequence[str] = ()
    ) -> None:
        """`field` is the path below the validating model; `known` are the valid names if `wrong` is
        a name."""
        self.field, self.message, self.nearest = field, message, nearest_name(wrong, known)
        super().__init__(message)


@dataclass(frozen=True)
class Unit:
    """The unit of a number, `Annotated[float, Unit("m")]`, for error messages."""

    name: str


class Strict(BaseModel):
    """Base of every configuration model: immutable, unknown fields refused, finite numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


def nearest_name(wrong: str, known: Sequence[str], cutoff: float = 0.6) -> str | None:
    """The known name most like `wrong` (letter case ignored), or None if none is like it."""
    folded = {name.casefold(): name for name in reversed(known)}
    found = difflib.get_close_matches(wrong.casefold(), list(folded), n=1, cutoff=cutoff)
    return folded[found[0]] if found else None


def load_yaml(path: str | Path, model: type[Model]) -> Model:
    """Read a YAML file into `model`.

    Raises:
        ConfigError: missing or unreadable file, or as `parse_yaml`.
    """
    return parse_yaml(read_text(path), path, model)


def parse_yaml(text: str, path: str | Path, model: type[Model]) -> Model:
    """Read YAML text into `model`.

    Args:
        path: the file that the text comes from, for the error.

    Raises:
        ConfigError: the first fault in the file: YAML syntax, unknown field, missing field, wrong
            type, or a value that one of the model's validators refuses.
    """
    try:
        data, lines = read_with_lines(text)
    except YamlFault as fault:
        raise ConfigError(path, fault.line, fault.field, fault.message) from None
    if not isinstance(data, dict):
        known = ", ".join(model.model_fields)
        raise ConfigError(path, 1, "", f"expected fields ({known}), got {_shown(data)}")
    try:
        return model.model_validate(data)
    except ValidationError as error:
        errors = _without_echoes(error.errors())
        faults = [_as_config_error(Path(path), model, data, lines, e) for e in errors]
    # Of several faults on one line, prefer the one with a suggestion: a misspelt field is reported
    # as both unknown and missing.
    raise min(faults, key=lambda fault: (fault.line, fault.nearest is None)) from None


def _without_echoes(errors: Sequence[Any]) -> list[Any]:
    """Drop the error "list too short" where it only follows from an invalid entry of the list."""
    places = [tuple(error["loc"]) for error in errors]

    def echoes(error: Any) -> bool:
        place = tuple(error["loc"])
        inside = any(p[: len(place)] == place and len(p) > len(place) for p in places)
        return inside and error["type"] == "too_short"

    return [error for error in errors if not echoes(error)]


def read_text(path: str | Path) -> str:
    """The text of a file. Raises ConfigError: missing, unreadable or not UTF-8."""
    path = Path(path)
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(path, 0, "", "no such file", _nearest_beside(path)) from None
    except UnicodeDecodeError:
        raise ConfigError(path, 0, "", "not a text file in UTF-8") from None
    except OSError as error:
        raise ConfigError(path, 0, "", f"cannot be read: {error.strerror}") from None


def _nearest_beside(path: Path) -> str | None:
    beside = {p.stem: p.name for p in path.parent.glob("*.y*ml")} if path.parent.is_dir() else {}
    near = nearest_name(path.stem, list(beside))  # the suffix is like that of every other
    return beside[near] if near else None


def _as_config_error(
    path: Path, model: type[BaseModel], data: Any, lines: Mapping[FieldPath, int], error: Any
) -> ConfigError:
    place = _known_part(tuple(error["loc"]), lines)
    kind = error["type"]
    cause = error.get("ctx", {}).get("error")
    if isinstance(cause, FieldFault):
        place = _known_part(place + cause.field, lines)
        return ConfigError(path, lines[place], dotted(place), cause.message, cause.nearest)
    if kind == "extra_forbidden":
        known = _field_names(model, place[:-1])
        near = nearest_name(str(place[-1]), known)
        message = "unknown field" if near else f"unknown field; known are {', '.join(known)}"
        return ConfigError(path, lines[place], dotted(place), message, near)
    if kind == "missing":
        return _missing(path, model, data, lines, place, str(error["loc"][-1]))
    message = _wording(error, _unit(model, place))
    near = None
    if kind in ("literal_error", "enum"):
        choices = [word.strip("' ") for word in error["ctx"]["expected"].split("'") if word.strip()]
        near = nearest_name(str(error["input"]), [c for c in choices if c not in (",", "or")])
    return ConfigError(path, lines[place], dotted(place), message, near)


def _missing(
    path: Path,
    model: type[BaseModel],
    data: Any,
    lines: Mapping[FieldPath, int],
    place: FieldPath,
    name: str,
) -> ConfigError:
    """Blame a missing field on the key that looks most like it, if there is one."""
    for part in place:
        data = data[part]
    strangers = [str(k) for k in data if k not in _field_names(model, place)]
    misspelt = nearest_name(name, strangers)
    if misspelt:
        there = (*place, misspelt)
        return ConfigError(path, lines[there], dotted(there), "unknown field", name)
    return ConfigError(path, lines[place], dotted(place), f"field '{name}' is missing")


def _known_part(place: FieldPath, lines: Mapping[FieldPath, int]) -> FieldPath:
    """Drop the parts that pydantic adds to a path (names of union members, function names)."""
    known: FieldPath = ()
    for part in place:
        if (*known, part) in lines:
            known = (*known, part)
    return known


def dotted(place: FieldPath) -> str:
    """A path in the form shown to people: `rooms[3].aliases`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    return text.lstrip(".")


def _wording(error: Mapping[str, Any], unit: str) -> str:
    kind, got = error["type"], _shown(error["input"])
    in_unit = f" ({unit})" if unit else ""
    if kind.startswith(("float", "int", "finite")):
        whole = "whole " if kind.startswith("int") else ""
        return f"expected a {whole}number{in_unit}, got {got}"
    expected = {
        "string_type": "a text (put it in quotes if it looks like a number, date or yes/no)",
        "bool_type": "true or false",
        "bool_parsing": "true or false",
        "list_type": "a list",
        "tuple_type": "a list",
        "dict_type": "fields (name: value)",
        "model_type": "fields (name: value)",
    }.get(kind)
    if kind == "too_short":
        return f"expected at least {error['ctx']['min_length']} in the list"
    if expected:
        return f"expected {expected}, got {got}"
    said = str(error["msg"]).removeprefix("Value error, ")
    said = said.replace("Input should be", "expected a value")
    return f"{said}{in_unit}, got {got}" if said.startswith("expected") else said


def _shown(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return "fields" if isinstance(value, dict) else f"a list of {len(value)}"
    if value is None:
        return "nothing"
    text = f"'{value}'" if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _field_names(model: type[BaseModel], place: FieldPath) -> list[str]:
    names: dict[str, None] = {}
    for annotation in _annotations(model, place):
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            names.update(dict.fromkeys(annotation.model_fields))
    return list(names)


def _unit(model: type[BaseModel], place: FieldPath) -> str:
    units = [a.name for a in _annotations(model, place) if isinstance(a, Unit)]
    return units[0] if units else ""


def _annotations(root: Any, place: FieldPath) -> list[Any]:
    """Every type annotation (and `Unit`) of the models for the value at `place`."""
    level = list(_members(root))
    for part in place:
        level = [member for a in level for b in _inside(a, part) for member in _members(b)]
    return level


def _members(annotation: Any) -> Iterator[Any]:
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        inner, *marks = typing.get_args(annotation)
        yield from (mark for mark in marks if isinstance(mark, Unit))
        yield from _members(inner)
    elif origin in (Union, types.UnionType):
        for member in typing.get_args(annotation):
            yield from _members(member)
    else:
        yield annotation


def _inside(annotation: Any, part: str | int) -> Iterator[Any]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        field = annotation.model_fields.get(str(part))
        if field:
            yield from (mark for mark in field.metadata if isinstance(mark, Unit))
            yield field.annotation
        return
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (list, Sequence):
        yield arguments[0]
    elif origin in (dict, Mapping):
        yield arguments[1]
    elif origin is tuple and isinstance(part, int):
        if arguments[-1] is Ellipsis:
            yield arguments[0]
        elif part < len(arguments):
            yield arguments[part]
