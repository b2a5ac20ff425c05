"""Distributes a step's work over processes, several items at once if they use a server."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.task_error import TaskError
from roboinstruct_ros.learn.pipeline.work import LearnError, StepWork
from roboinstruct_ros.spread.work import in_order

Setup = TypeVar("Setup")
Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 2  # items of a share per parallel slot, so that few wait for the slowest


@dataclass(frozen=True)
class Share(Generic[Setup, Item]):
    """Items for one process, and their common setup."""

    setup: Setup
    items: tuple[Item, ...]
    at_once: int


@dataclass(frozen=True)
class Done(Generic[Result]):
    """The results of the first items; of all, if there is no fault."""

    results: tuple[Result, ...]
    fault: str = ""


def each(
    work: StepWork,
    do: Callable[[Setup, Item], Result],
    setup: Setup,
    items: Sequence[Item],
    at_once: int = 1,
) -> Generator[tuple[Item, Result], None, None]:
    """Yield each item with its result, in order.

    Args:
        do: a module-level function, which other processes import; it may cache what it loads.
        at_once: items that one process handles in parallel threads.

    Raises:
        LearnError: of the first item that fails, after the results of all items before it.
    """
    size = at_once * AHEAD if at_once > 1 else 1
    shares = [
        Share(setup, tuple(items[at : at + size]), at_once) for at in range(0, len(items), size)
    ]
    for done in in_order(work.spread(partial(_do_share, do), shares)):
        share = shares[done.index]
        if done.value is None:
            raise LearnError(
                f"{work.folder}: a process died twice over {_name(share.items[0])}; give the same "
                "command again, with fewer jobs where memory is short"
            )
        yield from zip(share.items, done.value.results, strict=False)
        if done.value.fault:
            raise LearnError(done.value.fault)


def _do_share(do: Callable[[Any, Any], Any], share: Share[Any, Any]) -> Done[Any]:
    results = []
    try:
        if share.at_once == 1:
            for item in share.items:
                results.append(do(share.setup, item))
            return Done(tuple(results))
        with ThreadPoolExecutor(share.at_once) as pool:
            futures = [pool.submit(do, share.setup, item) for item in share.items]
            try:
                for future in futures:
                    results.append(future.result())
            finally:
                pool.shutdown(cancel_futures=True)
    except (InputError, TaskError) as error:  # not all of them can be pickled
        return Done(tuple(results), str(error))
    return Done(tuple(results))


def _name(item: object) -> str:
    return str(getattr(item, "id", item))[:80]
