"""A simulated robot for any domain file: its skills have the effects that the file declares."""
