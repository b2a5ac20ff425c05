"""Data types of `config/grasps.yaml`: how to grasp each object, and where to place objects."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from roboinstruct_ros.domain.configuration import FieldFault, Strict, Unit
from roboinstruct_ros.domain.semantic_map import Metres, Name, Radians
from roboinstruct_ros.skill_servers.perception.object_name_match import ObjectNames

Length = Annotated[float, Field(gt=0.0, le=2.0), Unit("m")]
Newtons = Annotated[float, Field(gt=0.0, le=500.0), Unit("N")]
Side = Literal["top", "side"]


class GripperEntry(Strict):
    open_width: Length
    closed_width: Annotated[float, Field(ge=0.0, le=1.0), Unit("m")] = 0.0
    tool_rpy: tuple[Radians, Radians, Radians] = (0.0, 0.0, 0.0)

    @model_validator(mode="after")
    def _opens(self) -> GripperEntry:
        if self.closed_width >= self.open_width:
            raise FieldFault(("closed_width",), "must be less than open_width")
        return self


class GraspEntry(Strict):
    """How to grasp one object.

    Attributes:
        approach: length of the straight approach, m.
        lift: height of the straight lift, m.
        width_tolerance: permitted difference from `width` when the fingers hold the object, m.
        from_: approach sides, preferred first.
        turns: number of hand rotations about the approach axis to try.
        depth: how far the tip goes beyond the object's centre, m; negative stops before it.
    """

    approach: Length = 0.1
    lift: Length = 0.1
    force: Newtons = 20.0
    width: Length | None = None
    width_tolerance: Length = 0.015
    from_: Annotated[tuple[Side, ...], Field(alias="from", min_length=1)] = ("top", "side")
    turns: Annotated[int, Field(ge=1, le=72)] = 8
    depth: Metres = 0.0


class ObjectEntry(GraspEntry):
    name: Name


class SpotEntry(Strict):
    """A point to place objects on; frame `base_link`, m."""

    x: Metres
    y: Metres
    z: Metres


class PlaceEntry(Strict):
    surfaces: tuple[Name, ...] = ()
    fixed: tuple[SpotEntry, ...] = ()
    clearance: Length = 0.02
    apart: Length = 0.12
    reach: Length = 0.85


class GraspsEntry(Strict):
    gripper: GripperEntry
    defaults: GraspEntry = Field(default_factory=GraspEntry)
    objects: tuple[ObjectEntry, ...] = ()
    unlisted: bool = False
    place: PlaceEntry = Field(default_factory=PlaceEntry)

    @model_validator(mode="after")
    def _gripper_is_wide_enough(self) -> GraspsEntry:
        taken: dict[str, int] = {}
        for index, entry in enumerate(self.objects):
            if entry.width is not None and entry.width >= self.gripper.open_width:
                message = (
                    f"the gripper opens to {self.gripper.open_width:g} m only; '{entry.name}' "
                    f"needs more than {entry.width:g} m"
                )
                raise FieldFault(("objects", index, "width"), message)
            if taken.setdefault(entry.name.casefold(), index) != index:
                raise FieldFault(("objects", index, "name"), f"'{entry.name}' is listed twice")
        return self

    def grasp_of(self, name: str, names: ObjectNames) -> GraspEntry | None:
        """The grasp of an object: from its own entry, that of a broader kind, or the default.

        None means that the file does not permit it.
        """
        own = [e for e in self.objects if names.canonical(e.name) == names.canonical(name)]
        broader = [e for e in self.objects if names.is_a(name, e.name)]
        entry = next(iter((*own, *broader)), None)
        if entry is None:
            return self.defaults if self.unlisted else None
        given = entry.model_dump(exclude={"name"}, exclude_unset=True)
        return self.defaults.model_copy(update=given)
