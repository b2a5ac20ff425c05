"""`roboinstruct generate --jsonl`: programs for many instructions, one JSON object per line."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any

from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.json_lines import Line, lines_of
from roboinstruct_ros.commands.progress import told
from roboinstruct_ros.domain.arrival import read_object
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.generate.generation import Generation, GenerationEvent
from roboinstruct_ros.generate.generator import Generator
from roboinstruct_ros.generate.writing_options import WritingOptions

_TOLD = ("attempts", "notes", "agreed", "answer", "now", "deferred", "error_code", "error_msg")
_COSTS = ("prompt_tokens", "generated_tokens", "duration")
_BEGIN = '{"id": '  # of each result, and so of one that a killed run has left half written
_SHAPE = '{"id": ..., "instruction": "..."}'


def generate_lines(
    generator: Generator,
    options: WritingOptions,
    source: IO[str],
    out: Path | None,
    given: Mapping[str, str],
) -> ExitCode:
    """Write a program for every line of `source`, in the same order.

    An unusable line gets an object with `error`, and the exit code is 2.

    Args:
        out: Output file; the objects of an earlier, interrupted run are kept and their lines
            skipped. None for standard output.
        given: What else determines the programs (model, world, domain); stands in each object.

    Raises:
        ConfigError: `out` contains something else, or programs for something else.
    """
    lines = list(lines_of(source, "instruction", _SHAPE))
    asked = [{"id": line.id, "instruction": line.text, **given} for line in lines]
    done = _done(out, asked) if out else 0
    with (
        out.open("a", encoding="utf-8") if out else nullcontext(sys.stdout) as target,
        told("writing") as progress,
    ):
        progress.total(len(lines))
        progress.advance(done)
        for line, for_this in zip(lines[done:], asked[done:], strict=True):
            told_of_it = {**for_this, **_answer(line, generator, options)}
            print(json.dumps(told_of_it), file=target, flush=True)
            progress.advance()
    return ExitCode.BAD_INPUT if any(line.fault for line in lines) else ExitCode.SUCCESS


def _answer(line: Line, generator: Generator, options: WritingOptions) -> dict[str, Any]:
    if line.fault:
        return {"error": line.fault}
    return as_object(generator.write(line.text, options, silent, threading.Event()))


def as_object(generation: Generation) -> dict[str, Any]:
    told, verdict, confidence = generation.as_json, generation.verdict, generation.confidence
    return {
        "program": generation.source,
        "accepted": generation.accepted,
        "violations": [
            {"code": v.code.value, "line": v.line, "message": v.message}
            for v in (verdict.violations if verdict else ())
        ],
        "confidence": None if confidence is None else round(confidence, 3),
        **{name: told[name] for name in _TOLD},
        "stats": {**{name: told[name] for name in _COSTS}, **told["stats"]},
    }


def _done(out: Path, asked: Sequence[Mapping[str, Any]]) -> int:
    """Number of complete lines in the file; cuts off a partial line left by a killed run.

    Raises:
        ConfigError: they do not belong to what is asked now.
    """
    if not out.exists():
        return 0
    try:
        text = out.read_text(encoding="utf-8")
        whole = text[: text.rfind("\n") + 1]
        lines = whole.splitlines()
        results = [read_object(line, "") for line in lines]
        left = text[len(whole) :]
        if left[: len(_BEGIN)] != _BEGIN[: len(left)]:
            raise ValueError
    except (ValueError, IsADirectoryError):
        fault = "holds no results of an earlier run; give another --out"
        raise ConfigError(str(out), 0, "", fault) from None
    again = "give the same input and options again, or another --out"
    if len(results) > len(asked):
        told = f"there are {len(results)} results for {len(asked)} instructions; {again}"
        raise ConfigError(str(out), len(results), "", told)
    for number, (result, now) in enumerate(zip(results, asked, strict=False), 1):
        for name in now:
            if result.get(name, now[name]) != now[name]:
                told = f"made for {result[name]!r}, asked for {now[name]!r}; {again}"
                raise ConfigError(str(out), number, name, told)
    if whole != text:
        out.write_text(whole, encoding="utf-8")
    return len(lines)


def silent(event: GenerationEvent) -> None:
    """No progress display: a script reads the result, or a bar shows the progress."""
