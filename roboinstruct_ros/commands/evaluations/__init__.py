"""Evaluations from the command line: run, gone on with, compared, told."""
