"""A machine that only emulates bfloat16 trains in float32."""

from __future__ import annotations

import pytest
import torch

from roboinstruct_ros.learn.training import precision

SECONDS = {torch.bfloat16: 0.02, torch.float32: 0.002}


@pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU is asked, not timed")
@pytest.mark.parametrize("factor, best", [(1.0, torch.float32), (0.05, torch.bfloat16)])
def test_the_faster_format_is_taken(
    factor: float, best: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = SECONDS | {torch.bfloat16: SECONDS[torch.bfloat16] * factor}
    monkeypatch.setattr(precision, "_seconds", seconds.__getitem__)
    assert precision.fastest_precision() is best


def test_both_formats_can_be_timed() -> None:
    assert all(precision._seconds(each) > 0 for each in SECONDS)
