"""Commands for recorded runs: show, replay, compare, keep as tests."""
