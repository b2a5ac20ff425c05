"""The node that runs programs."""
