"""`is_in_room` on a robot with detectors."""
