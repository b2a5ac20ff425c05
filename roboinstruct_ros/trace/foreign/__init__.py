"""Bags of other robots: where the robot was, and what it saw there."""
