"""What the models of the kiosk's API are made of."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """It does not change once it is made."""

    model_config = ConfigDict(frozen=True)


class ClosedValue(Value):
    """And it takes no field but those that it names."""

    model_config = ConfigDict(extra="forbid")
