"""Renders a chat template inside a confined child, as it is a program that came with a model file.

Templates have the same functions as in `llama_cpp.llama_chat_format.Jinja2ChatFormatter`.
"""

from __future__ import annotations

import contextlib
import json
from datetime import datetime
from typing import Any, NoReturn

import jinja2
import jinja2.ext
from jinja2.sandbox import ImmutableSandboxedEnvironment

from roboinstruct_ros.sandbox.confined_child import serve
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.sandbox.wire import Wire


class _Generation(jinja2.ext.Extension):
    """`{% generation %}`, which marks the trained part of a turn and does not change the text."""

    tags = {"generation"}  # noqa: RUF012 - as Jinja declares it

    def parse(self, parser: Any) -> Any:
        parser.stream.skip(1)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def main() -> None:
    serve(_answer)


def _answer(wire: Wire, limits: Limits) -> None:
    setup = wire.receive()
    try:
        template = _environment().from_string(setup["source"])
        wire.send({"fault": ""})
    except Exception as error:  # Jinja's own errors, and those of its parser on invalid templates
        wire.send({"fault": _words(error)})
        return
    while True:
        request = wire.receive()
        try:
            wire.send({"text": template.render(**setup["tokens"], **request, **_HELPERS)})
        except Exception as error:
            wire.send({"fault": _words(error)})


def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        loader=jinja2.BaseLoader(),
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=[_Generation, jinja2.ext.loopcontrols],
    )
    environment.filters["tojson"] = _to_json
    return environment


def _to_json(value: Any, ensure_ascii: bool = False, **options: Any) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, **options)


def _raise(message: str) -> NoReturn:
    raise ValueError(message)


def _words(error: Exception) -> str:
    return " ".join(str(error).split())[:1000] or type(error).__name__


_HELPERS = {
    "raise_exception": _raise,
    "strftime_now": lambda form: datetime.now().strftime(form),
    **dict.fromkeys(("functions", "function_call", "tools", "tool_choice")),
}


def _read_ahead() -> None:
    """Load the files of Jinja, Python and the time zone, which a confined child cannot open."""
    text = "{% for one in [1.5] %}{{ 'a' }}{{ [one] | tojson }}{% endfor %}{{ strftime_now('%c') }}"
    _environment().from_string(text).render(**_HELPERS)
    with contextlib.suppress(ZeroDivisionError):
        _environment().from_string("{{ 1 / 0 }}").render()
    with contextlib.suppress(jinja2.TemplateSyntaxError):
        _environment().from_string("{% for")


_read_ahead()
