"""Tests of the training itself; most need PyTorch, which is no part of the test environment.

`make train-test` runs them in the environment of `make train`.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

_WITHOUT = ("test_reward.py",)
_ALL = sorted(one.name for one in Path(__file__).parent.glob("test_*.py"))

collect_ignore = [] if find_spec("torch") else [one for one in _ALL if one not in _WITHOUT]
