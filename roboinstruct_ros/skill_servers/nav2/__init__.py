"""`go_to` and room queries on a robot with Nav2."""
