"""A simulated robot for any domain file: its skills do what the file says that they do."""
