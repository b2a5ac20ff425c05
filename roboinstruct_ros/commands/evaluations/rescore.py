"""`roboinstruct eval rescore`: compares RoboEval's stored results with ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.evaluate.figures.estimate import share
from roboinstruct_ros.evaluate.readers.roboeval.agreement import compared


def rescore(
    checkout: Annotated[Path, typer.Argument(help="Checkout of the benchmark RoboEval.")],
    stored: Annotated[Path, typer.Argument(help="Its stored evaluations: a file or a folder.")],
) -> ExitCode:
    """Whether our runs and RoboEval's checks give its stored programs the same results."""
    try:
        every = []
        for one in compared(checkout.expanduser(), stored.expanduser()):
            every.append(one)
            if not one.agrees:
                print(one)
    except (OSError, ValueError) as error:
        raise InputError(" ".join(str(error).split())) from None
    if not every:
        raise InputError(f"{stored}: no program in it says is_sat, by which it could be compared")
    then = share((one.stored.task, bool(one.stored.is_sat)) for one in every)
    now = share((one.stored.task, not one.why) for one in every)
    alike = sum(one.agrees for one in every)
    print(f"passed then {then.percent(1)}, now {now.percent(1)}; {alike} of {len(every)} alike")
    return ExitCode.SUCCESS if alike == len(every) else ExitCode.FAILED
