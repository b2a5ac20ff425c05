"""Tests of the training itself; they need PyTorch, which is no part of the test environment.

`make train-test` runs them in the environment of `make train`.
"""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["test_*.py"]
