"""`pick` and `place` on a robot with MoveIt 2."""
