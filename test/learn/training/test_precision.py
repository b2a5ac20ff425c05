"""A machine that only emulates bfloat16 trains in float32."""

from __future__ import annotations

import pytest
import torch

from roboinstruct_ros.learn.training import precision

SECONDS = {torch.bfloat16: 0.02, torch.float32: 0.002}


@pytest.mark.parametrize("factor, best", [(1.0, torch.float32), (0.05, torch.bfloat16)])
def test_the_faster_format_is_taken(
    factor: float, best: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = SECONDS | {torch.bfloat16: SECONDS[torch.bfloat16] * factor}
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(precision, "_seconds", seconds.__getitem__)
    assert precision.fastest_precision() is best


@pytest.mark.parametrize("native, best", [(True, torch.bfloat16), (False, torch.float32)])
def test_a_gpu_is_asked_and_not_timed(
    native: bool, best: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation: native)
    monkeypatch.setattr(precision, "_seconds", None)
    assert precision.fastest_precision() is best


def test_both_formats_can_be_timed() -> None:
    assert all(precision._seconds(each) > 0 for each in SECONDS)
