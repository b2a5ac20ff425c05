"""The node that writes programs."""
