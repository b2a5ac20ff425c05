"""Distributes work over a Ray cluster; Ray is imported only when used."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from roboinstruct_ros.spread.work import Done, Given, Left, Made, SpreadError

_ANSWER_LIMIT = 5.0  # s
_AHEAD = 2  # work items queued per core


def on_ray(
    address: str, do: Callable[[Given], Made], work: Sequence[Given]
) -> Iterator[Done[Made]]:
    """Process each item on the cluster, one core each, and yield results as they complete.

    Args:
        address: Ray address of the cluster; "local" starts one on this machine.
        do: importable by the cluster's nodes. Its exceptions are raised here.

    Raises:
        SpreadError: Ray is not installed, or there is no such cluster.
    """
    try:
        import ray
    except ImportError:
        raise SpreadError("--ray: Ray is not installed here; pip install 'ray'") from None
    _check_answers(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level="error")
    except Exception as error:  # Ray has many exception classes for this
        reason = " ".join(str(error).split())[:200]
        raise SpreadError(f"--ray {address}: no Ray cluster is there: {reason}") from None
    try:
        yield from _done(ray, do, work)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.RayError as error:
        reason = " ".join(str(error).split())[:200]
        raise SpreadError(f"--ray {address}: the cluster has failed: {reason}") from None
    finally:
        ray.shutdown()


def _done(ray: Any, do: Callable[[Given], Made], work: Sequence[Given]) -> Iterator[Done[Made]]:
    remote = ray.remote(num_cpus=1, max_retries=0)(_do)
    most = _AHEAD * max(int(ray.cluster_resources().get("CPU", 1)), 1)
    left = Left(len(work))
    begun: dict[Any, int] = {}
    while left or begun:
        while left and len(begun) < most:
            index = left.take()
            begun[remote.remote(do, work[index])] = index
        for reference in ray.wait(list(begun))[0]:
            index = begun.pop(reference)
            try:
                yield left.done(index, ray.get(reference))
            except ray.exceptions.WorkerCrashedError:
                yield from left.died(index)


def _do(do: Callable[[Given], Made], given: Given) -> Made:
    """Ray accepts functions only, not other callables."""
    return do(given)


def _check_answers(address: str) -> None:
    """Check that the cluster answers; Ray itself would retry for minutes. Raises SpreadError."""
    _, _, place = address.rpartition("/")
    host, colon, port = place.rpartition(":")
    if not colon:
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), _ANSWER_LIMIT).close()
    except (OSError, ValueError, OverflowError) as error:
        raise SpreadError(f"--ray {address}: no Ray cluster answers there: {error}") from None
