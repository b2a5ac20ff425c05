"""Recorded runs from the command line: told, replayed, compared, kept as tests."""
