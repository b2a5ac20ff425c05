"""Bags of robots that are not ours: where the robot was, and what it saw there."""
