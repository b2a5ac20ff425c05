"""The generator node, which writes programs."""
