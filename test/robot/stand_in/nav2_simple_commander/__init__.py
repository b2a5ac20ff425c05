"""Stands in for Nav2's package of this name where it is not installed."""
