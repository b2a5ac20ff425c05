"""The conditions of a run, reported as it begins so that its recording can be re-run elsewhere."""

from __future__ import annotations

from importlib.metadata import version

from pydantic import BaseModel, ConfigDict

from roboinstruct_ros.domain.policies import NO_POLICIES, Policies
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.execute.hazard import OnHazard
from roboinstruct_ros.execute.recovery_policies import NO_RECOVERY, RecoveryPolicies
from roboinstruct_ros.verify.world.remains import Remains


class RunSetting(BaseModel):
    """Everything besides the program and the skills' answers that decides how a run goes.

    Attributes:
        semantic_map: None leaves the rooms open.
        remains: facts left by earlier runs when this one began.
    """

    model_config = ConfigDict(frozen=True)
    domain: Domain
    semantic_map: SemanticMap | None = None
    policies: Policies = NO_POLICIES
    recovery: RecoveryPolicies = NO_RECOVERY
    on_hazard: OnHazard = OnHazard.PAUSE
    most_calls: int = 10_000
    remains: Remains = ()
    version: str = version("roboinstruct")
