"""Tasks of several rounds, and follow-ups to a task."""
