"""`go_to` and places on a robot with Nav2."""
