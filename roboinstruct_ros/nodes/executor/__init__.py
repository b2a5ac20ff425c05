"""The executor node, which runs programs."""
