"""3D transforms: quaternions are (x, y, z, w), lengths in m, angles in rad."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

UP: Vector = (0.0, 0.0, 1.0)
NO_TURN: Quaternion = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Placement:
    """Position and orientation in a frame known to the owner."""

    position: Vector = (0.0, 0.0, 0.0)
    orientation: Quaternion = NO_TURN

    def of(self, inner: Placement) -> Placement:
        """`inner`, given in this placement's frame, in the outer frame."""
        return Placement(
            add(self.position, rotate(self.orientation, inner.position)),
            multiply(self.orientation, inner.orientation),
        )

    def moved(self, direction: Vector, distance: float) -> Placement:
        """It moved by `distance` m along a unit vector of the outer frame."""
        return Placement(add(self.position, scale(direction, distance)), self.orientation)

    def inverse(self) -> Placement:
        """The outer frame in this placement's frame."""
        x, y, z, w = self.orientation
        back = (-x, -y, -z, w)
        return Placement(scale(rotate(back, self.position), -1.0), back)

    @property
    def yaw(self) -> float:
        """Rotation about the vertical axis, rad."""
        x, y, z, w = self.orientation
        return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """The rotation by `b`, then by `a` about the outer frame's axes."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def rotate(turn: Quaternion, vector: Vector) -> Vector:
    x, y, z, w = turn
    turned = multiply(multiply(turn, (*vector, 0.0)), (-x, -y, -z, w))
    return turned[:3]


def about(axis: Vector, angle: float) -> Quaternion:
    """Return the rotation about an axis (of length 1) by `angle` rad, counter-clockwise."""
    sine = math.sin(angle / 2)
    return (axis[0] * sine, axis[1] * sine, axis[2] * sine, math.cos(angle / 2))


def from_rpy(roll: float, pitch: float, yaw: float) -> Quaternion:
    """Return the rotation by roll, pitch and yaw about the fixed axes x, y, z, as in URDF."""
    turn = multiply(about((0.0, 1.0, 0.0), pitch), about((1.0, 0.0, 0.0), roll))
    return multiply(about(UP, yaw), turn)


def normalised(turn: Quaternion) -> Quaternion | None:
    """Return the unit quaternion; None if its length is zero or not finite."""
    length = math.sqrt(sum(part * part for part in turn))
    if not math.isfinite(length) or length < 1e-6:
        return None
    x, y, z, w = turn
    return (x / length, y / length, z / length, w / length)


def add(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def scale(vector: Vector, by: float) -> Vector:
    return (vector[0] * by, vector[1] * by, vector[2] * by)


def distance_to_line(point: Vector, start: Vector, end: Vector) -> float:
    """Return the distance in m from a point to the line segment between two others."""
    along = (end[0] - start[0], end[1] - start[1], end[2] - start[2])
    there = (point[0] - start[0], point[1] - start[1], point[2] - start[2])
    length = sum(part * part for part in along)
    part = sum(a * b for a, b in zip(along, there, strict=True)) / length if length else 0.0
    return math.dist(point, add(start, scale(along, min(1.0, max(0.0, part)))))


def matrix_placement(matrix: Any) -> Placement:
    """Convert a 4 x 4 homogeneous matrix, indexed by row and column."""
    rows = (map(float, matrix[row]) for row in range(3))
    (xx, xy, xz, x), (yx, yy, yz, y), (zx, zy, zz, z) = rows
    # each row is the quaternion times four times one of its components
    products: tuple[Quaternion, ...] = (
        (1 + xx - yy - zz, xy + yx, xz + zx, zy - yz),
        (xy + yx, 1 - xx + yy - zz, yz + zy, xz - zx),
        (xz + zx, yz + zy, 1 - xx - yy + zz, yx - xy),
        (zy - yz, xz - zx, yx - xy, 1 + xx + yy + zz),
    )
    turn = normalised(max(products, key=lambda row: math.hypot(*row)))
    return Placement((x, y, z), turn or NO_TURN)
