"""Reports SROS 2 refusals by DDS as one-line errors."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import rclpy
from rclpy.context import Context
from rclpy.impl.implementation_singleton import rclpy_implementation

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.nodes.log_folder import with_log_folder
from roboinstruct_ros.security.environment import is_enforced

_NO_PLUGINS = "doesn't have the security libraries"
_TOLD = (
    "this Fast DDS was built without its security plugins, so that nothing can be closed and "
    "nothing is started; the packages of a ROS 2 installation have them, see docs/security.md"
)


@contextmanager
def one_line_refusals() -> Iterator[None]:
    """Translate DDS security failures in the block.

    Raises:
        ConfigError: replaces rcl's own error when security is enforced.
    """
    try:
        yield
    except rclpy_implementation.RCLError as error:
        if not is_enforced(os.environ):
            raise
        said = str(error)
        told = _TOLD if _NO_PLUGINS in said else " ".join(said.partition(", at ")[0].split())
        raise ConfigError("security", 0, "", told) from None


def check_enforceable() -> None:
    """Create a trial node before any other process is started.

    Raises:
        ConfigError: DDS cannot enforce enclaves on this machine or refuses that of this process.
    """
    if not is_enforced(os.environ):
        return
    context = Context()
    with one_line_refusals():
        rclpy.init(args=with_log_folder([]), context=context)
        rclpy.create_node("roboinstruct_check", context=context).destroy_node()
    rclpy.shutdown(context=context)
