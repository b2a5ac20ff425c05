"""Tasks that are approved in advance, and start at their times."""
