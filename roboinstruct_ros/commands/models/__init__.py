"""Models from the command line: which there are, what fits, one brought in or made smaller."""
