"""Literals in the notation of configuration files: `in_room(obj, here)`."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

_LITERAL = re.compile(r"\s*(\w+)\(\s*([^()]*?)\s*\)\s*")


class LiteralPattern(BaseModel):
    """A literal over the parameters of a skill, such as `in_room(obj, here)`."""

    model_config = ConfigDict(frozen=True)
    predicate: str
    arguments: tuple[str, ...]

    @classmethod
    def from_text(cls, text: str) -> LiteralPattern:
        """Parse `name(argument, ...)`.

        Raises:
            ValueError: the text does not have this form.
        """
        match = _LITERAL.fullmatch(text)
        if match is None:
            raise ValueError(f"'{text}' is not a literal; write it as in_room(obj, here)")
        arguments = tuple(part.strip() for part in match[2].split(",") if part.strip())
        return cls(predicate=match[1], arguments=arguments)


def _is_literal(text: str) -> str:
    LiteralPattern.from_text(text)
    return text


LiteralText = Annotated[str, AfterValidator(_is_literal)]
