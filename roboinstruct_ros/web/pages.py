"""A page's HTML in the language and the colours that a person has chosen on this device."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from html import escape
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from roboinstruct_ros.domain.phrase import BROWSERS, ENGLISH, LANGUAGES, messages

STATIC = Path(__file__).parent / "static"
LANGUAGE_COOKIE = "language"
THEME_COOKIE = "theme"
_SHARED = {"HEAD": "head.html", "SETTINGS": "settings.html"}
"""Files of what several pages have."""
_PLACE = re.compile(r"\{\{([\w.]+)\}\}")


class Theme(str, Enum):
    """Colours of a page. AUTO: as the device has them, with high contrast where it asks for it."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"
    CONTRAST = "contrast"


@dataclass(frozen=True)
class Look:
    """How a page is shown; `language` as in `LANGUAGES`."""

    language: str = ENGLISH
    theme: Theme = Theme.AUTO

    @classmethod
    def wanted(cls, request: Request, kiosk_language: str = BROWSERS) -> Look:
        """What was chosen on the device, else what the kiosk is bound to, else the browser's."""
        chosen = request.cookies.get(LANGUAGE_COOKIE, "")
        known = (one for one in (chosen, kiosk_language) if one in LANGUAGES)
        theme = request.cookies.get(THEME_COOKIE, "")
        return cls(
            language=next(known, "") or _accepted(request.headers.get("accept-language", "")),
            theme=Theme(theme) if theme in set(Theme) else Theme.AUTO,
        )


def page(name: str, request: Request, look: Look) -> Response:
    """A page of `static/` as this person reads it."""
    packed = "gzip" in request.headers.get("accept-encoding", "")
    vary = {"Vary": "Accept-Encoding, Accept-Language, Cookie"}
    headers = {**vary, "Content-Encoding": "gzip"} if packed else vary
    return HTMLResponse(_html(name, look, packed), headers=headers)


@lru_cache(maxsize=64)
def _html(name: str, look: Look, packed: bool) -> bytes:
    html = filled((STATIC / name).read_text(encoding="utf-8"), look, {}).encode()
    return gzip.compress(html) if packed else html


def filled(text: str, look: Look, parts: Mapping[str, str]) -> str:
    """HTML with what `{{...}}` names: a message by its key, escaped, or one of the parts as it is.

    Raises:
        KeyError: there is neither.
    """
    words = messages(look.language)
    parts = {
        "LANGUAGE": look.language,
        "THEME": look.theme.value,
        "MESSAGES": in_script(words),
        **parts,
    }

    def put(found: re.Match[str]) -> str:
        name = found[1]
        if name in _SHARED:
            return _PLACE.sub(put, (STATIC / _SHARED[name]).read_text(encoding="utf-8").rstrip())
        return parts[name] if name in parts else escape(str(words[name]))

    return _PLACE.sub(put, text)


def in_script(data: object) -> str:
    """JSON that ends no script element, whatever is in it."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def _accepted(header: str) -> str:
    """The language that a browser wants most, of those that there are; else English."""
    wanted = []
    for part in header.split(","):
        name, _, quality = part.strip().partition(";q=")
        language = name.partition("-")[0].strip().lower()
        if language in LANGUAGES and quality != "0":
            wanted.append((quality or "1", language))
    # Qualities have one digit before the point, so that their texts are in their order.
    return max(wanted, key=lambda one: one[0], default=("", ENGLISH))[1]
