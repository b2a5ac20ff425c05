"""Reads YAML text into plain data, together with the line of every field."""

from __future__ import annotations

from typing import Any

import yaml

from roboinstruct_ros.domain.whole_text import has_half_characters

FieldPath = tuple[str | int, ...]
"""Keys and list indices that lead from the root of a document to a value."""

MAX_NODES = 200_000
"""A few nested aliases can stand for billions of values; no honest file comes near this number."""


_MOST_BITS = 256
"""Most bits of an integer."""


class _Lines(dict[FieldPath, int]):
    """Of what is not where it is used (a merge by `<<`), or has no text as its key: the line of
    what it is in."""

    def __missing__(self, place: FieldPath) -> int:
        return self[place[:-1]]


class YamlFault(Exception):
    """Text that is not YAML, or YAML that no configuration needs."""

    def __init__(self, line: int, field: str, message: str) -> None:
        """`line` is 1-based; `field` is empty if the fault has none."""
        self.line, self.field, self.message = line, field, message
        super().__init__(message)


def read_with_lines(text: str) -> tuple[Any, dict[FieldPath, int]]:
    """The data of one YAML document and the 1-based line of every path in it.

    Raises:
        YamlFault: syntax errors, duplicate fields, several documents, alias bombs.
    """
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        if root is None:
            return None, {(): 1}
        lines = _Lines()
        _collect(root, (), lines)
        return _Values("").construct_document(root), lines
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        said = ", ".join(filter(None, [error.context, error.problem]))
        raise YamlFault(line, "", f"not valid YAML: {said}") from None
    except yaml.YAMLError as error:
        said = str(error).splitlines()[0]
        raise YamlFault(1, "", f"not valid YAML: {said}") from None
    except RecursionError:
        raise YamlFault(1, "", "nested too deeply") from None


class _Values(yaml.SafeLoader):
    """Constructs values; reports a text that PyYAML takes for a date or a number but cannot
    convert."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        line = node.start_mark.line + 1
        try:
            value = super().construct_object(node, deep)
        except (yaml.YAMLError, YamlFault, RecursionError):
            raise
        except Exception:
            kind = node.tag.rpartition(":")[2]
            shown = f"'{str(node.value)[:40]}'" if isinstance(node, yaml.ScalarNode) else "this"
            message = f"{shown} is no {kind}; put it in quotes if it is a text"
            raise YamlFault(line, "", message) from None
        if isinstance(value, int) and value.bit_length() > _MOST_BITS:
            raise YamlFault(line, "", "a number with too many digits")
        if has_half_characters(value):
            raise YamlFault(line, "", "a text with half a character (a lone surrogate)")
        return value


def _collect(node: yaml.Node, place: FieldPath, lines: dict[FieldPath, int]) -> None:
    lines[place] = node.start_mark.line + 1
    if len(lines) > MAX_NODES:
        raise YamlFault(lines[place], "", f"more than {MAX_NODES} values")
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            _collect(item, (*place, index), lines)
    elif isinstance(node, yaml.MappingNode):
        seen: dict[str, int] = {}
        for key, value in node.value:
            name, line = str(key.value), key.start_mark.line + 1
            # PyYAML would silently keep the last one.
            if name in seen:
                raise YamlFault(line, name, f"given twice; first in line {seen[name]}")
            seen[name] = line
            below = (*place, name)
            _collect(value, below, lines)
            lines[below] = line
