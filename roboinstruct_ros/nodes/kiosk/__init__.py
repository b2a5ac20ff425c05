"""The node behind the page."""
