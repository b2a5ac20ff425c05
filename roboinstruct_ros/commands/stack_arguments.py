"""Options of the stack that several commands take."""

from __future__ import annotations

from typing import Annotated

from roboinstruct_ros.bringup.node_set import Options
from roboinstruct_ros.commands.arguments import like

STACK = Options(log_level="warn")  # a user at a terminal gets less than the log

World = Annotated[str, like(STACK, "world")]
Domain = Annotated[str, like(STACK, "domain")]
Model = Annotated[str, like(STACK, "model")]
Library = Annotated[str, like(STACK, "library")]
