"""Work that a Ray cluster does; Ray is looked for when it is asked for."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from roboinstruct_ros.trace.bag import BagError

Given = TypeVar("Given")
Done = TypeVar("Done")

_ANSWER_LIMIT = 5.0  # s


def on_ray(address: str, do: Callable[[Given], Done], work: Sequence[Given]) -> Iterator[Done]:
    """Do each on the cluster, a core each, and give what comes of it in the order of the work.

    Args:
        address: of the cluster as Ray takes it; "local" starts one on this machine.

    Raises:
        BagError: Ray is not installed, or there is no such cluster.
    """
    try:
        import ray
    except ImportError:
        raise BagError("--ray: Ray is not installed here; pip install 'ray'") from None
    _check_answers(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level="error")
    except Exception as error:  # Ray has a class of its own for every way to fail
        reason = " ".join(str(error).split())[:200]
        raise BagError(f"--ray {address}: no Ray cluster is there: {reason}") from None
    try:
        remote: Any = ray.remote(num_cpus=1)(do)
        for reference in [remote.remote(one) for one in work]:
            yield ray.get(reference)
    except ray.exceptions.RayError as error:
        reason = " ".join(str(error).split())[:200]
        raise BagError(f"--ray {address}: the cluster has failed: {reason}") from None
    finally:
        ray.shutdown()


def _check_answers(address: str) -> None:
    """Ray itself would try for minutes. Raises BagError."""
    _, _, place = address.rpartition("/")
    host, colon, port = place.rpartition(":")
    if not colon:
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), _ANSWER_LIMIT).close()
    except (OSError, ValueError, OverflowError) as error:
        raise BagError(f"--ray {address}: no Ray cluster answers there: {error}") from None
