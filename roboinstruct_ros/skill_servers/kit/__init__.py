"""The common parts of all skill servers."""
