"""A recorded run as one HTML file that needs nothing else: the kiosk's map, program and plan."""

from __future__ import annotations

import base64
import json
import re
from html import escape
from pathlib import Path
from typing import Any

from pydantic_core import to_jsonable_python

from roboinstruct_ros.web.own_sentences import phrases_in_run
from roboinstruct_ros.web.pages import STATIC, Look, filled, in_script

_OWN = STATIC / "run_page"
_MODULES = ("dom", "messages", "words", "map_labels", "map_view", "program_view")
"""The kiosk's own; the page's module names them without a path, and they each other."""


def run_page(document: dict[str, Any], look: Look | None = None) -> str:
    """The page.

    Args:
        document: as `document_of` makes it.
        look: of whom it is for; without it English, in the colours of the device.
    """
    imports = {name: _module(STATIC / f"{name}.js") for name in _MODULES}
    styles = (STATIC / "style.css", STATIC / "map.css", _OWN / "page.css")
    parts = {
        "TITLE": escape(document["instruction"] or "A recorded run"),
        "STYLE": "\n".join(path.read_text(encoding="utf-8") for path in styles),
        "IMPORTS": json.dumps({"imports": imports}),
        "RUN": in_script({**document, "phrases": to_jsonable_python(phrases_in_run(document))}),
        "SCRIPT": _bare((_OWN / "page.js").read_text(encoding="utf-8")),
    }
    page = (_OWN / "page.html").read_text(encoding="utf-8")
    return filled(page, look or Look(), parts)


def _module(path: Path) -> str:
    text = _bare(path.read_text(encoding="utf-8")).encode()
    return f"data:text/javascript;base64,{base64.b64encode(text).decode()}"


def _bare(script: str) -> str:
    """With the names of the import map: a module without an address has none beside it."""
    return re.sub(r'from "\./(\w+)\.js"', r'from "\1"', script)
