"""`roboinstruct learn ...`."""
