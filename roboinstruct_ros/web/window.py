"""Which window of a page asks: two of one device are two people, or one who has forgotten."""

from __future__ import annotations

from typing import Annotated

from fastapi import Header

Window = Annotated[
    str, Header(alias="X-Window", max_length=64, description="any name; empty for a program's")
]
"""The name that a window has given itself."""
