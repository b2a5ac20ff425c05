"""Runs a model, in this process or on a server, behind one protocol."""
