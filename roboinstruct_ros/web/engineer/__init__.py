"""The engineer's view: what stands behind a verdict, what the stack tells, and the map's editor."""
